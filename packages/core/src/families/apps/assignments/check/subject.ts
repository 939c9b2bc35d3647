import { identities } from "#families/estate/index.js";
import { roles, users } from "#families/identity/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { Assignment } from "../schema.js";

/** Whether whom an application is assigned to is there. */
export async function subjectExists(
  ctx: Context,
  { subjectType, subjectId }: { readonly subjectType: Assignment["subjectType"]; readonly subjectId: string },
): Promise<boolean> {
  if (subjectType === "role") return ctx.env.use(roles).has(subjectId);
  const found = subjectType === "user" ? ctx.db.getMany(users, [subjectId]) : ctx.db.getMany(identities, [subjectId]);
  return (await found).length > 0;
}
