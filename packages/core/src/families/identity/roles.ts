/** Every permission an operation or a transition can ask for, and what it lets one do. */
export const PERMISSIONS = {
  "user:read": "See users of the tenant",
  "user:write": "Create, change, disable and remove users",
  "ai-asset:read": "See AI assets, their histories and findings",
  "ai-asset:write": "Register and change AI assets",
  "ai-asset:delete": "Delete AI assets",
  "ai-asset:lifecycle": "Move the lifecycle of AI assets; owners may deprecate and retire their own",
  "ai-asset:promote": "Take any AI asset towards production and back",
  "ai-asset:retire": "Deprecate and retire any AI asset",
  "ai-asset:restore": "Bring a retired AI asset back",
  "ai-governance:review": "Ask for review of an AI asset, and take it back",
  "ai-governance:approve": "Approve, reject and reinstate AI assets",
  "ai-governance:suspend": "Suspend AI assets",
  "ai-activity:read": "See the activity stream",
  "ai-audit:verify": "Verify the event chain",
  "support:sql": "Ask questions in SQL across tenants; the provider's people only",
} as const;

export type Permission = keyof typeof PERMISSIONS;

const isTenants = (permission: Permission) => !permission.startsWith("support:");
const ALL = (Object.keys(PERMISSIONS) as Permission[]).filter(isTenants);
const READ = ALL.filter((permission) => permission.endsWith(":read"));

/** The built-in roles, as sets of permissions. No tenant's owner holds what `provider_admin` does, so none can grant it. */
export const ROLES = {
  owner: ALL,
  admin: ALL,
  governance_officer: [
    ...READ,
    "ai-asset:lifecycle",
    "ai-asset:promote",
    "ai-asset:retire",
    "ai-governance:review",
    "ai-governance:approve",
    "ai-governance:suspend",
    "ai-audit:verify",
  ],
  approver: [
    ...READ.filter((permission) => permission !== "user:read"),
    "ai-governance:review",
    "ai-governance:approve",
  ],
  operator: [
    ...READ.filter((permission) => permission !== "user:read"),
    "ai-asset:write",
    "ai-asset:delete",
    "ai-asset:lifecycle",
    "ai-asset:promote",
    "ai-asset:retire",
    "ai-governance:review",
  ],
  auditor: [...READ, "ai-audit:verify"],
  member: ["ai-asset:read", "ai-asset:write", "ai-asset:lifecycle", "ai-governance:review", "ai-activity:read"],
  provider_admin: ["support:sql"],
} as const satisfies Record<string, readonly Permission[]>;

export type Role = keyof typeof ROLES;

export const ROLE_NAMES = Object.keys(ROLES) as [Role, ...Role[]];

const combined = new Map<string, ReadonlySet<string>>();

/** The permissions of these roles together. Unknown roles hold none. */
export function permissionsOf(roles: readonly string[]): ReadonlySet<string> {
  const key = roles.join(" ");
  let permissions = combined.get(key);
  if (!permissions) {
    permissions = new Set(roles.flatMap((role) => (Object.hasOwn(ROLES, role) ? ROLES[role as Role] : [])));
    if (combined.size < 1_000) combined.set(key, permissions);
  }
  return permissions;
}
