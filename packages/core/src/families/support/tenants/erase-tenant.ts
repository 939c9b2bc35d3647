import {
  PLATFORM_TENANT,
  PROVIDER_SUBDOMAIN,
  type TenantErasure,
  tenantRegistry,
  tenants,
  updateTenant,
} from "#families/platform/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { systemPrincipal } from "#kernel/config/principal.js";
import type { Context } from "#kernel/operation/context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { yieldToEventLoop } from "#store/event-loop.js";

/** Rows that one transaction deletes. */
const BATCH = 500;

/**
 * Deletes some rows of a tenant whose erasure has begun, and certifies it once none is left. Progress is stored with the
 * deletion, so that another process goes on where one has died. Returns whether nothing is left to do.
 */
export async function eraseSome(env: Environment, tenantId: string): Promise<boolean> {
  const provider = await env.store.platform.lookup(tenants, "subdomain", { subdomain: PROVIDER_SUBDOMAIN });
  const over = await systemContext(env, PLATFORM_TENANT, "tick").write(async (ctx) => {
    // The platform's lock comes first: a lock of the tenant would leave a row with its id once it is gone.
    const held = (await ctx.db.get(tenantRegistry, tenantId))?.value;
    if (held?.status !== "erasing" || held.erasure === null) return true;
    const side = ctx.on(tenantId, systemPrincipal(tenantId));
    const [head] = (await side.db.events({ size: 1 })).events;
    const { counts, done } = await side.purge("all", BATCH);
    const erasure = {
      ...held.erasure,
      counts: sum(held.erasure.counts, counts),
      ...(head ? { lastSequence: head.sequence, headHash: head.eventHash } : {}),
    };
    await updateTenant(ctx, tenantId, () => (done ? { ...left(tenantId, ctx.now), erasure } : { erasure }));
    if (done) await certify(ctx, tenantId, provider?.id, erasure);
    return done;
  });
  await yieldToEventLoop();
  return over;
}

function sum(some: TenantErasure["counts"], more: TenantErasure["counts"]): TenantErasure["counts"] {
  const total = { ...some };
  for (const [kind, n] of Object.entries(more)) total[kind] = (total[kind] ?? 0) + n;
  return total;
}

/** What the registry keeps of an erased tenant. Its names may be those of people. */
function left(tenantId: string, now: string) {
  const names = { name: tenantId, subdomain: "", alias: null };
  return { ...names, status: "erased" as const, statusChangedAt: now, entitlements: [] };
}

/** Stores the certificate in the stream of the platform, and in that of the provider's own tenant if there is one. */
async function certify(
  ctx: Context,
  tenantId: string,
  provider: string | undefined,
  erasure: TenantErasure,
): Promise<void> {
  const subject = { id: tenantId, type: "tenant", path: `/api/v1/support/tenants/${tenantId}` };
  const data = { tenantId, ...erasure, erasedAt: ctx.now };
  const report = (to: Context) => to.emit({ type: "tenant.erased", subject, related: [tenantId], data });
  await report(ctx);
  if (provider !== undefined) await report(ctx.on(provider, systemPrincipal(provider)));
}
