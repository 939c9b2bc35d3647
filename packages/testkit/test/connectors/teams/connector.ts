import {
  type ApplyResult,
  type Connector,
  type ConnectorContext,
  ConnectorError,
  type ConnectorMethods,
  defineConnector,
  errorOfStatus,
  expectOk,
  type GrantSpec,
  type IncompleteReason,
  listingEnd,
  type Manifest,
  type ObservedGrant,
  type Page,
  type PageRequest,
  pageOf,
} from "@reeve/core/connectors";
import { z } from "zod";

const Text = z.string().min(1).max(1_000);
const Named = z.object({ id: Text, name: Text });
const Membership = z.object({ user: Text, role: Text, expiresAt: z.iso.datetime().nullable() });
const Token = z.object({ id: Text, label: Text });
const Use = z.object({ id: Text, user: Text, at: z.iso.datetime() });

const configuration = z.object({ url: z.url() });
const secrets = z.object({ token: z.string() });
const grantableTo = ["user"] as const;

export type Ctx = ConnectorContext<z.output<typeof configuration>, z.output<typeof secrets>>;
export type Methods = ConnectorMethods<Ctx["config"], z.output<typeof secrets>>;

const manifest: Manifest = {
  providerKey: "teams",
  interfaceVersion: 1,
  version: "1.0.0",
  displayName: "Teams",
  category: "other",
  description: "Bots and teams.",
  capabilities: [
    "test",
    "discover",
    "resources",
    "profiles",
    "observe",
    "grant",
    "revoke",
    "modify",
    "verify",
    "principals",
    "usage",
    "credentials",
    "tools",
    "sessions",
  ],
  usage: { granularity: "identity" },
  tools: [
    {
      name: "count_bots",
      description: "Counts bots.",
      inputSchema: { type: "object" },
      effect: "read",
      idempotent: true,
      requiresProfiles: [],
    },
    {
      name: "add_bot",
      description: "Adds a bot.",
      inputSchema: { type: "object" },
      effect: "write",
      idempotent: false,
      requiresProfiles: ["writer"],
      supportsDryRun: true,
    },
  ],
  resourceTypes: [
    { type: "team", displayName: "Team", idStability: "immutable", profileSource: "static", grantableTo },
  ],
  expiry: "native",
};

