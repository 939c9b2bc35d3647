import { builtInRoles } from "../families/index.js";
import {
  PROVIDER_ROLE_DESCRIPTIONS,
  type ProviderRole,
  type Role,
  TENANT_ROLE_DESCRIPTIONS,
  type TenantRole,
} from "../families/roles.js";

type RolesOf<Name extends string> = Readonly<Record<Name, readonly string[]>>;

/** Every permission of operations and transitions, with what it allows. */
export const PERMISSIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(builtInRoles.permissions).map(([name, { lets }]) => [name, lets]),
);

/** Human-only permissions: no machine client can be granted them. */
export const HUMAN_ONLY: ReadonlySet<string> = builtInRoles.humanOnly;

/** Every built-in role, with its permissions. */
export const ROLES: RolesOf<Role> = builtInRoles.builtIn;

/** The built-in roles of a tenant. */
export const TENANT_ROLES = only<TenantRole>(TENANT_ROLE_DESCRIPTIONS);

/** The roles of the provider's people. */
export const PROVIDER_ROLES = only<ProviderRole>(PROVIDER_ROLE_DESCRIPTIONS);

/** What a built-in role is for. */
export const ROLE_DESCRIPTIONS: Readonly<Record<Role, string>> = {
  ...TENANT_ROLE_DESCRIPTIONS,
  ...PROVIDER_ROLE_DESCRIPTIONS,
};

/** The union of these built-in roles' permissions. Unknown roles have none. */
export function permissionsOf(names: readonly string[]): ReadonlySet<string> {
  return builtInRoles.permissionsOf(names);
}

function only<Name extends Role>(names: Readonly<Record<Name, string>>): RolesOf<Name> {
  return Object.fromEntries((Object.keys(names) as Name[]).map((name) => [name, ROLES[name]])) as RolesOf<Name>;
}
