import { tenantUrl } from "../../subdomains/rules.js";
import type { Tenant } from "../../tenants/schema.js";
import { challengeOf } from "../rules.js";
import type { TenantDomain } from "../schema.js";

/** A tenant's domain as the API serves it. */
export function domainOf({ alias, ...tenant }: Tenant, baseUrl: string): TenantDomain {
  const { id, version, createdAt, updatedAt, subdomain, aliasStatus, metadata } = tenant;
  return {
    id,
    status: aliasStatus,
    version,
    createdAt,
    updatedAt,
    subdomain,
    tenantUrl: alias && aliasStatus === "active" ? aliasUrl(baseUrl, alias.domain) : tenantUrl(baseUrl, subdomain),
    alias: alias?.domain ?? null,
    aliasStatus,
    verification: alias && { ...challengeOf(alias), claimEndsAt: alias.claimEndsAt },
    checkedAt: alias?.checkedAt ?? null,
    lastCheck: alias?.lastCheck ?? null,
    metadata,
    attributes: alias?.attributes ?? {},
  };
}

/** The base URL with the alias as its host. */
function aliasUrl(baseUrl: string, domain: string): string {
  const url = new URL(baseUrl);
  url.hostname = domain;
  return url.toString().replace(/\/$/, "");
}
