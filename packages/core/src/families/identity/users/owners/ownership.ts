/** Roles whose holders can put everything else in order: of a tenant's own, and of the provider's. */
const OWNERSHIP: readonly string[] = ["owner", "provider_admin"];

/** Whether this user counts as a working owner, of which a tenant keeps at least one. */
export function isWorkingOwner(user: { readonly status: string; readonly roles: readonly string[] }): boolean {
  return user.status === "active" && user.roles.some((role) => OWNERSHIP.includes(role));
}
