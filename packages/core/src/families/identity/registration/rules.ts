/** Names a tenant cannot take: hosts of the platform itself, and what people mistake for them. */
const RESERVED = new Set(
  "www api app apex admin auth login mail smtp docs status support help static cdn platform provider reeve localhost".split(
    " ",
  ),
);

export function isReserved(subdomain: string): boolean {
  return RESERVED.has(subdomain) || subdomain.startsWith("xn--");
}

/** A DNS label out of an organisation's name; `suffix` keeps it apart from others of the same name. */
export function subdomainFrom(organization: string, suffix: string): string {
  const label = organization
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 40);
  return `${label || "tenant"}-${suffix}`;
}

/** The address of a tenant's console: its subdomain before the host of the base URL. An address without a name keeps its host. */
export function tenantUrl(baseUrl: string, subdomain: string): string {
  const url = new URL(baseUrl);
  const numeric = /^[\d.]+$/.test(url.hostname) || url.hostname.startsWith("[");
  if (!numeric) url.hostname = `${subdomain}.${url.hostname}`;
  return url.toString().replace(/\/$/, "");
}
