import type { HostRole } from "#families/options.js";
import { optionsOf } from "#families/options.js";
import {
  declaredPermissions,
  type Permissions,
  PROVIDER_ROLE_DESCRIPTIONS,
  type Role,
  TENANT_ROLE_DESCRIPTIONS,
} from "#families/roles.js";
import { defineService } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";

export type RolesOf<Name extends string> = Readonly<Record<Name, readonly string[]>>;

/** Whether a permission is the provider's. No role of a tenant may hold it. */
function isSupport(permission: string): boolean {
  return permission.startsWith("support:");
}

/** Whether a role exists in the provider's own tenant only. */
export function isProviderRole(role: string): boolean {
  return Object.hasOwn(PROVIDER_ROLE_DESCRIPTIONS, role);
}

/** All roles of a control plane: built-in ones and the host's, with their permissions. */
export class RoleBook {
  /** Every permission, by name. */
  readonly permissions: Permissions;
  /** The permissions of each built-in role. */
  readonly builtIn: RolesOf<Role>;
  /** Permissions that no machine client can be granted. */
  readonly humanOnly: ReadonlySet<string>;
  readonly #permissions: ReadonlyMap<string, readonly string[]>;
  readonly #own: Readonly<Record<string, HostRole>>;
  readonly #combined = new Map<string, ReadonlySet<string>>();

  /** Throws for an invalid role of the host, and names the option. */
  constructor(own: Readonly<Record<string, HostRole>>, declared: readonly Permissions[]) {
    this.#own = own;
    this.permissions = joined(declared);
    this.builtIn = rolesWith(this.permissions);
    this.humanOnly = new Set(
      Object.keys(this.permissions).filter((name) => isSupport(name) || this.permissions[name]?.peopleOnly),
    );
    for (const [name, { permissions }] of Object.entries(own)) this.#refuseUnsound(name, permissions);
    this.#permissions = new Map<string, readonly string[]>([
      ...Object.entries(this.builtIn),
      ...Object.entries(own).map(([name, { permissions }]) => [name, permissions] as const),
    ]);
  }

  has(role: string): boolean {
    return this.#permissions.has(role);
  }

  /** Whether the permission exists. */
  knows(permission: string): boolean {
    return Object.hasOwn(this.permissions, permission);
  }

  /** Whether a permission exists and a machine client may be granted it. */
  isGrantable(permission: string): boolean {
    return this.knows(permission) && !this.humanOnly.has(permission);
  }

  /** The union of the permissions of these roles. Unknown roles hold none. */
  permissionsOf(names: readonly string[]): ReadonlySet<string> {
    const known = names.filter((name) => this.has(name));
    const key = JSON.stringify(known);
    let permissions = this.#combined.get(key);
    if (!permissions) {
      permissions = new Set(known.flatMap((role) => this.#permissions.get(role) ?? []));
      if (this.#combined.size < 1_000) this.#combined.set(key, permissions);
    }
    return permissions;
  }

  /** The roles that people of a tenant can have, built-in ones first. Those of the provider are in its own tenant only. */
  rolesOf(provider: boolean): { name: string; description: string; builtIn: boolean; permissions: string[] }[] {
    const builtIn = { ...TENANT_ROLE_DESCRIPTIONS, ...(provider ? PROVIDER_ROLE_DESCRIPTIONS : {}) };
    const described = [
      ...Object.entries(builtIn).map(([name, description]) => ({ name, description, builtIn: true })),
      ...Object.entries(this.#own).map(([name, { description }]) => ({ name, description, builtIn: false })),
    ];
    return described.map((role) => ({ ...role, permissions: [...this.permissionsOf([role.name])].sort() }));
  }

  /** The roles that hold a permission. */
  holdersOf(permission: string): string[] {
    return [...this.#permissions].flatMap(([role, held]) => (held.includes(permission) ? [role] : []));
  }

  #refuseUnsound(name: string, permissions: readonly string[]): void {
    const refuse = (why: string) => new ReeveError("invalid_request", `roles.${name} ${why}`);
    if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) throw refuse("must be named with a-z, 0-9 and _, a letter first");
    if (Object.hasOwn(this.builtIn, name)) throw refuse("is the name of a built-in role");
    for (const permission of permissions) {
      if (!this.knows(permission)) throw refuse(`has an unknown permission "${permission}"`);
      if (isSupport(permission)) throw refuse(`cannot hold "${permission}", which only provider roles do`);
    }
  }
}

/** The permissions of all resources as one. Throws when two declare the same. */
function joined(declared: readonly Permissions[]): Permissions {
  const entries = declared.flatMap((permissions) => Object.entries(permissions));
  const all = new Map(entries);
  if (all.size < entries.length) throw new Error("Two resources declare the same permission.");
  return Object.freeze(Object.fromEntries(all));
}

/**
 * The built-in roles. Owner and admin hold every permission of a tenant, the provider's administrator every one of
 * support.
 */
function rolesWith(permissions: Permissions): RolesOf<Role> {
  const names = Object.keys(permissions);
  const heldBy = (role: Role) =>
    names.filter((name) => (permissions[name]?.heldBy as readonly Role[] | undefined)?.includes(role));
  const ofTenant = names.filter((name) => !isSupport(name));
  const roles = Object.keys({ ...TENANT_ROLE_DESCRIPTIONS, ...PROVIDER_ROLE_DESCRIPTIONS }) as Role[];
  const held = Object.fromEntries(roles.map((role) => [role, heldBy(role)] as const)) as Record<Role, string[]>;
  return {
    ...held,
    owner: ofTenant,
    admin: ofTenant,
    provider_admin: [...names.filter(isSupport), ...heldBy("provider_admin")],
  };
}

/** The roles of this control plane, created at start, so that an invalid role of the host fails there. */
export const roles = defineService(
  "identity.roles",
  (env) => new RoleBook(optionsOf(env).roles, env.use(declaredPermissions)),
);
