import { defineExtensionPoint, type Extension, type ExtensionPoint, extend } from "../kernel/config/extension.js";

/** The built-in roles of a tenant, and what each is for. */
export const TENANT_ROLE_DESCRIPTIONS = {
  owner: "Everything in the tenant, and the only one who makes other owners",
  admin: "Everything in the tenant but owners",
  governance_officer: "Reviews, approves and suspends; reads all",
  approver: "Approves what others ask for",
  operator: "Runs the estate: registers, changes and moves assets",
  auditor: "Reads everything, writes nothing",
  member: "Registers and changes assets",
} as const;

/** The roles of the provider's own people. They reach no data of other tenants but through the support operations. */
export const PROVIDER_ROLE_DESCRIPTIONS = {
  provider_admin: "Runs the service for all tenants; in the provider's own tenant only",
  provider_support: "Looks, for the provider, and changes nothing; in the provider's own tenant only",
} as const;

export type TenantRole = keyof typeof TENANT_ROLE_DESCRIPTIONS;
export type ProviderRole = keyof typeof PROVIDER_ROLE_DESCRIPTIONS;
export type Role = TenantRole | ProviderRole;

/** The roles that read nearly everything. */
export const READERS = ["governance_officer", "approver", "operator", "auditor"] as const satisfies readonly Role[];

/** One permission, as the resource declares it that asks for it. */
export interface Permission {
  /** What it lets one do. */
  readonly lets: string;
  /** The built-in roles that hold it, beside those that hold all of a tenant or all of the provider's. */
  readonly heldBy: readonly Exclude<Role, "owner" | "admin">[];
  /** It is a decision or power of people: no machine client can be granted it. */
  readonly peopleOnly?: true;
}

export type Permissions = Readonly<Record<string, Permission>>;

/** Every permission that an operation or a transition can ask for; each resource declares its own. */
export const declaredPermissions: ExtensionPoint<Permissions> = defineExtensionPoint<Permissions>("permissions");

/** Permissions as a resource declares them; their names are known to the compiler. */
export interface PermissionSet<Name extends string> extends Extension {
  readonly part: Readonly<Record<Name, Permission>>;
}

/** The names of declared permissions. */
export type NameOf<Set> = Set extends PermissionSet<infer Name> ? Name : never;

/** Declares permissions of a resource; its area lists them among what it extends. */
export function definePermissions<const Name extends string>(
  permissions: Readonly<Record<Name, Permission>>,
): PermissionSet<Name> {
  return extend<Permissions, typeof permissions>(declaredPermissions, permissions);
}
