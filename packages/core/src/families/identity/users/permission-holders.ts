import type { ReadContext } from "#kernel/operation/read-context.js";
import { roles } from "../roles/rules.js";
import { type User, users } from "./schema.js";

/** The most people who are named. */
const MOST = 100;

/** Active users whose roles hold a permission, by name, and whether these are all. */
export async function holdersOf(ctx: ReadContext, permission: string): Promise<{ people: User[]; complete: boolean }> {
  const found = new Map<string, User>();
  let complete = true;
  for (const role of ctx.env.use(roles).holdersOf(permission)) {
    const { rows } = await ctx.db.find(users, { where: { roles: role }, size: MOST });
    complete &&= rows.length < MOST;
    for (const { value } of rows) if (value.status === "active") found.set(value.id, value);
  }
  const people = [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { people: people.slice(0, MOST), complete: complete && people.length <= MOST };
}
