/** How long a subdomain that was left stays its former tenant's, in milliseconds: old links must not lead to strangers. */
export const HOLD = 90 * 86_400_000;

/** How many former subdomains a tenant may hold at a time, so that nobody collects names. */
export const HOLDS = 10;

/** Names a tenant cannot take: hosts of the platform itself, and what people mistake for them. */
const RESERVED = new Set(
  "www api app apex admin auth login mail smtp docs status support help static cdn platform provider reeve localhost".split(
    " ",
  ),
);

export function isReserved(subdomain: string): boolean {
  return RESERVED.has(subdomain) || subdomain.startsWith("xn--");
}

/** The address of a tenant's console: its subdomain before the host of the base URL. An address without a name keeps its host. */
export function tenantUrl(baseUrl: string, subdomain: string): string {
  const url = new URL(baseUrl);
  const numeric = /^[\d.]+$/.test(url.hostname) || url.hostname.startsWith("[");
  if (!numeric) url.hostname = `${subdomain}.${url.hostname}`;
  return url.toString().replace(/\/$/, "");
}
