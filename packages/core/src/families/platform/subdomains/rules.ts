import { daysMs } from "#ports/durations.js";
/**
 * How long a former subdomain is held for its tenant, in milliseconds, so that old links do not lead to another tenant.
 */
export const HOLD = daysMs(90);

/** How many former subdomains a tenant may hold at a time, against hoarding. */
export const HOLDS = 10;

/** Names a tenant cannot claim: hosts of the platform, and names that could be mistaken for them. */
const RESERVED = new Set(
  "www api app apex admin auth login mail smtp docs status support help static cdn platform provider reeve localhost".split(
    " ",
  ),
);

export function isReserved(subdomain: string): boolean {
  return RESERVED.has(subdomain) || subdomain.startsWith("xn--");
}

/** The address of a tenant's console: the base URL with the subdomain before its host. An IP address stays as it is. */
export function tenantUrl(baseUrl: string, subdomain: string): string {
  const url = new URL(baseUrl);
  const numeric = /^[\d.]+$/.test(url.hostname) || url.hostname.startsWith("[");
  if (!numeric) url.hostname = `${subdomain}.${url.hostname}`;
  return url.toString().replace(/\/$/, "");
}
