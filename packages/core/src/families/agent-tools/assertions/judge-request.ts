import { accessIdentities, accessProfiles, definitionHash, principalSubject } from "#families/access/index.js";
import {
  type AccessAssignment,
  accessAssignments,
  circumstancesOf,
  ineffectiveBecause,
} from "#families/access-grants/index.js";
import { instances } from "#families/connectors/index.js";
import { judgeServers } from "#families/enforcement/index.js";
import {
  type Agent,
  addressKey,
  agents,
  type Identity,
  identities,
  type McpServer,
  mcpServers,
} from "#families/estate/index.js";
import type { OAuthError } from "#families/identity/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isSameUrl, PROVIDER, SERVER } from "./rules.js";

/** What a client asks for, once it is known who the person is. */
export interface Asked {
  readonly identityId: string;
  readonly userId: string;
  readonly audience: string;
  readonly resource: string;
  /** `undefined` for all that the access opens. */
  readonly scopes: readonly string[] | undefined;
}

/** Why no assertion is issued. */
export interface Refusal {
  readonly error: OAuthError;
  readonly reasons: readonly string[];
  readonly message: string;
}

/** The records that a request is about, as far as they were found. */
export interface Parties {
  readonly agent?: Agent;
  readonly server?: McpServer;
}

type Server = McpServer & { readonly authorization: NonNullable<McpServer["authorization"]>; readonly url: string };

/** An assertion that may be issued, and the access that it rests on. */
export interface Grounds {
  readonly agent: Agent;
  readonly server: Server;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly assignments: readonly AccessAssignment[];
}

export type Verdict = Parties & ({ readonly refusal: Refusal } | { readonly grounds: Grounds });

const no = (error: OAuthError, message: string, ...reasons: readonly string[]): { readonly refusal: Refusal } => ({
  refusal: { error, message, reasons },
});

/** Whether an assertion may be issued at this moment. Everything that it depends on is read now. */
export async function judgeRequest(ctx: ReadContext, asked: Asked): Promise<Verdict> {
  const identityRow = await ctx.db.get(identities, asked.identityId);
  if (!identityRow) return no("unauthorized_client", "The identity is gone.", "identity:not_found");
  const identity = ctx.derived(identities, identityRow);
  const [agentsFound, servers] = await Promise.all([agentsOf(ctx, identity), serversAt(ctx, asked)]);
  const [agent] = agentsFound;
  const [server] = servers;
  if (!agent) return no("unauthorized_client", "No agent runs as this identity.", "agent_unknown");
  if (agentsFound.length > 1)
    return no(
      "unauthorized_client",
      "Several agents run as this identity, so nobody can tell which asks.",
      "agent_ambiguous",
    );
  const parties: Parties = { agent, ...(servers.length === 1 && server ? { server } : {}) };
  const judged = await judgeServers(ctx, server ? [server] : [], [agent.assetId, identity.assetId]);
  const unfit = (assetId: string): string[] => {
    const asset = judged.assets.get(assetId);
    return [...judged.denialsOf(assetId), ...(asset && judged.isApproved(asset) ? [] : ["not_approved"])];
  };
  for (const [what, assetId] of [
    ["agent", agent.assetId],
    ["identity", identity.assetId],
  ] as const) {
    const [reason, ...others] = unfit(assetId).map((code) => `${what}:${code}`);
    if (reason !== undefined)
      return {
        ...parties,
        ...no(
          "unauthorized_client",
          `The ${what} may not be used now: ${[reason, ...others].join(", ")}.`,
          reason,
          ...others,
        ),
      };
  }
  return { ...parties, ...(await judgeTarget(ctx, asked, { agent, identity, servers, unfit })) };
}

interface Found {
  readonly agent: Agent;
  readonly identity: Identity;
  readonly servers: readonly Server[];
  readonly unfit: (assetId: string) => readonly string[];
}

async function judgeTarget(
  ctx: ReadContext,
  asked: Asked,
  { agent, identity, servers, unfit }: Found,
): Promise<{ readonly refusal: Refusal } | { readonly grounds: Grounds }> {
  const [server] = servers;
  if (!server)
    return no("invalid_target", "No MCP server here has this address and this authorization server.", "server_unknown");
  if (servers.length > 1)
    return no(
      "invalid_target",
      "Several MCP servers have this address, so nobody can tell which is meant.",
      "server_ambiguous",
    );
  const { state } = server.manifest;
  const reasons = [...unfit(server.assetId), ...(state === "in_sync" ? [] : [`manifest_${state}`])].map(
    (code) => `server:${code}`,
  );
  if (reasons.length > 0) {
    const drifted =
      state === "drifted"
        ? "The MCP server offers something else than was approved"
        : "The MCP server may not be used now";
    return no("invalid_target", `${drifted}: ${reasons.join(", ")}.`, ...reasons);
  }
  const { issuer } = server.authorization;
  const clientId = identity.registrations.find((one) => isSameUrl(one.issuer, issuer))?.clientId;
  if (clientId === undefined)
    return no("invalid_target", "The identity has no client id at this authorization server.", "client_unregistered");
  const access = await judgeAccess(ctx, asked, agent, server);
  return "refusal" in access ? access : { grounds: { agent, server, clientId, ...access } };
}

