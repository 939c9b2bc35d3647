import { inTime } from "#kernel/async/in-time.js";
import type { Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { StoreError } from "#store/store-error.js";
import type { Alias } from "../tenants/schema.js";
import { type Tenant, tenants } from "../tenants/schema.js";
import { moveAlias } from "./change/move.js";
import { challengeOf, GRACE, mayCheck, nextActiveCheck, nextClaimCheck } from "./rules.js";

type Found = "proven" | "absent" | "unreachable";

/**
 * Looks up the DNS record that proves a tenant's alias, when that is due or `asked` for, and stores the result. One of
 * several processes does it. Returns what was found, `taken` when another tenant holds the domain, `undefined` when no
 * lookup was made.
 */
export async function checkAlias(
  env: Environment,
  tenantId: string,
  asked: boolean,
): Promise<Found | "taken" | undefined> {
  const held = (await env.store.forTenant(tenantId).get(tenants, tenantId))?.value;
  if (!held || !isDue(held, asked, env.clock.now())) return undefined;
  const alias = await asPlatform(env, tenantId, (ctx) => announceCheck(ctx, tenantId, asked));
  if (!alias) return undefined;
  const found = await resolveClaim(env, alias);
  try {
    await asPlatform(env, tenantId, (ctx) => recordCheck(ctx, tenantId, alias, found));
    return found;
  } catch (error) {
    if (!(StoreError.is(error) && error.code === "duplicate")) throw error;
    await asPlatform(env, tenantId, (ctx) => yieldToOther(ctx, tenantId, alias));
    return "taken";
  }
}

function isDue(tenant: Tenant, asked: boolean, nowMs: number): boolean {
  return tenant.alias !== null && isChecked(tenant) && mayCheck(tenant.alias, asked, nowMs);
}

/** Whether the alias of a tenant is looked up from time to time. */
export function isChecked({ aliasStatus: status }: Tenant): boolean {
  return status === "pending_verification" || status === "active";
}

async function resolveClaim(env: Environment, alias: Alias): Promise<Found> {
  const { name, value } = challengeOf(alias);
  try {
    return (await inTime(env.options.hostCallTimeoutMs, () => env.dns.txt(name))).includes(value) ? "proven" : "absent";
  } catch (error) {
    env.logger.warn({ name, error: String(error) }, "the proof of a domain cannot be looked up");
    return "unreachable";
  }
}

/**
 * Marks the lookup as done now, so that no other process repeats it. Returns the alias, unless another process was
 * first.
 */
async function announceCheck(ctx: Context, tenantId: string, asked: boolean): Promise<Alias | undefined> {
  const tenant = await ctx.getOrThrow(tenants, tenantId);
  if (!tenant.alias || !isDue(tenant, asked, ctx.request.nowMs)) return undefined;
  const next = nextClaimCheck(tenant.alias, ctx.request.nowMs);
  return (await note(ctx, tenant, { checkedAt: ctx.now, nextCheckAt: timestamp(next) })).alias ?? undefined;
}

async function recordCheck(ctx: Context, tenantId: string, looked: Alias, found: Found): Promise<void> {
  const tenant = await ctx.getOrThrow(tenants, tenantId);
  const { alias, aliasStatus: status } = tenant;
  if (!alias || alias.token !== looked.token) return;
  if (status === "pending_verification" && found === "proven") {
    const nextCheckAt = timestamp(nextActiveCheck(true, ctx.request.nowMs));
    await moveAlias(ctx, tenant, "verify", { ...alias, claimEndsAt: null, nextCheckAt, lastCheck: found }, "policy");
  } else if (status === "pending_verification") {
    await note(ctx, tenant, { lastCheck: found });
  } else if (status === "active") {
    const absentSince =
      found === "absent" ? (alias.absentSince ?? ctx.now) : found === "proven" ? null : alias.absentSince;
    const nextCheckAt = timestamp(nextActiveCheck(found === "proven", ctx.request.nowMs));
    const next = { ...alias, absentSince, nextCheckAt, lastCheck: found };
    if (found === "absent" && ctx.request.nowMs - Date.parse(absentSince as string) >= GRACE)
      await moveAlias(ctx, tenant, "lose", next, "policy");
    else await note(ctx, tenant, next);
  }
}

/** The claim is proven, but another tenant proved it first and holds the domain. */
async function yieldToOther(ctx: Context, tenantId: string, looked: Alias): Promise<void> {
  const tenant = await ctx.getOrThrow(tenants, tenantId);
  const { alias, aliasStatus: status } = tenant;
  if (!alias || alias.token !== looked.token || status !== "pending_verification") return;
  await moveAlias(ctx, tenant, "lose", { ...alias, claimEndsAt: null, lastCheck: "taken" }, "policy");
}

/** Stores the result of a lookup that changes no state. There is no event, because nothing happened to the tenant. */
function note(ctx: Context, tenant: Tenant, seen: Partial<Alias>): Promise<Tenant> {
  const alias = { ...(tenant.alias as Alias), ...seen };
  return ctx.update(tenants, tenant, { alias }, { event: false, stamp: false });
}

/** Runs a change of a tenant by the system, in one transaction. */
function asPlatform<T>(env: Environment, tenantId: string, work: (ctx: Context) => Promise<T>): Promise<T> {
  return systemContext(env, tenantId, "check").write(work);
}
