import { notFound } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { defineCollection } from "#kernel/records/collection.js";
import { statesOf } from "#kernel/records/machine.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { foldText } from "#store/comparison.js";
import { Entitlement } from "../entitlements/schema.js";
import { PLATFORM_TENANT } from "./fields.js";
import { tenantStatus } from "./machine.js";
import type { Tenant } from "./schema.js";

/** The states that a tenant can have here: those of its own, and the one that comes after them. */
export const RegisteredStatus = z.enum([...statesOf(tenantStatus), "erased"]);

const Erasure = z.object({
  closedAt: Time,
  begunAt: Time,
  /** How many records by collection, and how many `events`, were deleted so far. */
  counts: z.record(z.string(), z.int().min(0)),
  /** The end of the chain of its events. */
  lastSequence: z.int().min(0),
  headHash: z.string(),
  /** Its last checkpoint. */
  checkpoint: z.object({ id: z.string(), toSeq: z.int(), headHash: z.string() }).nullable(),
});
/** How far the erasure of a tenant has come. */
export type TenantErasure = z.output<typeof Erasure>;

const RegisteredTenant = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  name: z.string(),
  subdomain: z.string(),
  alias: z.string().nullable(),
  status: RegisteredStatus,
  statusChangedAt: Time,
  entitlements: z.array(Entitlement),
  /** Since its erasure has begun; `null` before. */
  erasure: Erasure.nullable(),
});
export type RegisteredTenant = z.output<typeof RegisteredTenant>;

/**
 * A copy of all tenants and their entitlements, which the provider can page and search. Rows belong to the platform and
 * are written in the transaction that changes the tenant. The row of an erased tenant stays, so that its id is never
 * given again.
 */
export const tenantRegistry = defineCollection<RegisteredTenant>({
  name: "tenant_registry",
  prefix: "tnt",
  schema: RegisteredTenant,
  retain: true,
  fields: {
    status: { type: "text" },
    statusChangedAt: { type: "time" },
    name: { type: "text", of: ({ name }) => foldText(name) },
  },
  indexes: [{ where: ["status"] }, { where: ["status"], by: "statusChangedAt" }, { where: [], by: "name" }],
  filters: { status: { values: RegisteredStatus.options } },
  orders: { name: "name" },
  counted: ["status"],
  search: ({ name, subdomain, alias }) => [name, subdomain, alias ?? ""].join("\n"),
});

/** Adds a new tenant to the registry, in the transaction that creates it. */
export async function insertTenant(ctx: Context, tenant: Tenant, entitlements: readonly Entitlement[]): Promise<void> {
  const { id, createdAt, name, subdomain, status } = tenant;
  await ctx.on(PLATFORM_TENANT).insert(tenantRegistry, {
    id,
    createdAt,
    statusChangedAt: createdAt,
    name,
    subdomain,
    alias: null,
    status,
    entitlements: inOrder(entitlements),
    erasure: null,
  });
}

/** Copies a change of a tenant or its entitlements to the registry, in the transaction that makes it. */
export async function updateTenant(
  ctx: Context,
  tenantId: string,
  change: (registered: RegisteredTenant) => Partial<RegisteredTenant>,
): Promise<RegisteredTenant> {
  const side = ctx.on(PLATFORM_TENANT);
  const previous = (await side.db.get(tenantRegistry, tenantId))?.value;
  if (!previous) throw notFound();
  return side.update(tenantRegistry, previous, change(previous));
}

/** Entitlements in the order of lists. */
export function inOrder(entitlements: readonly Entitlement[]): Entitlement[] {
  return [...entitlements].sort((a, b) => (a.id < b.id ? -1 : 1));
}