export async function send(ctx: Ctx, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${await ctx.secret("token")}` };
  return ctx.fetch(`${ctx.config.url}${path}`, { ...init, headers });
}

export async function read<T>(ctx: Ctx, path: string): Promise<T> {
  return (await (await expectOk(await send(ctx, path), "Reading")).json()) as T;
}

interface Part<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** A page of the records that can be read. One in another form is rejected, and takes no other with it. */
export async function part<T>(
  ctx: Ctx,
  path: string,
  schema: z.ZodType<T>,
  { cursor = "0", limit }: PageRequest,
): Promise<Page<T>> {
  const start = Number(cursor);
  const body = await read<Part<unknown>>(ctx, `${path}${path.includes("?") ? "&" : "?"}offset=${start}&limit=${limit}`);
  const { items: all, total } = body;
  const answers = all.map((one) => schema.safeParse(one));
  const items = answers.flatMap(({ data }) => (data === undefined ? [] : [data]));
  const rejected = answers.flatMap(({ success }) => (success ? [] : [ODD]));
  const end = start + all.length;
  if (end < total && all.length > 0) return { items, rejected, nextCursor: String(end), complete: false };
  return { items, rejected, ...listingEnd({ entries: all.length, read: end, asked: limit, body }) };
}

const ODD = { reason: "It has another form than is known." };

/** Bots, which mistaken connectors read by themselves. */
export const bots = (ctx: Ctx, page: PageRequest) => part(ctx, "/bots", Named, page);

export const grantOf = (team: string, { user, role, expiresAt }: z.output<typeof Membership>): ObservedGrant => ({
  resource: { type: "team", externalId: team },
  profileExternalId: role,
  principal: { type: "user", externalId: user },
  expiresAt: expiresAt === null ? null : new Date(expiresAt),
  source: "direct",
});

const memberPath = ({ resource, principal }: GrantSpec) =>
  `/teams/${resource.externalId}/members/${principal.externalId}`;

const missing = async (response: Response) => ((await response.json()) as { missing: string }).missing;

export const methods: Required<Omit<Methods, "pollOperation">> = {
  async testConnection(ctx) {
    const target = await read<{ id: string; name: string }>(ctx, "/org");
    return { checks: [{ id: "org", category: "auth", status: "pass", message: "The token is accepted." }], target };
  },
  async discoverAssets(ctx, page) {
    const { items, ...rest } = await bots(ctx, page);
    return { ...rest, items: items.map(({ id, name }) => ({ externalId: id, assetType: "agent", name })) };
  },
  async listResources(ctx, type, page) {
    const { items, ...rest } = await part(ctx, "/teams", Named, page);
    return { ...rest, items: items.map(({ id, name }) => ({ type, externalId: id, name })) };
  },
  async listAccessProfiles(_ctx, { resourceType }, page) {
    const levels = { reader: 1, writer: 2 } as const;
    const profiles = Object.entries(levels).map(([role, privilegeLevel]) => ({
      externalId: role,
      resourceType,
      name: role,
      permissions: [role],
      privilegeLevel,
      grantableTo,
    }));
    return pageOf(profiles, page);
  },
  async listGrants(ctx, { resource, principals }, { cursor = "0:0", limit }) {
    const [place = "0", offset = "0", before] = cursor.split(":");
    const at = Number(place);
    const teams = await read<Part<unknown>>(ctx, `/teams?offset=${at}&limit=1`);
    const known = (before || null) as IncompleteReason | null;
    if (teams.items.length === 0)
      return { items: [], ...listingEnd({ entries: 0, read: at, body: teams, before: known }) };
    const { data: team } = Named.safeParse(teams.items[0]);
    if (!team) return { items: [], rejected: [ODD], nextCursor: `${at + 1}:0:${before ?? ""}`, complete: false };
    const page = { cursor: offset, limit };
    const { items, rejected, nextCursor, incomplete } = await part(ctx, `/teams/${team.id}/members`, Membership, page);
    const doubt = known ?? incomplete ?? "";
    const wanted = (grant: ObservedGrant) =>
      (resource?.externalId ?? team.id) === team.id &&
      (principals?.some(({ externalId }) => externalId === grant.principal.externalId) ?? true);
    // Whether there is another team is seen by asking for it.
    const next = nextCursor !== undefined ? `${at}:${nextCursor}:${doubt}` : `${at + 1}:0:${doubt}`;
    const grants = items.map((member) => grantOf(team.id, member)).filter(wanted);
    return { items: grants, rejected: rejected ?? [], nextCursor: next, complete: false };
  },
  async grant(ctx, spec) {
    const body = JSON.stringify({ role: spec.profileExternalId, expiresAt: spec.expiresAt ?? undefined });
    const response = await write(ctx, memberPath(spec), { method: "PUT", body });
    return { outcome: response.status === 201 ? "applied" : "already_applied" };
  },
  async revoke(ctx, spec) {
    const path = `${memberPath(spec)}?role=${spec.profileExternalId}`;
    const response = await send(ctx, path, { method: "DELETE" });
    if (response.status === 404 && (await missing(response)) === "member") return { outcome: "already_applied" };
    return applied(response);
  },
  async modify(ctx, from, to) {
    const body = JSON.stringify({ from: from.profileExternalId, to: to.profileExternalId });
    return applied(await send(ctx, memberPath(from), { method: "POST", body }));
  },
  async verify(ctx, spec) {
    const page = { limit: 100 };
    const { items } = await part(ctx, `/teams/${spec.resource.externalId}/members`, Membership, page);
    const found = items.find(({ user, role }) => user === spec.principal.externalId && role === spec.profileExternalId);
    return { presence: found ? "present" : "absent", authoritative: true };
  },
  async findPrincipal(ctx, { type, named }) {
    const { items } = await read<Part<{ id: string; name: string }>>(ctx, "/people");
    const people = items.map(({ id, name }) => ({ type, externalId: id, displayName: name }));
    const principal = people.find(({ externalId, displayName }) => [externalId, displayName].includes(named));
    return principal ? { outcome: "found", principal } : { outcome: "absent", candidates: people };
  },
  async listUsage(ctx, { since, until }, page) {
    const range = `since=${since.toISOString()}&until=${until.toISOString()}`;
    const { items, ...rest } = await part(ctx, `/usage?${range}`, Use, page);
    const events = items.map(({ id, user, at }) => ({
      externalEventId: id,
      at: new Date(at),
      principal: { type: "user", externalId: user } as const,
      action: "used",
    }));
    return { items: events, ...rest };
  },
  async listCredentials(ctx, { principals }, page) {
    const lists = await Promise.all(
      principals.map(async (principal) => {
        const { items } = await read<Part<unknown>>(ctx, `/tokens/${principal.externalId}`);
        return items.map((one) => ({ principal, ...Token.safeParse(one) }));
      }),
    );
    const answers = lists.flat();
    const found = answers.flatMap(({ principal, data }) =>
      data ? [{ externalId: data.id, principal, type: "token" as const, name: data.label }] : [],
    );
    const rejected = answers.flatMap(({ success }) => (success ? [] : [ODD]));
    return { ...pageOf(found, page), rejected };
  },
  async executeTool(ctx, { tool, dryRun }) {
    const { total } = await read<Part<unknown>>(ctx, "/bots");
    if (tool === "add_bot" && !dryRun) await expectOk(await send(ctx, "/bots", { method: "POST" }), "Adding");
    return { ok: true, output: { total } };
  },
  async endSessions(ctx, { externalId }) {
    const response = await expectOk(await send(ctx, `/sessions/${externalId}`, { method: "DELETE" }), "Ending");
    return (await response.json()) as { ended: number };
  },
};

async function write(ctx: Ctx, path: string, init: RequestInit): Promise<Response> {
  const response = await send(ctx, path, init);
  if (response.status >= 500) throw new ConnectorError("outcome_unknown", "The service failed.");
  if (!response.ok) throw errorOfStatus(response.status, response.headers, "The service refuses.");
  return response;
}

async function applied(response: Response): Promise<ApplyResult> {
  await expectOk(response, "Writing");
  return { outcome: "applied" };
}

/** The connector, with some of its methods replaced. */
export function teamsConnector(changed: Partial<Methods> = {}): Connector {
  return defineConnector({ manifest, configuration, secrets, ...methods, ...changed });
}
