import { newestCheckpoint } from "#families/activity/index.js";
import { PLATFORM_TENANT, tenantRegistry, tenantStatus, tenants, updateTenant } from "#families/platform/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { systemPrincipal } from "#kernel/config/principal.js";
import { systemContext } from "#kernel/operation/system-context.js";

/**
 * Begins the erasure of a tenant that was closed by `through` and not reopened since. From then on it cannot come back.
 * Returns whether this call began it.
 */
export function beginErasure(env: Environment, tenantId: string, through: string): Promise<boolean> {
  return systemContext(env, PLATFORM_TENANT, "tick").write(async (ctx) => {
    const registered = (await ctx.db.get(tenantRegistry, tenantId))?.value;
    if (registered?.status !== "closed" || registered.statusChangedAt > through) return false;
    const side = ctx.on(tenantId, systemPrincipal(tenantId));
    const tenant = (await side.db.get(tenants, tenantId))?.value;
    // What cannot be undone takes both records that say so.
    if (tenant?.status !== "closed") return false;
    const reason = "The grace after it was closed is over.";
    await side.transition(tenants, tenantStatus, tenant, { event: "erase" }, { triggeredBy: "system", reason });
    const last = await newestCheckpoint(side.db);
    const [head] = (await side.db.events({ size: 1 })).events;
    await updateTenant(ctx, tenantId, ({ statusChangedAt }) => ({
      status: "erasing",
      statusChangedAt: ctx.now,
      erasure: {
        closedAt: statusChangedAt,
        begunAt: ctx.now,
        counts: {},
        lastSequence: head?.sequence ?? 0,
        headHash: head?.eventHash ?? "",
        checkpoint: last ? { id: last.id, toSeq: last.checkpoint.toSeq, headHash: last.checkpoint.headHash } : null,
      },
    }));
    return true;
  });
}
