import type { Context } from "#kernel/operation/context.js";
import { aliasStatus } from "../../tenants/machine.js";
import { type Alias, activeAlias, type Tenant, tenants } from "../../tenants/schema.js";
import { updateTenant } from "../../tenants/tenant-registry.js";

type Event = (typeof aliasStatus.transitions)[number]["event"];

/** Moves a tenant's alias by an event of its machine. The provider's registry shows the domain while it is active. */
export async function moveAlias(
  ctx: Context,
  tenant: Tenant,
  event: Event,
  alias: Alias | null,
  triggeredBy: "user" | "policy" = "user",
): Promise<Tenant> {
  const reason = triggeredBy === "user" ? ctx.request.reason : undefined;
  const moved = await ctx.transition(
    tenants,
    aliasStatus,
    tenant,
    { event },
    { reason, patch: { alias }, triggeredBy },
  );
  const domain = activeAlias(moved);
  if (domain !== activeAlias(tenant)) await updateTenant(ctx, tenant.id, () => ({ alias: domain }));
  return moved;
}
