import { Attributes, Metadata } from "#kernel/records/generic-body.js";
import { openBody } from "#kernel/records/open-body.js";
import { READ_ONLY, recordFields, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { Subdomain } from "../subdomains/schema.js";
import { AliasStatus, LastCheck } from "../tenants/schema.js";

/** A tenant's domain as the API serves it. */
export const TenantDomain = z
  .object({
    id: z.string().meta({ description: "Id of the tenant." }),
    status: AliasStatus.meta({ description: "The same as `aliasStatus`." }),
    version: recordFields.version,
    createdAt: recordFields.createdAt,
    updatedAt: recordFields.updatedAt,
    subdomain: z.string().meta({ description: "Subdomain of the tenant." }),
    tenantUrl: z.url().meta({ description: "Where the tenant is reached: at its alias once that is active." }),
    alias: z.string().nullable().meta({ description: "The tenant's own domain, in ASCII.", example: "ai.example.com" }),
    aliasStatus: AliasStatus.meta({ description: "How far the claim on it is." }),
    verification: z
      .object({
        type: z.literal("TXT").meta({ description: "Type of the record." }),
        name: z.string().meta({ description: "Name of the record.", example: "_reeve-challenge.ai.example.com" }),
        value: z.string().meta({ description: "What it must hold." }),
        claimEndsAt: Time.nullable().meta({ description: "Until when the record must be seen; `null` once it was." }),
      })
      .nullable()
      .meta({ description: "The record that proves the alias. Leave it in place: it is looked at again every day." }),
    checkedAt: Time.nullable().meta({ description: "When the DNS was last asked." }),
    lastCheck: LastCheck,
    metadata: Metadata,
    attributes: Attributes,
  })
  .meta({ id: "TenantDomain" });
export type TenantDomain = z.output<typeof TenantDomain>;

/** Names of the tenant's domain that a body may repeat but not change. */
export const DOMAIN_READ_ONLY = [...READ_ONLY, ...Object.keys(TenantDomain.shape)].filter(
  (name) => !["status", "metadata", "attributes"].includes(name),
);

export const AliasBody = openBody({
  id: "TenantAlias",
  description: "The domain stands in `name` or in `configuration.domain`; without one, the present alias is checked.",
  fields: z.object({
    domain: z.string().meta({ description: "The domain, the same as `name`.", example: "ai.example.com" }),
  }),
  closed: true,
  example: { name: "ai.example.com" },
});

export const DomainPatch = z
  .strictObject({
    subdomain: Subdomain.optional().meta({ description: "Subdomain of the tenant." }),
    metadata: Metadata.optional().meta({ description: "A merge patch (RFC 7396) of the metadata." }),
    reason: z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." }),
  })
  .meta({ id: "TenantDomainPatch", example: { subdomain: "acme-labs" } });
