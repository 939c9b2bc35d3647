import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { PageQuery } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { checkMetadata, mergePatch } from "#kernel/records/generic-body.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { timestamp } from "#ports/clock.js";
import { claimSubdomain, outdatedHold, refuseReserved, releaseSubdomain } from "../subdomains/claim-subdomain.js";
import { PROVIDER_SUBDOMAIN } from "../tenants/fields.js";
import { aliasStatus } from "../tenants/machine.js";
import type { Alias } from "../tenants/schema.js";
import { type Tenant, tenants } from "../tenants/schema.js";
import { updateTenant } from "../tenants/tenant-registry.js";
import { type AliasRequest, domainMissing, readAliasBody } from "./change/body.js";
import { moveAlias } from "./change/move.js";
import { domainOf } from "./change/view.js";
import { checkAlias } from "./check-domain.js";
import { CHECK_PAUSE, CLAIM_LIFETIME } from "./rules.js";
import { AliasBody, DomainPatch, TenantDomain } from "./schema.js";

const PATH = "/api/v1/tenant/domain";
const tag = "Tenant Domain";
const write = { permission: "tenant-domain:write" } as const;

export const readTenantDomain = defineOperation({
  id: "tenantDomain.read",
  method: "GET",
  path: PATH,
  tag,
  summary: "Read the tenant's subdomain and alias",
  description: "Looks for the record that proves the alias when that is due, and stores what follows from it.",
  access: { permission: "tenant-domain:read" },
  query: PageQuery,
  success: { status: 200, schema: TenantDomain },
  async handler(ctx) {
    await checkAlias(ctx.env, ctx.principal.tenantId, false);
    return domainOf(await ctx.getOrThrow(tenants, ctx.principal.tenantId), ctx.env.options.baseUrl);
  },
});

export const patchDomain = defineOperation({
  id: "tenantDomain.patch",
  method: "PATCH",
  path: PATH,
  tag,
  summary: "Change the tenant's subdomain or metadata",
  description:
    "The former subdomain leads nowhere at once, and is held for the tenant for 90 days before another one can take it.",
  extension: true,
  access: write,
  body: DomainPatch,
  success: { status: 200, schema: TenantDomain },
  errors: ["already_exists", "in_use", "precondition_failed"],
  prepare: async (ctx, { body: { subdomain } }) =>
    subdomain === undefined ? undefined : outdatedHold(ctx, subdomain, ctx.principal.tenantId),
  async handler(ctx, { body }, outdated) {
    const tenant = await ctx.getForUpdate(tenants, ctx.principal.tenantId);
    const { subdomain = tenant.subdomain } = body;
    const metadata = mergePatch(tenant.metadata, body.metadata ?? {}) as Tenant["metadata"];
    checkMetadata(metadata);
    if (subdomain !== tenant.subdomain) refuseChange(tenant, subdomain);
    // This update comes first, so that a name in use fails on its own unique key.
    const changed = await ctx.update(tenants, tenant, { subdomain, metadata }, { reason: body.reason });
    if (subdomain !== tenant.subdomain) {
      await releaseSubdomain(ctx, tenant.subdomain);
      await claimSubdomain(ctx, subdomain, outdated);
      await updateTenant(ctx, tenant.id, () => ({ subdomain }));
    }
    return domainOf(changed, ctx.env.options.baseUrl);
  },
});

function refuseChange(tenant: Tenant, subdomain: string): void {
  refuseReserved(subdomain);
  if (tenant.subdomain === PROVIDER_SUBDOMAIN)
    throw new ReeveError("in_use", "The provider's tenant keeps its subdomain.");
}

