import { ReeveError } from "#kernel/http/errors.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { timestamp } from "#ports/clock.js";
import type { ProvenPassword } from "../../sessions/start-session.js";
import { credentials } from "../../users/passwords/credentials.js";
import { users } from "../../users/schema.js";
import { ownAccount } from "../manage/own-account.js";
import { openChallenge } from "../prove/challenge.js";
import { demandOf, newChallenge } from "../prove/demand-factor.js";
import { isAnswered, proveFactor } from "../prove/prove-factor.js";
import { FactorChallenge, factorProofs, ProveAgain, ProvenAgain } from "./schema.js";

export const proveAgain = defineOperation({
  id: "secondFactors.prove",
  method: "POST",
  path: "/api/v1/auth/factors/proof",
  tag: "Authentication",
  extension: true,
  summary: "Prove one's second factor again within this sign-in",
  description:
    "For decisions that are refused with `step_up_required`. It counts for the token or the browser session that it is sent with.",
  access: "signed-in",
  body: ProveAgain,
  success: { status: 200, schema: ProvenAgain },
  errors: ["permission_denied", "invalid_credentials", "invalid_otp", "too_many_attempts"],
  effect: "own",
  async handler(ctx, { body }) {
    const { tokenId, tokenExpiresAt } = ctx.principal;
    const { id } = await ownAccount(ctx);
    if (tokenId === undefined || tokenExpiresAt === undefined)
      throw new ReeveError("permission_denied", "The host has signed you in, and asks you itself.");
    if (!isAnswered(body)) throw new ReeveError("invalid_request", "Send `code`, `recoveryCode` or `passkey`.");
    const who = body.challenge === undefined ? await signedInPerson(ctx, id) : await openChallenge(ctx, body.challenge);
    if (who.row.id !== id || who.row.tenantId !== ctx.principal.tenantId)
      throw new ReeveError("invalid_credentials", "The challenge is somebody else's.");
    await proveFactor(ctx, who, body);
    await ctx.write(async (inner) => {
      const before = (await inner.db.get(factorProofs, tokenId))?.value;
      const expiresAt = timestamp(tokenExpiresAt);
      if (before) await inner.update(factorProofs, before, { provenAt: inner.now });
      else await inner.insert(factorProofs, { id: tokenId, userId: id, provenAt: inner.now, expiresAt });
    });
    return { provenAt: ctx.now };
  },
});

export const challengeFactor = defineOperation({
  id: "secondFactors.challenge",
  method: "POST",
  path: "/api/v1/auth/factors/challenge",
  tag: "Authentication",
  extension: true,
  summary: "Begin to prove one's second factor by a passkey",
  description:
    "Codes need no challenge. `methods` is empty where there is no factor yet. It is sent back with what the passkey has signed.",
  access: "signed-in",
  success: { status: 200, schema: FactorChallenge },
  errors: ["permission_denied"],
  effect: "read",
  secret: true,
  async handler(ctx) {
    const { id } = await ownAccount(ctx);
    const person = await signedInPerson(ctx, id);
    const demand = (await demandOf(ctx, person)) ?? { factors: [], methods: [], enrol: [] };
    const { challenge, methods, passkey } = await newChallenge(ctx, person, demand);
    return { challenge, methods: [...methods], ...(passkey ? { passkey } : {}) };
  },
});

/** The caller, whose sign-in stands in place of the password. */
async function signedInPerson(ctx: ReadContext, id: string): Promise<ProvenPassword & { readonly nonce?: string }> {
  const [row, credential] = await Promise.all([ctx.db.get(users, id), ctx.db.get(credentials, id)]);
  if (!row || !credential) throw new ReeveError("permission_denied");
  return { row, securityVersion: credential.value.securityVersion };
}
