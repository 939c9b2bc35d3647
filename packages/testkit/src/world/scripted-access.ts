import {
  type Connector,
  defineConnector,
  type GrantSpec,
  type Manifest,
  type McpEndpoint,
  type ObservedCredential,
  type ObservedGrant,
  type ObservedProfile,
  type ObservedResource,
  type Page,
  type PageRequest,
  type Principal,
  pageOf,
  type ToolCall,
  type ToolSpec,
  type UsageEvent,
} from "@reeve/core/connectors";
import { z } from "zod";

/** Methods that a script sees. */
export type AccessMethod =
  | "testConnection"
  | "listResources"
  | "listAccessProfiles"
  | "listGrants"
  | "grant"
  | "revoke"
  | "verify"
  | "findPrincipal"
  | "listUsage"
  | "listCredentials"
  | "executeTool";

/** Runs in a call, before the target does it or after, and may throw. */
type Script = (method: AccessMethod, phase: "before" | "after", spec: GrantSpec | undefined) => void;

/** One account of the system. */
export interface AccessAccount {
  readonly name: string;
  resources: readonly ObservedResource[];
  profiles: readonly ObservedProfile[];
  /** Grants that are there, by what they are and not by who asked for them. */
  readonly held: Map<string, GrantSpec>;
  readonly calls: AccessMethod[];
  /** Tools that were run. */
  readonly ran: ToolCall[];
  /** What its tools give, in the place of the usual. */
  output?: unknown;
  /** Why its tools refuse whatever they are asked. */
  refusal?: { readonly code: string; readonly message: string } | undefined;
  /** The MCP server that says in each call of a tool that it offers other things now. */
  changed?: McpEndpoint | undefined;
  /** What was done with access, in the order of its listing. */
  uses: UsageEvent[];
  /** What principals sign in with, in the order of its listing. */
  credentials: ObservedCredential[];
  /** Whom it knows; a connector that finds principals is asked for them. */
  principals: Principal[];
  /** Items of a page. */
  pageSize: number;
  /** Listings leave something out. */
  incomplete: boolean;
  /** A listing that leads back to its first page after so many pages. */
  circle: { readonly of: AccessMethod; readonly pages: number } | undefined;
  script: Script | undefined;
  /** What listings say of a grant beside what it is. */
  shows: ((spec: GrantSpec) => Partial<ObservedGrant>) | undefined;
}

interface More {
  readonly credentials?: boolean;
  readonly principals?: boolean;
}

const grantableTo = ["service_account", "agent"] as const;

const text = { type: "string", maxLength: 100_000 };

const toolOf = (name: string, required: readonly string[], more: Partial<ToolSpec>): ToolSpec => ({
  name,
  description: `What ${name} does.`,
  inputSchema: {
    type: "object",
    properties: Object.fromEntries([...required, "ref"].map((one) => [one, text])),
    required,
    additionalProperties: false,
  },
  effect: "read",
  idempotent: true,
  requiresProfiles: ["read", "write"],
  ...more,
});

/** The tools of the system: one that reads and one that writes. */
export const SCRIPTED_TOOLS: readonly ToolSpec[] = [
  toolOf("read_note", ["repository", "path"], {}),
  toolOf("write_note", ["repository", "branch", "path", "note"], {
    ...{ effect: "write", idempotent: false, requiresProfiles: ["write"], supportsDryRun: true },
  }),
];

/** What the same access has in common. */
const keyOf = ({ resource, profileExternalId, principal, parameters }: GrantSpec) =>
  JSON.stringify([resource.type, resource.externalId, profileExternalId, principal.externalId, parameters]);

/** A repository of an account. */
export const repository = (externalId: string, more: Partial<ObservedResource> = {}): ObservedResource => ({
  type: "repository",
  externalId,
  name: `Repository ${externalId}`,
  ...more,
});

/** A kind of access to every repository. */
export const repositoryProfile = (externalId: string, more: Partial<ObservedProfile> = {}): ObservedProfile => ({
  externalId,
  resourceType: "repository",
  name: `Role ${externalId}`,
  permissions: [`${externalId}:repository`],
  privilegeLevel: 1,
  grantableTo,
  ...more,
});

/** A connector to a system in memory that access is granted in: tests set what an account has, and what goes wrong. */
export class ScriptedAccess {
  static readonly providerKey = "scripted-access";
  readonly #accounts = new Map<string, AccessAccount>();
  readonly connector: Connector;

  /** Tools, which tests change to see what happens. */
  tools: ToolSpec[] = [...SCRIPTED_TOOLS];

  /** With `usage` it tells how access is used, with `credentials` what principals sign in with, with `principals` who is there. */
  constructor(usage?: Manifest["usage"], more: More = {}) {
    this.connector = this.#define(usage, more);
  }

