/** Roles that can manage everything else, of a tenant and of the provider. */
const OWNERSHIP: readonly string[] = ["owner", "provider_admin"];

/** Whether this user counts as an active owner. A tenant needs at least one. */
export function isWorkingOwner(user: { readonly status: string; readonly roles: readonly string[] }): boolean {
  return user.status === "active" && user.roles.some((role) => OWNERSHIP.includes(role));
}
