import { defineService } from "../../../kernel/config/environment.js";
import { ReeveError } from "../../../kernel/http/errors.js";
import type { HostRole } from "../../options.js";
import { optionsOf } from "../../options.js";

/** Every permission an operation or a transition can ask for, and what it lets one do. */
export const PERMISSIONS = {
  "user:read": "See users of the tenant",
  "user:write": "Create, change, disable and remove users",
  "tenant-domain:read": "See the tenant's subdomain and alias",
  "tenant-domain:write": "Change the tenant's subdomain, claim and release its alias",
  "ai-asset:read": "See AI assets, their histories and findings",
  "ai-asset:write": "Register and change AI assets",
  "ai-asset:delete": "Delete AI assets",
  "ai-asset:lifecycle": "Move the lifecycle of AI assets; owners may deprecate and retire their own",
  "ai-asset:promote": "Take any AI asset towards production and back",
  "ai-asset:retire": "Deprecate and retire any AI asset",
  "ai-asset:restore": "Bring a retired AI asset back",
  "ai-agent:read": "See AI agents",
  "ai-agent:write": "Register and change AI agents",
  "ai-agent:delete": "Delete AI agents and their assets",
  "ai-tool:read": "See AI tools",
  "ai-tool:write": "Register and change AI tools",
  "ai-tool:delete": "Delete AI tools and their assets",
  "ai-tool:approve": "Approve, block and unblock tools, and say what their effects are",
  "ai-identity:read": "See AI identities and what is known of their credentials",
  "ai-identity:write": "Register, change, disable and revoke AI identities",
  "ai-identity:delete": "Delete AI identities and their assets",
  "ai-identity:credential": "Issue, rotate and revoke credentials of AI identities",
  "ai-model:read": "See AI models",
  "ai-model:write": "Register and change AI models",
  "ai-model:delete": "Delete AI models and their assets",
  "mcp-server:read": "See MCP servers",
  "mcp-server:write": "Register and change MCP servers and their credentials",
  "mcp-server:delete": "Delete MCP servers and their assets",
  "mcp-server:scan": "Have MCP servers probed and scanned",
  "ai-governance:review": "Ask for review of an AI asset, and take it back",
  "ai-governance:approve": "Approve, reject and reinstate AI assets",
  "ai-governance:suspend": "Suspend AI assets",
  "ai-policy:read": "See policies, check and test them",
  "ai-policy:write": "Write and change policies, install packs of them",
  "ai-policy:delete": "Delete policies that are drafts or archived",
  "ai-policy:activate": "Put policies under observation, in force and out of it",
  "ai-evaluation:read": "See evaluation runs",
  "ai-evaluation:run": "Run evaluations, and stop them",
  "ai-finding:read": "See findings and what was decided about them",
  "ai-finding:review": "Acknowledge, assign, work on, reopen and comment on findings",
  "ai-finding:dismiss": "Dismiss findings and override their severity",
  "ai-exemption:read": "See exemptions",
  "ai-exemption:request": "Ask for exemptions, and take requests back",
  "ai-exemption:approve": "Approve and reject exemptions that others ask for",
  "ai-exemption:revoke": "Revoke approved exemptions",
  "ai-exemption:broad": "Ask for and approve exemptions for all assets that a selector takes in",
  "ai-decision:evaluate": "Ask whether somebody may do something, and use approvals for it",
  "ai-approval:read": "See requests for approval of single actions",
  "ai-approval:decide": "Approve and reject single actions of others",
  "ai-session:read": "See sessions of agents",
  "ai-session:write": "Start sessions, change and complete them; machines their own only",
  "ai-session:delete": "Delete sessions that have ended",
  "ai-session:report": "Report heartbeats and usage of sessions",
  "ai-session:enforce": "Acknowledge, as an enforcement point, what was decided about a session",
  "ai-session:suspend": "Suspend sessions",
  "ai-session:resume": "Resume suspended sessions",
  "ai-session:terminate": "Terminate sessions; machines their own only",
  "ai-compliance:read": "See frameworks, assessments of their controls, posture and reports",
  "ai-compliance:assess": "Assess controls of frameworks and say where evidence is",
  "ai-compliance:attest": "Attest what others have assessed, exempt and exclude controls",
  "ai-compliance:frameworks": "Upload, replace and delete frameworks of the tenant's own",
  "ai-overview:read": "See the overview: of each block what one may see anyway",
  "ai-activity:read": "See the activity stream",
  "ai-audit:verify": "Verify the event chain and see its checkpoints",
  "ai-audit:export": "Export events with a content hash",
  "ai-audit:erase": "Erase the data of events for good",
  "support:read": "See tenants, their users and entitlements, settings and kill switches",
  "support:config": "Change settings of the platform",
  "support:kill-switches": "Engage and release kill switches",
  "support:tenants": "Suspend, reactivate and close tenants",
  "support:entitlements": "Grant and revoke capabilities, limits and features",
  "support:sql": "Ask questions in SQL across tenants",
  "support:users": "Disable and enable users of tenants, and reset their passwords",
} as const;