  readonly #define = (usage: Manifest["usage"], { credentials = false, principals = false }: More): Connector =>
    defineConnector({
      manifest: {
        providerKey: ScriptedAccess.providerKey,
        interfaceVersion: 1,
        version: "1.0.0",
        displayName: "Scripted access",
        category: "code",
        description: "Grants what a test tells it to grant.",
        capabilities: [
          ...(["test", "resources", "profiles", "observe", "grant", "revoke", "verify", "tools"] as const),
          ...(usage ? (["usage"] as const) : []),
          ...(credentials ? (["credentials"] as const) : []),
          ...(principals ? (["principals"] as const) : []),
        ],
        resourceTypes: [
          {
            type: "repository",
            displayName: "Repository",
            idStability: "immutable",
            profileSource: "static",
            grantableTo,
          },
          {
            type: "database",
            displayName: "Database",
            idStability: "immutable",
            profileSource: "per_resource",
            grantableTo,
          },
        ],
        tools: this.tools,
        expiry: "managed",
        ...(usage ? { usage } : {}),
      },
      configuration: z.object({ account: z.string().min(1).max(200) }),
      testConnection: async ({ config }) => {
        this.#called(config.account, "testConnection", "before", undefined);
        return { checks: [], target: { id: config.account, name: config.account } };
      },
      listResources: async ({ config }, type, page) => {
        const account = this.#called(config.account, "listResources", "before", undefined);
        const all = account.resources.filter((one) => one.type === type);
        return listed(account, "listResources", all, page);
      },
      listAccessProfiles: async ({ config }, { resourceType, resource }, page) => {
        const account = this.#called(config.account, "listAccessProfiles", "before", undefined);
        const all = account.profiles.filter((one) => one.resourceType === resourceType);
        const fitting = resource ? all.filter((one) => one.resource?.externalId === resource.externalId) : all;
        return listed({ ...account, incomplete: false }, "listAccessProfiles", fitting, page);
      },
      listGrants: async ({ config }, _query, page) => {
        const account = this.#called(config.account, "listGrants", "before", undefined);
        const all = [...account.held.values()].map((spec) => ({ ...observed(spec), ...account.shows?.(spec) }));
        return listed(account, "listGrants", all, page);
      },
      grant: async ({ config }, spec) => {
        const { held } = this.#called(config.account, "grant", "before", spec);
        const known = held.has(keyOf(spec));
        held.set(keyOf(spec), spec);
        this.#called(config.account, "grant", "after", spec);
        return { outcome: known ? "already_applied" : "applied" };
      },
      revoke: async ({ config }, spec) => {
        const { held } = this.#called(config.account, "revoke", "before", spec);
        const known = held.delete(keyOf(spec));
        this.#called(config.account, "revoke", "after", spec);
        return { outcome: known ? "applied" : "already_applied" };
      },
      verify: async ({ config }, spec) => {
        const { held } = this.#called(config.account, "verify", "before", spec);
        return { presence: held.has(keyOf(spec)) ? "present" : "absent", authoritative: true };
      },
      executeTool: async ({ config }, call) => {
        const account = this.#called(config.account, "executeTool", "before", undefined);
        if (!call.dryRun) account.ran.push(call);
        this.#called(config.account, "executeTool", "after", undefined);
        if (account.refusal) return { ok: false, ...account.refusal };
        if (call.args.path === "missing") return { ok: false, code: "not_found", message: "There is no such note." };
        const { output = { tool: call.tool, path: call.args.path, dryRun: call.dryRun } } = account;
        return { ok: true, output, ...(account.changed ? { changed: account.changed } : {}) };
      },
      ...(usage ? { listUsage: this.#listUsage } : {}),
      ...(credentials ? { listCredentials: this.#listCredentials } : {}),
      ...(principals ? { findPrincipal: this.#findPrincipal } : {}),
    });

  readonly #findPrincipal: NonNullable<Connector["findPrincipal"]> = async ({ config }, { named }) => {
    const { principals } = this.#called(config.account, "findPrincipal", "before", undefined);
    const found = principals.filter(({ externalId, displayName }) => externalId === named || displayName === named);
    const [principal, another] = found;
    if (another) return { outcome: "ambiguous", candidates: found };
    if (principal) return { outcome: "found", principal };
    return principals.length > 0 ? { outcome: "absent", candidates: principals } : { outcome: "unknown" };
  };

  readonly #listCredentials: NonNullable<Connector["listCredentials"]> = async ({ config }, { principals }, page) => {
    const account = this.#called(config.account, "listCredentials", "before", undefined);
    const asked = new Set(principals.map(({ externalId }) => externalId));
    const all = account.credentials.filter(({ principal }) => asked.has(principal.externalId));
    return listed(account, "listCredentials", all, page);
  };

  readonly #listUsage: NonNullable<Connector["listUsage"]> = async ({ config }, { since, until }, page) => {
    const account = this.#called(config.account, "listUsage", "before", undefined);
    const uses = account.uses.filter(({ at }) => !(at < since) && !(at > until));
    this.#called(config.account, "listUsage", "after", undefined);
    return listed(account, "listUsage", uses, page);
  };

  /** An account, which is empty at first. */
  account(name: string): AccessAccount {
    const known = this.#accounts.get(name);
    if (known) return known;
    const account = {
      name,
      ...{ resources: [], profiles: [], held: new Map(), calls: [], ran: [], uses: [] },
      ...{ credentials: [], principals: [], pageSize: 200 },
      ...{ incomplete: false, circle: undefined, script: undefined, shows: undefined },
    };
    this.#accounts.set(name, account);
    return account;
  }

  #called(name: string, method: AccessMethod, phase: "before" | "after", spec: GrantSpec | undefined): AccessAccount {
    const account = this.account(name);
    if (phase === "before") account.calls.push(method);
    account.script?.(method, phase, spec);
    return account;
  }
}

/** A page of a listing, as the account gives it. */
function listed<T>(
  { pageSize, incomplete, circle }: AccessAccount,
  method: AccessMethod,
  all: readonly T[],
  page: PageRequest,
): Page<T> {
  const given = pageOf(all, { ...page, limit: Math.min(page.limit, pageSize) });
  if (circle?.of === method) {
    const next = (Number(page.cursor ?? 0) + 1) % circle.pages;
    return { items: given.items, nextCursor: String(next), complete: false };
  }
  return incomplete ? { ...given, complete: false } : given;
}

const observed = ({ resource, profileExternalId, principal, parameters }: GrantSpec): ObservedGrant => ({
  ...{ resource, profileExternalId, principal, parameters },
  source: "direct",
});
