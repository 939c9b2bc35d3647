import { z } from "zod";
import { AnyObject, Metadata } from "../../../kernel/records/generic-body.js";
import { statesOf } from "../../../kernel/records/machine.js";
import { openBody } from "../../../kernel/records/open-body.js";
import { READ_ONLY, Time } from "../../../kernel/records/record.js";
import { Subdomain } from "../subdomains/schema.js";
import { aliasStatus } from "./machine.js";

export const AliasStatus = z.enum(statesOf(aliasStatus));

const LastCheck = z.enum(["proven", "absent", "unreachable", "taken"]).nullable().meta({
  description:
    "What the last look at the DNS found: the record, no such record, no answer, or the record of a domain that another tenant holds.",
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
  attributes: AnyObject,
});
export type Alias = z.output<typeof Alias>;

/** A tenant's domain as the API serves it. */
export const TenantDomain = z
  .object({
    id: z.string().meta({ description: "Id of the tenant." }),
    status: AliasStatus.meta({ description: "The same as `aliasStatus`." }),
    version: z.int().min(1),
    createdAt: Time,
    updatedAt: Time,
    subdomain: z.string(),
    tenantUrl: z.url().meta({ description: "Where the tenant is reached: at its alias once that is active." }),
    alias: z.string().nullable().meta({ description: "The tenant's own domain, in ASCII.", example: "ai.example.com" }),
    aliasStatus: AliasStatus,
    verification: z
      .object({
        type: z.literal("TXT"),
        name: z.string().meta({ example: "_reeve-challenge.ai.example.com" }),
        value: z.string(),
        claimEndsAt: Time.nullable().meta({ description: "Until when the record must be seen; `null` once it was." }),
      })
      .nullable()
      .meta({ description: "The record that proves the alias. Leave it in place: it is looked at again every day." }),
    checkedAt: Time.nullable(),
    lastCheck: LastCheck,
    metadata: AnyObject,
    attributes: AnyObject,
  })
  .meta({ id: "TenantDomain" });
export type TenantDomain = z.output<typeof TenantDomain>;

/** Names of the tenant's domain that a body may repeat but not change. */
export const DOMAIN_READ_ONLY = [...READ_ONLY, ...Object.keys(TenantDomain.shape)].filter(
  (name) => !["status", "metadata", "attributes"].includes(name),
);

export const AliasBody = openBody({
  id: "TenantAlias",
  description:
    "The domain stands in `name` or in `configuration.domain`; without one, the present alias is checked. Additional properties are kept under `attributes`.",
  fields: z.object({ domain: z.string().meta({ description: "As `name`.", example: "ai.example.com" }) }),
  closed: true,
  example: { name: "ai.example.com" },
});

export const DomainPatch = z
  .strictObject({
    subdomain: Subdomain.optional(),
    metadata: Metadata.optional().meta({ description: "Merge patch." }),
    reason: z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." }),
  })
  .meta({ id: "TenantDomainPatch", example: { subdomain: "acme-labs" } });
