import { defineCollection } from "#kernel/records/collection.js";
import { Attributes } from "#kernel/records/generic-body.js";
import { statesOf } from "#kernel/records/machine.js";
import { recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { TenantSettingFields } from "./fields.js";
import { aliasStatus, tenantStatus } from "./machine.js";

export const AliasStatus = z.enum(statesOf(aliasStatus));

export const LastCheck = z.enum(["proven", "absent", "unreachable", "taken"]).nullable().meta({
  description:
    "What the last look at the DNS found: the record, none, no answer, or that of a domain that another tenant holds.",
});

/** A claim on a domain, stored with its tenant. A missing record ends an active alias only after a grace period. */
export const Alias = z.object({
  domain: z.string(),
  /**
   * The required value of the TXT record. It is unique to this claim, so that no other claim can use it. It is not
   * secret.
   */
  token: z.string(),
  claimedAt: Time,
  /** When an unproven claim ends; `null` once proven. */
  claimEndsAt: Time.nullable(),
  checkedAt: Time.nullable(),
  nextCheckAt: Time,
  lastCheck: LastCheck,
  /** Since when the record of a proven alias is missing. */
  absentSince: Time.nullable(),
  /** Properties that the caller defines. */
  attributes: Attributes,
});
export type Alias = z.output<typeof Alias>;

export const Tenant = z
  .object({
    ...recordShape(z.enum(statesOf(tenantStatus))),
    subdomain: z.string().meta({ description: "DNS label, unique.", example: "acme" }),
    aliasStatus: AliasStatus,
    alias: Alias.nullable(),
    externalId: z
      .string()
      .nullable()
      .meta({ description: "What the host itself knows the tenant by; `null` for one that was registered here." }),
    settings: TenantSettingFields.partial().optional().meta({ description: "What the tenant has settled for itself." }),
  })
  .meta({ id: "Tenant" });
export type Tenant = z.output<typeof Tenant>;

/** The alias fields of a tenant without its own domain. */
export const NO_ALIAS = { aliasStatus: "none", alias: null } as const;

/** Tenants. The row of a tenant belongs to that tenant. */
export const tenants = defineCollection<Tenant>({
  name: "tenants",
  prefix: "tnt",
  broadcast: true,
  scope: "platform",
  schema: Tenant,
  resource: {
    type: "tenant",
    event: "tenant",
    path: "/api/v1/support/tenants",
    alsoAt: ["/api/v1/support/orgs"],
    readBy: ["tenant-settings:read", "support:read"],
  },
  machines: { status: tenantStatus, aliasStatus },
  fields: {
    subdomain: { type: "text", compare: "caseless" },
    externalId: { type: "text", compare: "canonical" },
    status: { type: "text" },
    activeAlias: { type: "text", compare: "caseless", of: (tenant) => activeAlias(tenant) },
    claimEndsAt: {
      type: "time",
      of: ({ alias, aliasStatus }) => (aliasStatus === "pending_verification" ? alias?.claimEndsAt : null),
    },
  },
  indexes: [{ where: [], by: "claimEndsAt", partial: true }],
  // Any number of tenants may claim a domain. Only one can hold it.
  unique: { subdomain: ["subdomain"], alias: ["activeAlias"], external: ["externalId"] },
  timeTransition: {
    by: "claimEndsAt",
    machine: aliasStatus,
    event: "expire",
    reason: "The domain was not proven in time.",
  },
});

/** The domain at which the tenant can be reached. `null` unless it is proven. */
export function activeAlias({ alias, aliasStatus }: Pick<Tenant, "alias" | "aliasStatus">): string | null {
  return aliasStatus === "active" ? (alias?.domain ?? null) : null;
}
