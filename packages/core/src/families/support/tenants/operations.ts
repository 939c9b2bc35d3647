import {
  Entitlement,
  isInForce,
  PLATFORM_TENANT,
  PROVIDER_SUBDOMAIN,
  RegisteredStatus,
  type RegisteredTenant,
  tenantRegistry,
  tenantStatus,
  tenants,
  updateTenant,
} from "#families/platform/index.js";
import { notFound, ReeveError } from "#kernel/http/errors.js";
import { requireVersion } from "#kernel/http/version-condition.js";
import { requireReason } from "#kernel/operation/context.js";
import { type ListQuery, listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { askForReason } from "#kernel/operation/stops.js";
import { tableOf } from "#kernel/operation/table.js";
import { statesOf } from "#kernel/records/machine.js";
import { recordFields, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { because, may, shared, sideOf, writeDown } from "../actions/rules.js";

const Org = z
  .object({
    id: z.string().meta({ description: "Id of the tenant." }),
    version: z.int().min(1).meta({ description: "Of the tenant with its entitlements, for `If-Match`." }),
    name: z.string().meta({ description: "Name of the tenant; its id once it was erased." }),
    status: RegisteredStatus.meta({ description: "State of the tenant." }),
    subdomain: z.string().meta({ description: "Subdomain of the tenant; empty once it was erased." }),
    alias: z.string().nullable().meta({ description: "Its own domain." }),
    createdAt: recordFields.createdAt,
    statusChangedAt: Time.meta({ description: "When its state last changed." }),
    counts: z.record(z.string(), z.int().min(0)).meta({ description: "How many of what is counted: users, assets, …" }),
  })
  .meta({ id: "Organisation" });

const SupportTenant = z
  .object({
    id: z.string().meta({ description: "Id of the tenant." }),
    version: z.int().min(1).meta({ description: "Of the tenant with its entitlements, for `If-Match`." }),
    name: z.string().meta({ description: "Name of the tenant; its id once it was erased." }),
    status: RegisteredStatus.meta({ description: "State of the tenant." }),
    subdomain: z.string().meta({ description: "Subdomain of the tenant; empty once it was erased." }),
    plan: z.string().nullable().meta({ description: "Name of its plan." }),
    createdAt: recordFields.createdAt,
    entitlements: z.array(Entitlement).meta({ description: "What it is entitled to." }),
  })
  .meta({ id: "SupportTenant" });
type SupportTenant = z.output<typeof SupportTenant>;

const TenantQuery = listQuery(tenantRegistry, "name, subdomain or alias");

export const ByTenant = z.object({
  tenantId: z.string().meta({ description: "Id of a tenant.", example: "tnt_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" }),
});

/** A page of the registry, with each tenant through `view`. */
function registryPage(ctx: ReadContext, query: ListQuery, view: (registered: RegisteredTenant) => unknown) {
  return ctx.on(PLATFORM_TENANT).page(tenantRegistry, query, {}, view);
}

/** A tenant by id. 404 when there is none. */
export function registered(ctx: ReadContext, tenantId: string): Promise<RegisteredTenant> {
  return ctx.on(PLATFORM_TENANT).getOrThrow(tenantRegistry, tenantId);
}

/** A tenant to be changed. 404 when there is none, and for one whose data is being deleted or is gone. */
export async function living(ctx: ReadContext, tenantId: string): Promise<RegisteredTenant> {
  const tenant = await registered(ctx, tenantId);
  if (tenant.erasure !== null) throw notFound();
  return tenant;
}

async function orgOf(ctx: ReadContext, tenant: RegisteredTenant) {
  const { id, version, name, status, subdomain, alias, createdAt, statusChangedAt } = tenant;
  const { db } = ctx.on(id);
  const counted = ctx.env.use(tableOf).collections.filter((collection) => collection.limit !== undefined);
  const counts = await Promise.all(
    counted.map(async (collection) => [collection.limit as string, (await db.count(collection)).count] as const),
  );
  const facts = { id, version, name, status, subdomain, alias, createdAt, statusChangedAt };
  return { ...facts, counts: Object.fromEntries(counts) };
}

function tenantOf(ctx: ReadContext, tenant: RegisteredTenant): SupportTenant {
  const { id, version, name, status, subdomain, createdAt, entitlements } = tenant;
  const plan = entitlements.find((each) => each.id === "feature:plan" && isInForce(each, ctx.request.nowMs));
  return { id, version, name, status, subdomain, plan: plan ? String(plan.value) : null, createdAt, entitlements };
}

export const listOrgs = defineOperation({
  ...shared,
  id: "support.listOrgs",
  method: "GET",
  path: "/api/v1/support/orgs",
  summary: "List organisations with their counts",
  access: may("read"),
  query: TenantQuery,
  success: { status: 200, schema: pageOf(Org) },
  handler: (ctx, { query }) => registryPage(ctx, query, (tenant) => orgOf(ctx, tenant)),
});

export const readOrg = defineOperation({
  ...shared,
  id: "support.readOrg",
  method: "GET",
  path: "/api/v1/support/orgs/{tenantId}",
  summary: "Read one organisation",
  access: may("read"),
  params: ByTenant,
  success: { status: 200, schema: Org },
  handler: async (ctx, { params }) => orgOf(ctx, await registered(ctx, params.tenantId)),
});

export const listTenants = defineOperation({
  ...shared,
  id: "support.listTenants",
  method: "GET",
  path: "/api/v1/support/tenants",
  summary: "List tenants with their plans and entitlements",
  access: may("read"),
  query: TenantQuery,
  success: { status: 200, schema: pageOf(SupportTenant) },
  handler: (ctx, { query }) => registryPage(ctx, query, (tenant) => tenantOf(ctx, tenant)),
});

export const setTenantStatus = defineOperation({
  ...shared,
  id: "support.setTenantStatus",
  stops: true,
  method: "POST",
  path: "/api/v1/support/tenants/{tenantId}/status",
  summary: "Suspend, reactivate, close or reopen a tenant",
  description:
    "A suspended or closed tenant is refused from its next request on, in this process at once. A closed one is reopened by the status `suspended`, until its data is being erased.",
  access: may("tenants"),
  extension: true,
  params: ByTenant,
  body: z
    .strictObject({ status: z.enum(statesOf(tenantStatus)).meta({ description: "State to move to." }), ...because })
    .meta({ id: "TenantStatusChange", example: { status: "suspended", reason: "The contract has ended." } }),
  success: { status: 200, schema: SupportTenant },
  errors: ["missing_reason", "invalid_transition", "in_use", "precondition_failed"],
  async handler(ctx, { params: { tenantId }, body }) {
    const before = await registered(ctx, tenantId);
    const loosens = body.status === "active" || before.status === "closed";
    const reason = loosens ? requireReason(body.reason) : (body.reason?.trim() ?? "");
    if (before.subdomain === PROVIDER_SUBDOMAIN)
      throw new ReeveError("in_use", "The provider's own tenant stays active.");
    requireVersion(ctx.request.ifMatch, before.version);
    const side = sideOf(ctx, tenantId);
    const tenant = await side.getOrThrow(tenants, tenantId);
    const moved = await side.transition(tenants, tenantStatus, tenant, { to: body.status }, { reason });
    if (moved === tenant) return tenantOf(ctx, before);
    const after = await updateTenant(ctx, tenantId, () => ({ status: moved.status, statusChangedAt: ctx.now }));
    const subject = { id: tenantId, type: "tenant", path: `/api/v1/support/tenants/${tenantId}` };
    await writeDown(ctx, {
      operation: "support.setTenantStatus",
      subject,
      tenantId,
      reason,
      from: tenant.status,
      to: moved.status,
      metadata: body.metadata,
    });
    if (!loosens) await askForReason(ctx, reason, { act: `tenantStatus: ${moved.status}`, subject, name: after.name });
    return tenantOf(ctx, after);
  },
});