export type Permission = keyof typeof PERMISSIONS;

const SUPPORT = (Object.keys(PERMISSIONS) as Permission[]).filter(isSupport);
const ALL = (Object.keys(PERMISSIONS) as Permission[]).filter((permission) => !isSupport(permission));

/** Decisions and powers of people: no machine client can be granted them. */
export const HUMAN_ONLY: ReadonlySet<string> = new Set<Permission>([
  "user:write",
  "ai-asset:restore",
  "ai-identity:credential",
  "ai-tool:approve",
  "ai-governance:approve",
  "ai-policy:activate",
  "ai-finding:dismiss",
  "ai-exemption:request",
  "ai-exemption:approve",
  "ai-exemption:revoke",
  "ai-exemption:broad",
  "ai-approval:decide",
  "ai-session:delete",
  "ai-session:suspend",
  "ai-session:resume",
  "ai-compliance:attest",
  "ai-audit:erase",
  ...SUPPORT,
]);

/** Whether a permission exists and may be given to a machine client. */
export function isGrantable(permission: string): permission is Permission {
  return Object.hasOwn(PERMISSIONS, permission) && !HUMAN_ONLY.has(permission);
}

const READ = ALL.filter((permission) => permission.endsWith(":read"));

/** Whether a permission is one of the provider's people, which no tenant's role may hold. */
export function isSupport(permission: string): boolean {
  return permission.startsWith("support:");
}

type TenantRole = "owner" | "admin" | "governance_officer" | "approver" | "operator" | "auditor" | "member";
type ProviderRole = "provider_admin" | "provider_support";
type RolesOf<Name extends string> = Readonly<Record<Name, readonly Permission[]>>;

/** The built-in roles of a tenant, as sets of permissions. */
export const TENANT_ROLES: RolesOf<TenantRole> = {
  owner: ALL,
  admin: ALL,
  governance_officer: [
    ...READ,
    "ai-asset:lifecycle",
    "ai-asset:promote",
    "ai-asset:retire",
    "ai-tool:approve",
    "mcp-server:scan",
    "ai-governance:review",
    "ai-governance:approve",
    "ai-governance:suspend",
    "ai-policy:write",
    "ai-policy:delete",
    "ai-policy:activate",
    "ai-evaluation:run",
    "ai-finding:review",
    "ai-finding:dismiss",
    "ai-exemption:request",
    "ai-exemption:approve",
    "ai-exemption:revoke",
    "ai-exemption:broad",
    "ai-decision:evaluate",
    "ai-approval:decide",
    "ai-session:suspend",
    "ai-session:resume",
    "ai-session:terminate",
    "ai-compliance:assess",
    "ai-compliance:attest",
    "ai-compliance:frameworks",
    "ai-audit:verify",
    "ai-audit:export",
  ],
  approver: [
    ...READ.filter((permission) => permission !== "user:read"),
    "ai-tool:approve",
    "mcp-server:scan",
    "ai-governance:review",
    "ai-governance:approve",
    "ai-finding:review",
    "ai-finding:dismiss",
    "ai-exemption:approve",
    "ai-exemption:revoke",
    "ai-approval:decide",
    "ai-compliance:assess",
    "ai-compliance:attest",
  ],
  operator: [
    ...READ.filter((permission) => permission !== "user:read"),
    "ai-asset:write",
    "ai-asset:delete",
    "ai-asset:lifecycle",
    "ai-asset:promote",
    "ai-asset:retire",
    "ai-agent:write",
    "ai-agent:delete",
    "ai-tool:write",
    "ai-tool:delete",
    "ai-identity:write",
    "ai-identity:delete",
    "ai-identity:credential",
    "ai-model:write",
    "ai-model:delete",
    "mcp-server:write",
    "mcp-server:delete",
    "mcp-server:scan",
    "ai-governance:review",
    "ai-evaluation:run",
    "ai-finding:review",
    "ai-exemption:request",
    "ai-decision:evaluate",
    "ai-session:write",
    "ai-session:delete",
    "ai-session:report",
    "ai-session:enforce",
    "ai-session:suspend",
    "ai-session:resume",
    "ai-session:terminate",
    "ai-compliance:assess",
  ],
  auditor: [...READ, "ai-audit:verify", "ai-audit:export"],
  member: [
    "ai-asset:read",
    "ai-asset:write",
    "ai-asset:lifecycle",
    "ai-agent:read",
    "ai-agent:write",
    "ai-tool:read",
    "ai-tool:write",
    "ai-identity:read",
    "ai-model:read",
    "ai-model:write",
    "mcp-server:read",
    "ai-governance:review",
    "ai-policy:read",
    "ai-evaluation:read",
    "ai-finding:read",
    "ai-exemption:read",
    "ai-session:read",
    "ai-compliance:read",
    "ai-overview:read",
    "ai-activity:read",
  ],
};

