import {
  type Connector,
  ConnectorError,
  type ConnectorState,
  defineConnector,
  type GrantSpec,
  type ObservedProfile,
  type PrincipalLookup,
  pageOf,
} from "#connectors/index.js";
import { homeOf, ownConnector } from "#families/connectors/index.js";
import { type McpServer, mcpServers } from "#families/estate/index.js";
import { foldUsername, users } from "#families/identity/index.js";
import { z } from "#schema/z.js";
import { sha256 } from "#store/chain.js";
import { CONNECT, PROVIDER, profileOf, SERVER, scopesIn } from "./rules.js";

/**
 * The MCP servers of a tenant that have an authorization server as a target of access governance, for the option
 * `connectors`. What is granted there lets an agent get identity assertions for a person. Each control plane needs one of
 * its own.
 */
export function assertionConnector(): Connector {
  const connector: Connector = defineConnector({
    manifest: {
      providerKey: PROVIDER,
      interfaceVersion: 1,
      version: "1.0.0",
      displayName: "Identity assertions",
      category: "identity",
      description: "MCP servers that agents use for people by identity assertions to an authorization server.",
      capabilities: ["test", "resources", "profiles", "principals", "grant", "revoke", "verify"],
      resourceTypes: [
        {
          type: SERVER,
          displayName: "MCP server",
          idStability: "immutable",
          profileSource: "per_resource",
          grantableTo: ["user"],
        },
      ],
      limitations: [
        "The authorization server may give less than an assertion says, and its tokens live on when access has ended.",
      ],
      expiry: "managed",
    },
    configuration: z.object({}),
    async testConnection({ tenantId }) {
      homeOf(connector);
      return { checks: [], target: { id: tenantId, name: "Identity assertions" } };
    },
    async listResources({ tenantId }, type, { cursor, limit }) {
      if (type !== SERVER) return { items: [], complete: true };
      const range = { size: limit, ...(cursor === undefined ? {} : { after: cursor }) };
      const rows = await homeOf(connector).store.forTenant(tenantId).scan(mcpServers, range);
      const items = rows.flatMap(({ value }) => shown(value) ?? []);
      const last = rows.at(-1)?.id;
      return rows.length < limit || last === undefined
        ? { items, complete: true }
        : { items, nextCursor: last, complete: false };
    },
    async listAccessProfiles({ tenantId }, { resourceType, resource }, page) {
      if (resourceType !== SERVER || resource === undefined) return { items: [], complete: true };
      const server = await serverOf(connector, tenantId, resource.externalId);
      return pageOf(server ? profilesOf(server) : [], page);
    },
    findPrincipal: ({ tenantId }, { type, named }) =>
      type === "user" ? personNamed(connector, tenantId, named) : Promise.resolve({ outcome: "unknown" }),
    async grant({ tenantId, state }, spec) {
      const server = await serverOf(connector, tenantId, spec.resource.externalId);
      if (spec.resource.type !== SERVER || !server?.authorization) throw gone("MCP server");
      const scope = scopesIn(spec.profileExternalId);
      if (!scope.every((name) => server.authorization?.scopes.includes(name))) throw gone("scope");
      if (spec.principal.type !== "user") throw new ConnectorError("invalid", "Agents act for people.");
      if (await isHeld(state, spec)) return { outcome: "already_applied" };
      await state.put(keyOf(spec), true);
      return { outcome: "applied" };
    },
    async revoke({ state }, spec) {
      if (!(await isHeld(state, spec))) return { outcome: "already_applied" };
      // What is forgotten counts no more, so that access that has ended leaves room for other access.
      await state.delete(keyOf(spec));
      return { outcome: "applied" };
    },
    async verify({ state }, spec) {
      return { presence: (await isHeld(state, spec)) ? "present" : "absent", authoritative: true };
    },
  });
  return ownConnector(connector);
}

type Held = Pick<GrantSpec, "resource" | "profileExternalId" | "principal">;

const keyOf = ({ resource, profileExternalId, principal }: Held) =>
  `access ${sha256(JSON.stringify([resource.externalId, profileExternalId, principal.type, principal.externalId]))}`;

const isHeld = async (state: ConnectorState, spec: Held): Promise<boolean> => (await state.get(keyOf(spec))) === true;

function shown({ assetId, name, url, authorization }: McpServer) {
  if (!authorization || url === null) return undefined;
  return { type: SERVER, externalId: assetId, name, attributes: { url, issuer: authorization.issuer } };
}

/** One kind of access for each scope, or the one without scopes. */
function profilesOf({ assetId, name, authorization }: McpServer): ObservedProfile[] {
  if (!authorization) return [];
  const resource = { type: SERVER, externalId: assetId };
  const shared = { resourceType: SERVER, resource, privilegeLevel: 2, grantableTo: ["user"] } as const;
  const { scopes } = authorization;
  if (scopes.length === 0) return [{ ...shared, externalId: CONNECT, name: `Use ${name}`, permissions: [] }];
  return scopes.map((scope) => ({ ...shared, externalId: profileOf(scope), name: scope, permissions: [scope] }));
}

async function serverOf(connector: Connector, tenantId: string, assetId: string): Promise<McpServer | undefined> {
  return (await homeOf(connector).store.forTenant(tenantId).lookup(mcpServers, "asset", { assetId }))?.value;
}

/** A user of the tenant by id or by the name that they sign in with. Others may be known to an issuer alone. */
async function personNamed(connector: Connector, tenantId: string, named: string): Promise<PrincipalLookup> {
  const db = homeOf(connector).store.forTenant(tenantId);
  const row = (await db.get(users, named)) ?? (await db.lookup(users, "username", { username: foldUsername(named) }));
  if (!row) return { outcome: "unknown" };
  return {
    outcome: "found",
    principal: { type: "user", externalId: row.id, displayName: row.value.name ?? row.value.username },
  };
}

const gone = (what: string) => new ConnectorError("not_found", `There is no such ${what}.`);
