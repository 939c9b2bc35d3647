import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { vault } from "#kernel/operation/vault/vault.js";
import { timestamp } from "#ports/clock.js";
import { renewCredential } from "../../users/passwords/credentials.js";
import type { User } from "../../users/schema.js";
import { guessing, openSecret, placeOf, wrongCode } from "../prove/prove-factor.js";
import { allFactors, factorsOf, pendingFactor } from "../queries.js";
import { newRecoveryCodes, recoveryHash } from "../recovery-codes.js";
import { hasFactor, PENDING_LIFETIME } from "../rules.js";
import { type SecondFactor, secondFactors } from "../schema.js";
import { matchingStep, newTotpSecret, totpUri } from "../totp-codes.js";

type Person = Pick<User, "id" | "name" | "username">;

/** The fields of a factor that it does not use. */
export const unused = () => ({
  lastUsedAt: null,
  sealedSecret: null,
  usedStep: null,
  codeHashes: [] as string[],
  passkey: null,
  challenges: [] as string[],
});

/** The secret of an app that is to be set up, shown this once, and the factor that keeps it sealed. */
export async function newTotp(ctx: ReadContext, tenantId: string, person: Person) {
  const secret = newTotpSecret();
  const id = ctx.newId(secondFactors.prefix ?? "");
  const sealedSecret = await ctx.env.use(vault).seal(placeOf(tenantId, id), secret);
  const expiresAt = timestamp(ctx.request.nowMs + PENDING_LIFETIME);
  const factor = { ...unused(), id, userId: person.id, kind: "totp", name: "App", expiresAt, sealedSecret } as const;
  const uri = totpUri(secret, new URL(ctx.env.options.baseUrl).host, person.username);
  return { factor, shown: { secret, uri, expiresAt } };
}

/** Begins to set up a factor, within the transaction. It counts once it was confirmed; an earlier one is forgotten. */
export async function beginFactor(
  ctx: Context,
  person: Pick<User, "id" | "name">,
  factor: Parameters<typeof replacePending>[1],
): Promise<void> {
  await replacePending(ctx, factor);
  await recordChange(ctx, person, "begun", factor.kind);
}

async function replacePending(
  ctx: Context,
  draft: Omit<SecondFactor, "version" | "createdAt" | "confirmedAt">,
): Promise<void> {
  const factors = await allFactors(ctx.db, draft.userId);
  const before = factors.find(({ kind, confirmedAt }) => kind === draft.kind && confirmedAt === null);
  if (before) await ctx.remove(secondFactors, before);
  await ctx.insert(secondFactors, { ...draft, confirmedAt: null });
}

/**
 * Reads the first code of an app that waits to be confirmed. Returns what confirms it within a transaction. 400
 * `invalid_otp` when none waits, or the code is not right.
 */
export async function confirmingTotp(ctx: ReadContext, tenantId: string, userId: string, code: string) {
  const { pending, usedStep } = await guessing(ctx, userId, async () => {
    const found = await pendingFactor(ctx.env.store.forTenant(tenantId), userId, "totp", ctx.now);
    const secret = found && (await openSecret(ctx, tenantId, found));
    const step = secret && matchingStep(secret, code, ctx.request.nowMs, null);
    if (!found || !step) throw wrongCode();
    return { pending: found, usedStep: step };
  });
  return async (inner: Context): Promise<Pick<SecondFactor, "kind">> => {
    const waiting = await pendingFactor(inner.db, userId, "totp", inner.now);
    if (waiting?.id !== pending.id) throw wrongCode();
    const replaced = (await factorsOf(inner.db, userId)).find(({ kind }) => kind === "totp");
    if (replaced) await inner.remove(secondFactors, replaced);
    const fields = { confirmedAt: inner.now, expiresAt: null, usedStep };
    return inner.update(secondFactors, waiting, fields);
  };
}

/**
 * Confirms a factor by `confirm`, within the transaction. The first one of a person ends all sign-ins but the one that is
 * presented, because they were begun without a factor, and brings recovery codes.
 */
export async function adoptFactor(
  ctx: Context,
  person: Pick<User, "id" | "name">,
  confirm: (ctx: Context) => Promise<Pick<SecondFactor, "kind">>,
): Promise<{ readonly recoveryCodes?: string[]; readonly securityVersion?: number }> {
  const before = await factorsOf(ctx.db, person.id);
  const { kind } = await confirm(ctx);
  await recordChange(ctx, person, "added", kind);
  if (hasFactor(before)) return {};
  const securityVersion = await renewCredential(ctx, person.id, undefined, ctx.principal.tokenId ?? null);
  return { recoveryCodes: await setCodes(ctx, person.id), securityVersion };
}

/** Gives a person new recovery codes in place of all earlier ones. */
export async function setCodes(ctx: Context, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  const codeHashes = codes.map((code) => recoveryHash(ctx.env, userId, code));
  const before = (await factorsOf(ctx.db, userId)).find(({ kind }) => kind === "recovery_codes");
  if (before) await ctx.update(secondFactors, before, { codeHashes, confirmedAt: ctx.now, lastUsedAt: null });
  else
    await ctx.insert(secondFactors, {
      ...unused(),
      id: ctx.newId(secondFactors.prefix ?? ""),
      userId,
      kind: "recovery_codes",
      name: "Recovery codes",
      confirmedAt: ctx.now,
      expiresAt: null,
      codeHashes,
    });
  return codes;
}

/** Records a change of somebody's second factors. */
export async function recordChange(
  ctx: Context,
  person: Pick<User, "id" | "name">,
  change: string,
  kind: string,
): Promise<void> {
  await ctx.emit({
    type: "user.second_factor_changed",
    subject: { id: person.id, type: "user", path: `/api/v1/users/${person.id}` },
    data: { entity: { type: "user", id: person.id, name: person.name }, change, kind },
  });
}
