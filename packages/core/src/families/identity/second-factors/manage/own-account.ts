import { ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isIdOf } from "#store/collection.js";
import { type User, users } from "../../users/schema.js";

/** The caller's own account. 403 for machines, and for people whom only the host knows. */
export async function ownAccount(ctx: ReadContext): Promise<User> {
  const { kind, userId } = ctx.principal;
  const row = kind === "user" && isIdOf(users, userId) ? await ctx.db.get(users, userId) : undefined;
  if (!row) throw new ReeveError("permission_denied", "Only a person with an account here has second factors here.");
  return row.value;
}
