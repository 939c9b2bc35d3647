import { defineService } from "../../kernel/environment.js";
import type { ReadContext } from "../../kernel/read-context.js";
import { tableOf } from "../../kernel/table.js";
import { entitlements, isInForce } from "../platform/index.js";

/** The capabilities that operations behind a permission belong to, by the permission. */
const capabilitiesOf = defineService("overview.capabilities", (env) => {
  const found = new Map<string, Set<string>>();
  for (const { access } of env.use(tableOf).operations) {
    if (typeof access === "string" || !access.capability) continue;
    const held = found.get(access.permission) ?? new Set<string>();
    found.set(access.permission, held.add(access.capability));
  }
  return found as ReadonlyMap<string, ReadonlySet<string>>;
});

/** Tells of a permission whether the caller may see here what operations behind it would show anyway: holds it, and the tenant licenses it. */
export async function sightOf(ctx: ReadContext): Promise<(permission: string) => boolean> {
  const of = ctx.env.use(capabilitiesOf);
  const ids = [...new Set([...of.values()].flatMap((keys) => [...keys]))].map((key) => `capability:${key}`);
  const rows = await ctx.db.getMany(entitlements, ids);
  const licensed = new Set(
    rows.filter(({ value }) => isInForce(value, ctx.request.nowMs)).map(({ value }) => value.key),
  );
  return (permission) =>
    ctx.principal.permissions.has(permission) && [...(of.get(permission) ?? [])].some((key) => licensed.has(key));
}
