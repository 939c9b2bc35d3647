import { defineExtensionPoint, type ExtensionPoint } from "../kernel/config/extension.js";

/** The built-in roles of a tenant, and their purposes. */
export const TENANT_ROLE_DESCRIPTIONS = {
  owner: "Everything in the tenant, and the only one who makes other owners",
  admin: "Everything in the tenant but owners",
  governance_officer: "Reviews, approves and suspends; reads all",
  approver: "Approves what others ask for",
  operator: "Runs the estate: registers, changes and moves assets",
  auditor: "Reads everything, writes nothing",
  member: "Registers and changes assets",
} as const;

/** The roles of the provider's own people. They reach data of other tenants through support operations only. */
export const PROVIDER_ROLE_DESCRIPTIONS = {
  provider_admin: "Runs the service for all tenants; in the provider's own tenant only",
  provider_support: "Looks, for the provider, and changes nothing; in the provider's own tenant only",
} as const;

export type TenantRole = keyof typeof TENANT_ROLE_DESCRIPTIONS;
export type ProviderRole = keyof typeof PROVIDER_ROLE_DESCRIPTIONS;
export type Role = TenantRole | ProviderRole;

/** The roles that read nearly everything. */
export const READERS = ["governance_officer", "approver", "operator", "auditor"] as const satisfies readonly Role[];

/** One permission, as declared by the resource that requires it. */
export interface Permission {
  /** What it permits. */
  readonly lets: string;
  /** The built-in roles that hold it, besides those that hold every permission of a tenant or of the provider. */
  readonly heldBy: readonly Exclude<Role, "owner" | "admin">[];
  /** A human-only permission: no machine client can be granted it. */
  readonly peopleOnly?: true;
}

export type Permissions = Readonly<Record<string, Permission>>;

/** Extension point: every permission that an operation or a transition can require. */
export const declaredPermissions: ExtensionPoint<Permissions> = defineExtensionPoint<Permissions>("permissions");
