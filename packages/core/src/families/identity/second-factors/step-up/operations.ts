import { ReeveError } from "#kernel/http/errors.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { timestamp } from "#ports/clock.js";
import { credentials } from "../../users/passwords/credentials.js";
import { users } from "../../users/schema.js";
import { ownAccount } from "../manage/own-account.js";
import { isAnswered, proveFactor } from "../prove/prove-factor.js";
import { factorProofs, ProveAgain, ProvenAgain } from "./schema.js";

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
  errors: ["permission_denied", "invalid_otp", "too_many_attempts"],
  effect: "own",
  async handler(ctx, { body }) {
    const { tokenId, tokenExpiresAt } = ctx.principal;
    const { id } = await ownAccount(ctx);
    if (tokenId === undefined || tokenExpiresAt === undefined)
      throw new ReeveError("permission_denied", "The host has signed you in, and asks you itself.");
    if (!isAnswered(body)) throw new ReeveError("invalid_request", "Send `code` or `recoveryCode`.");
    const [row, credential] = await Promise.all([ctx.db.get(users, id), ctx.db.get(credentials, id)]);
    if (!row || !credential) throw new ReeveError("permission_denied");
    await proveFactor(ctx, { row, securityVersion: credential.value.securityVersion }, body);
    await ctx.write(async (inner) => {
      const before = (await inner.db.get(factorProofs, tokenId))?.value;
      const expiresAt = timestamp(tokenExpiresAt);
      if (before) await inner.update(factorProofs, before, { provenAt: inner.now });
      else await inner.insert(factorProofs, { id: tokenId, userId: id, provenAt: inner.now, expiresAt });
    });
    return { provenAt: ctx.now };
  },
});
