import type { Context } from "#kernel/operation/context.js";
import { requirePermission } from "#kernel/operation/permission.js";
import type { GenericBody } from "#kernel/records/generic-body.js";
import { NONE_INVOLVED, withInvolved } from "#kernel/records/involved.js";
import { isSame } from "#kernel/records/is-same.js";
import { defineRecordKind } from "../../records/declare/kind.js";
import { GivenAuth, McpServerFields } from "../fields.js";
import { mcpConnection } from "../machine.js";
import { checkParts, checkServer, keepsSecret } from "../rules.js";
import { MCP_SERVER_DEFAULTS, MCP_SERVER_READ_ONLY, type McpServer, mcpServers } from "../schema.js";
import { type SealedSecret, sealSecret, storeSecret } from "../server-secrets.js";
import { followServer } from "./follow.js";
import { isLoosened, requireAnother, trustAfter } from "./trust.js";

const REACHED_BY = ["transport", "url", "command", "launch", "package"] as const;

/** MCP servers as the typed records of assets of type `mcp_server`. */
export const mcpServerKind = defineRecordKind<McpServer, McpServerFields>({
  assetType: "mcp_server",
  permission: "mcp-server",
  capability: "ai_registry",
  collection: mcpServers,
  status: { of: ({ status }) => status },
  fields: McpServerFields,
  defaults: MCP_SERVER_DEFAULTS,
  readOnly: MCP_SERVER_READ_ONLY,
  address: "url",
  references: [],
  check(ctx, { fields }, before) {
    // Whoever lets findings in unseen approves them.
    if (fields.trustMode !== undefined && isLoosened({ trustMode: fields.trustMode }, before))
      requirePermission(ctx.env, ctx.principal, "ai-tool:approve");
    const current = before ?? { ...(MCP_SERVER_DEFAULTS as McpServer) };
    checkParts(fields, current);
    checkServer(fields, current);
  },
  async prepare(ctx, body) {
    const secret = secretIn(body);
    return secret === undefined ? undefined : sealSecret(ctx, secret);
  },
  complete(ctx, given, stored) {
    const before = stored ?? (MCP_SERVER_DEFAULTS as McpServer);
    const { auth, protocol } = given;
    const kept = keepsSecret(given, before) ? before.auth.secretSetAt : null;
    return {
      ...trustAfter(changed(before, { ...before, ...given } as McpServer), before),
      ...(stored ? {} : { involved: withInvolved(NONE_INVOLVED, [ctx.principal.userId]) }),
      ...(auth && {
        auth: {
          type: auth.type,
          headerName: auth.headerName,
          clientId: auth.clientId,
          secretSetAt: auth.secret ? ctx.now : kept,
        },
      }),
      ...(protocol && {
        protocol: { ...before.protocol, mode: protocol.mode, pinnedVersion: protocol.pinnedVersion },
      }),
    };
  },
  async finalize(ctx, server, before, prepared) {
    if (isLoosened(server, before)) await requireAnother(ctx, server);
    if (prepared) await storeSecret(ctx, server.id, prepared as SealedSecret);
    else if (before?.auth.secretSetAt && server.auth.secretSetAt === null) await storeSecret(ctx, server.id, undefined);
    return alignConnection(ctx, server, before);
  },
  follow: followServer,
  unready: ({ manifest }) =>
    manifest.state === "in_sync" ? undefined : `What the server offers is not approved (${manifest.state}).`,
  material: (before, after) => [
    ...changed(before, after),
    ...(before.auth.type === after.auth.type ? [] : ["auth"]),
    ...(isSame(before.authorization, after.authorization) ? [] : ["authorization"]),
    ...(before.manifest.current === after.manifest.current ? [] : ["manifest"]),
  ],
});

/** A new address makes the connection `unknown` until a probe. Without scheduled probes it is `disabled`. */
async function alignConnection(ctx: Context, server: McpServer, before: McpServer | undefined): Promise<McpServer> {
  const isOff = server.connection === "disabled";
  const forgotten = isOff || (before && changed(before, server).length > 0);
  const connection = !server.healthCheck.enabled ? "disabled" : forgotten ? "unknown" : server.connection;
  return ctx.transition(
    mcpServers,
    mcpConnection,
    server,
    { to: connection },
    { triggeredBy: "policy", reason: "What is registered of it has changed." },
  );
}

function changed(before: McpServer, after: McpServer): string[] {
  return REACHED_BY.filter((field) => !isSame(before[field], after[field]));
}

/** The secret in a body, at either place. Other faults of the body are found later. */
function secretIn(body: GenericBody): string | undefined {
  const parsed = GivenAuth.safeParse(body.auth ?? body.configuration?.auth);
  return parsed.data?.secret ?? undefined;
}
