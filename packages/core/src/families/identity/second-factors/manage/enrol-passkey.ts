import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { timestamp } from "#ports/clock.js";
import type { PasskeyMessage } from "#ports/passkeys.js";
import type { User } from "../../users/schema.js";
import { guessing, wrongCode } from "../prove/prove-factor.js";
import { passkeySite, passkeysAmong, passkeysOf } from "../prove/use-passkeys.js";
import { factorsOf, pendingFactor } from "../queries.js";
import { MOST_PASSKEYS, PENDING_LIFETIME } from "../rules.js";
import { type SecondFactor, secondFactors } from "../schema.js";
import { unused } from "./enrol.js";

/** What a browser needs to make a passkey, and the factor that waits for it. 501 without the engine. */
export async function newPasskey(
  ctx: ReadContext,
  tenantId: string,
  person: Pick<User, "id" | "name" | "username">,
  name: string,
) {
  const engine = passkeysOf(ctx.env);
  const known = passkeysAmong(await factorsOf(ctx.env.store.forTenant(tenantId), person.id));
  if (known.length >= MOST_PASSKEYS)
    throw new ReeveError("in_use", `There are ${MOST_PASSKEYS} passkeys already; remove one first.`);
  const id = ctx.newId(secondFactors.prefix ?? "");
  const options = await engine.creation(await passkeySite(ctx.env, tenantId), challengeOf(ctx, id), person, known);
  const expiresAt = timestamp(ctx.request.nowMs + PENDING_LIFETIME);
  const made = { id, userId: person.id, kind: "passkey", name, expiresAt } as const;
  return { factor: { ...unused(), ...made }, shown: { options, expiresAt } };
}

/** What a new passkey signs: 256 bits that follow from its id, and that only this service can tell. */
function challengeOf({ env }: ReadContext, id: string): string {
  return Buffer.from(env.secretBox.fingerprint(id, "new passkey"), "hex").toString("base64url");
}

/**
 * Verifies the passkey that a browser has made. Returns what confirms it within a transaction. 400 `invalid_otp` when it
 * is not right, or none waits for it.
 */
export async function confirmingPasskey(ctx: ReadContext, tenantId: string, userId: string, answer: PasskeyMessage) {
  const engine = passkeysOf(ctx.env);
  const { pending, passkey } = await guessing(ctx, userId, async () => {
    const found = await pendingFactor(ctx.env.store.forTenant(tenantId), userId, "passkey", ctx.now);
    const site = await passkeySite(ctx.env, tenantId);
    const made = found && (await engine.created(site, challengeOf(ctx, found.id), answer));
    if (!found || !made) throw wrongCode();
    return { pending: found, passkey: { ...made, transports: [...made.transports] } };
  });
  return async (inner: Context): Promise<Pick<SecondFactor, "kind">> => {
    const waiting = await pendingFactor(inner.db, userId, "passkey", inner.now);
    if (waiting?.id !== pending.id) throw wrongCode();
    return inner.update(secondFactors, waiting, { confirmedAt: inner.now, expiresAt: null, passkey });
  };
}
