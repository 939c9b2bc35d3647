import { defineService } from "#kernel/config/environment.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { tableOf } from "#kernel/operation/table.js";

/** The capabilities of the operations that require a permission, by permission. */
const capabilitiesOf = defineService("platform.visibility", (env) => {
  const found = new Map<string, Set<string>>();
  for (const { access } of env.use(tableOf).operations) {
    if (typeof access === "string" || !access.capability) continue;
    const held = found.get(access.permission) ?? new Set<string>();
    found.set(access.permission, held.add(access.capability));
  }
  return found as ReadonlyMap<string, ReadonlySet<string>>;
});

/**
 * Whether the caller may see what a permission protects: the caller holds it, and the tenant licenses a capability of
 * its operations.
 */
export function visibilityOf(ctx: ReadContext): (permission: string) => boolean {
  return visibleTo(ctx, ctx.principal.permissions);
}

/** The same for somebody who holds these permissions. */
export function visibleTo({ env, request }: ReadContext, held: ReadonlySet<string>): (permission: string) => boolean {
  const of = env.use(capabilitiesOf);
  const isLicensed = (capability: string) => request.tenant?.licensed(capability) ?? false;
  return (permission) => {
    const capabilities = [...(of.get(permission) ?? [])];
    return held.has(permission) && (capabilities.length === 0 || capabilities.some(isLicensed));
  };
}
