import { ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isIdOf } from "#store/collection.js";
import { type User, users } from "../../users/schema.js";
import { factorsOf } from "../queries.js";
import { hasFactor } from "../rules.js";
import { requireProof } from "../step-up/require-proof.js";

/** Minutes within which a factor must have been proven to change any. */
const FRESH_MINUTES = 15;

/**
 * The caller's own account, whose factors are to be changed. 403 `step_up_required` when they have one, and have not
 * proven it lately: a sign-in that was left open must not take it away.
 */
export async function ownAccountToChange(ctx: ReadContext): Promise<User> {
  const user = await ownAccount(ctx);
  if (hasFactor(await factorsOf(ctx.db, user.id))) await requireProof(ctx, FRESH_MINUTES, "To change second factors");
  return user;
}

/** The caller's own account. 403 for machines, and for people whom only the host knows. */
export async function ownAccount(ctx: ReadContext): Promise<User> {
  const { kind, userId } = ctx.principal;
  const row = kind === "user" && isIdOf(users, userId) ? await ctx.db.get(users, userId) : undefined;
  if (!row) throw new ReeveError("permission_denied", "Only a person with an account here has second factors here.");
  return row.value;
}
