/** A DNS label from an organisation's name. `suffix` distinguishes equal names. */
export function subdomainFrom(organization: string, suffix: string): string {
  const label = organization
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 40);
  return `${label || "tenant"}-${suffix}`;
}