/** The roles of the provider's own people. They reach no data of other tenants but through the support operations. */
export const PROVIDER_ROLES: RolesOf<ProviderRole> = {
  provider_admin: [...SUPPORT, "user:read", "user:write", "ai-activity:read", "ai-audit:verify"],
  provider_support: ["support:read"],
};

/** Every built-in role. */
export const ROLES: RolesOf<Role> = { ...TENANT_ROLES, ...PROVIDER_ROLES };

/** What a built-in role is for. */
export const ROLE_DESCRIPTIONS: Readonly<Record<Role, string>> = {
  owner: "Everything in the tenant, and the only one who makes other owners",
  admin: "Everything in the tenant but owners",
  governance_officer: "Reviews, approves and suspends; reads all",
  approver: "Approves what others ask for",
  operator: "Runs the estate: registers, changes and moves assets",
  auditor: "Reads everything, writes nothing",
  member: "Registers and changes assets",
  provider_admin: "Runs the service for all tenants; in the provider's own tenant only",
  provider_support: "Looks, for the provider, and changes nothing; in the provider's own tenant only",
};

export type Role = TenantRole | ProviderRole;

/** The permissions of these built-in roles together. Unknown roles hold none. */
export function permissionsOf(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((role) => (Object.hasOwn(ROLES, role) ? ROLES[role as Role] : [])));
}

/** Roles as this control plane knows them: the built-in ones and the host's own. */
export class RoleBook {
  readonly #permissions: ReadonlyMap<string, readonly string[]>;
  readonly #combined = new Map<string, ReadonlySet<string>>();

  constructor(own: Readonly<Record<string, HostRole>>) {
    for (const [name, { permissions }] of Object.entries(own)) refuseUnsound(name, permissions);
    this.#permissions = new Map<string, readonly string[]>([
      ...Object.entries(ROLES),
      ...Object.entries(own).map(([name, { permissions }]) => [name, permissions] as const),
    ]);
  }

  has(role: string): boolean {
    return this.#permissions.has(role);
  }

  /** The permissions of these roles together. Unknown roles hold none. */
  permissionsOf(names: readonly string[]): ReadonlySet<string> {
    const key = names.join(" ");
    let permissions = this.#combined.get(key);
    if (!permissions) {
      permissions = new Set(names.flatMap((role) => this.#permissions.get(role) ?? []));
      if (this.#combined.size < 1_000) this.#combined.set(key, permissions);
    }
    return permissions;
  }
}

function refuseUnsound(name: string, permissions: readonly string[]): void {
  const refuse = (why: string) => new ReeveError("invalid_request", `Option roles.${name} ${why}.`);
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) throw refuse("must be named with a-z, 0-9 and _, a letter first");
  if (Object.hasOwn(ROLES, name)) throw refuse("is the name of a built-in role");
  for (const permission of permissions) {
    if (!Object.hasOwn(PERMISSIONS, permission)) throw refuse(`has an unknown permission "${permission}"`);
    if (isSupport(permission)) throw refuse(`cannot hold "${permission}", which only provider roles do`);
  }
}

/** The roles of this control plane. Made at start, when a role of the host's that cannot work is refused, naming the option. */
export const roles = defineService("identity.roles", (env) => new RoleBook(optionsOf(env).roles));