/** The agents that run as an identity, by what either of the two says. */
async function agentsOf(ctx: ReadContext, { assetId, agentIds }: Identity): Promise<Agent[]> {
  const [own, named] = await Promise.all([
    ctx.db.find(agents, { where: { identityId: assetId }, size: 2 }),
    Promise.all(agentIds.map((id) => ctx.db.lookup(agents, "asset", { assetId: id }))),
  ]);
  const all = [...own.rows, ...named.filter((row) => row !== undefined)];
  return [...new Map(all.map((row) => [row.id, ctx.derived(agents, row)])).values()];
}

/** The servers at an address that an authorization server guards. */
async function serversAt(ctx: ReadContext, { resource, audience }: Asked): Promise<Server[]> {
  const address = addressKey(resource);
  if (address === null) return [];
  const { rows } = await ctx.db.find(mcpServers, { where: { address }, size: 100 });
  return rows
    .map((row) => ctx.derived(mcpServers, row))
    .filter(
      (server): server is Server =>
        server.url !== null && server.authorization !== null && isSameUrl(server.authorization.issuer, audience),
    );
}

type Access = Pick<Grounds, "scopes" | "assignments">;

/** One access of the agent to the server for the person, with what it opens and why it does not now. */
interface Held {
  readonly one: AccessAssignment;
  readonly scopes: readonly string[];
  readonly because: readonly string[];
}

async function judgeAccess(
  ctx: ReadContext,
  asked: Asked,
  agent: Agent,
  server: Server,
): Promise<{ readonly refusal: Refusal } | Access> {
  const held = await accessOf(ctx, asked, agent, server);
  if (held.length === 0)
    return no("invalid_target", "The agent has no access to the MCP server for this person.", "access_missing");
  const effective = held.filter(({ because }) => because.length === 0);
  if (effective.length === 0) return inactive(held);
  const granted = new Set(effective.flatMap(({ scopes }) => scopes));
  const wanted = asked.scopes ?? [...granted].sort();
  const beyond = wanted.filter((scope) => !granted.has(scope));
  if (beyond.length > 0) {
    const ended = held.filter(({ scopes }) => scopes.some((scope) => beyond.includes(scope)));
    const reasons = ended.flatMap(({ because }) => because.map((code) => `access:${code}`));
    const why = reasons.length > 0 ? ` (${[...new Set(reasons)].join(", ")})` : "";
    return no(
      "invalid_scope",
      `The access does not open ${beyond.join(" ")}${why}.`,
      ...new Set(["scope_exceeds", ...reasons]),
    );
  }
  const used = effective.filter(({ scopes }) => wanted.length === 0 || scopes.some((scope) => wanted.includes(scope)));
  return { scopes: wanted, assignments: used.map(({ one }) => one) };
}

function inactive(held: readonly Held[]) {
  const reasons = [...new Set(held.flatMap(({ because }) => because.map((code) => `access:${code}`)))];
  return no(
    "invalid_target",
    `The access of the agent for this person is not in force: ${reasons.join(", ")}.`,
    ...reasons,
  );
}

/** The most access of an agent that is looked through for one that has ended. */
const MOST = 1_000;

/** The access of an agent to a server for a person. What has ended is among it where there is no other. */
async function accessOf(ctx: ReadContext, { userId }: Asked, { assetId }: Agent, server: Server): Promise<Held[]> {
  const { rows: connections } = await ctx.db.find(instances, { where: { providerKey: PROVIDER }, size: 100 });
  const subject = principalSubject({ type: "user", externalId: userId });
  const acting = await Promise.all(
    connections.map(({ id }) =>
      ctx.db.lookup(accessIdentities, "principal", { assetId, connectorInstanceId: id, subject }),
    ),
  );
  const ids = acting.flatMap((row) => row?.id ?? []);
  const isMeant = ({ identityId, resource }: AccessAssignment) =>
    ids.includes(identityId) && resource.type === SERVER && resource.externalId === server.assetId;
  const live = await Promise.all(
    ids.map((liveAs) => ctx.db.find(accessAssignments, { where: { liveAs }, size: MOST })),
  );
  let rows = live.flatMap((page) => page.rows).filter(({ value }) => isMeant(value));
  if (rows.length === 0 && ids.length > 0) {
    const past = await ctx.db.find(accessAssignments, { where: { assetId }, size: MOST });
    rows = past.rows.filter(({ value }) => isMeant(value)).slice(0, 1);
  }
  const states = new Map(connections.map(({ id, value }) => [id, value.status]));
  return withReasons(
    ctx,
    rows.map((row) => ctx.derived(accessAssignments, row)),
    states,
    server,
  );
}

async function withReasons(
  ctx: ReadContext,
  all: readonly AccessAssignment[],
  connections: ReadonlyMap<string, string>,
  { authorization }: Server,
): Promise<Held[]> {
  const rows = await ctx.db.getMany(accessProfiles, [...new Set(all.map(({ accessProfileId }) => accessProfileId))]);
  const profiles = new Map(rows.map(({ id, value }) => [id, value]));
  const circumstances = circumstancesOf(ctx);
  return Promise.all(
    all.map(async (one) => {
      const profile = profiles.get(one.accessProfileId);
      const connection = connections.get(one.connectorInstanceId);
      const isAsDecided = profile?.status === "approved" && definitionHash(profile, []) === one.approvedHash;
      const scopes = profile?.permissions ?? [];
      return {
        one,
        scopes,
        because: [
          ...ineffectiveBecause(one, await circumstances(one)),
          ...(isAsDecided ? [] : ["changed"]),
          ...(connection === "active" ? [] : [`connection:${connection ?? "missing"}`]),
          ...(scopes.every((scope) => authorization.scopes.includes(scope)) ? [] : ["scope_withdrawn"]),
        ],
      };
    }),
  );
}