export const putAlias = defineOperation({
  id: "tenantDomain.putAlias",
  method: "PUT",
  path: `${PATH}/alias`,
  tag,
  summary: "Claim a domain as the tenant's alias, or have the present one checked",
  description:
    "A new domain waits for the TXT record that `verification` names; the one before it is released at once. The same domain " +
    "again is looked up now, at most every 30 seconds.",
  access: write,
  body: AliasBody.optional(),
  success: { status: 200, schema: TenantDomain },
  errors: ["alias_unavailable", "read_only_property", "invalid_transition", "precondition_failed"],
  effect: "own",
  async handler(ctx, { body = {} }) {
    const { env, principal } = ctx;
    const { baseUrl } = env.options;
    const present = domainOf(await ctx.getOrThrow(tenants, principal.tenantId), baseUrl);
    const wish = await readAliasBody(body, present, new URL(baseUrl).hostname);
    if (wish.domain !== undefined) await refuseTaken(ctx, wish.domain);
    const { claimed, tenant } = await ctx.write((inner) => claim(inner, wish));
    if (claimed) return domainOf(tenant, baseUrl);
    if ((await checkAlias(env, principal.tenantId, true)) === "taken") throw new ReeveError("alias_unavailable");
    return domainOf(await ctx.getOrThrow(tenants, principal.tenantId), baseUrl);
  },
});

/** 409 while another tenant holds the domain. Unproven claims of others are not disclosed. */
async function refuseTaken(ctx: ReadContext, domain: string): Promise<void> {
  const holder = await ctx.env.store.platform.lookup(tenants, "alias", { activeAlias: domain });
  if (holder && holder.tenantId !== ctx.principal.tenantId) throw new ReeveError("alias_unavailable");
}

async function claim(
  ctx: Context,
  { domain, status, metadata, free }: AliasRequest,
): Promise<{ claimed: boolean; tenant: Tenant }> {
  const tenant = await ctx.getForUpdate(tenants, ctx.principal.tenantId);
  const { alias } = tenant;
  const same = alias !== null && (domain ?? alias.domain) === alias.domain;
  const wanted = domain ?? alias?.domain;
  if (wanted === undefined) throw domainMissing();
  const standing = same && tenant.aliasStatus !== "failed";
  const to = standing ? tenant.aliasStatus : "pending_verification";
  if (status !== undefined && status !== to) throw notByRequest(tenant, status);
  const described = metadata === undefined ? {} : { metadata };
  if (standing) {
    const patch = { alias: { ...alias, ...free }, ...described };
    return { claimed: false, tenant: await ctx.update(tenants, tenant, patch) };
  }
  const token = same ? alias.token : ctx.newId("dom");
  const claimed = { ...claimOf(ctx, wanted, token), ...free };
  // A claim that replaces another claim changes the domain and not the state.
  if (tenant.aliasStatus === "pending_verification")
    return { claimed: true, tenant: await ctx.update(tenants, tenant, { alias: claimed, ...described }) };
  const claiming = await ctx.update(tenants, tenant, described);
  return { claimed: true, tenant: await moveAlias(ctx, claiming, "claim", claimed) };
}

function claimOf(ctx: Context, domain: string, token: string): Alias {
  const { nowMs } = ctx.request;
  return {
    domain,
    token,
    claimedAt: ctx.now,
    claimEndsAt: timestamp(nowMs + CLAIM_LIFETIME),
    checkedAt: null,
    // Not at once, because a resolver would cache that the record is missing.
    nextCheckAt: timestamp(nowMs + CHECK_PAUSE),
    lastCheck: null,
    absentSince: null,
    attributes: {},
  };
}

function notByRequest({ aliasStatus: current }: Tenant, wanted: string): ReeveError {
  return transitionRefused("The state follows from the record in the DNS; DELETE releases the alias.", {
    machine: aliasStatus,
    current,
    wanted,
  });
}

export const removeAlias = defineOperation({
  id: "tenantDomain.removeAlias",
  method: "DELETE",
  path: `${PATH}/alias`,
  tag,
  summary: "Release the tenant's alias",
  description:
    "The domain is free for others at once, and its proof is worth nothing any more. Without an alias nothing happens.",
  access: write,
  success: { status: 204 },
  errors: ["precondition_failed"],
  async handler(ctx) {
    const tenant = await ctx.getForUpdate(tenants, ctx.principal.tenantId);
    if (tenant.alias) await moveAlias(ctx, tenant, "release", null);
    return undefined;
  },
});
