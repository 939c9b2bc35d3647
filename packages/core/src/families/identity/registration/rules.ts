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
