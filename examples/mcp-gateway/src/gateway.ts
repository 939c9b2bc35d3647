import type { AddressInfo } from "node:net";
import { Server } from "@modelcontextprotocol/server";
import { callTool, type Shared } from "./call-tool.js";
import { Calls } from "./calls.js";
import { bodyOf, edge, refusal } from "./edge.js";
import { Gate, LIMITS, type Limits } from "./limits.js";
import { answerMessage } from "./protocol.js";
import { type Agent, type Reeve, reeveAt, type Where } from "./reeve.js";
import { approvedPart, isAsApproved, openEverything, upstreamOf } from "./upstream.js";

export interface Gateway {
  /** Where clients of MCP connect to. */
  readonly url: string;
  close(): Promise<void>;
}

export interface GatewaySettings extends Where {
  /** The base URL of Reeve, which issues the tokens, where the gateway asks it at another address. */
  readonly issuer?: string;
  /** Opens a connection to the server behind the gateway. */
  readonly open?: typeof openEverything;
  readonly limits?: Partial<Limits>;
}

const PATH = "/mcp";
/** Where clients read who issues tokens for it (RFC 9728). */
const METADATA = `/.well-known/oauth-protected-resource${PATH}`;
/** What an agent needs to ask for decisions about itself, and to see what it may call. */
export const SCOPES = ["ai-decision:evaluate", "ai-decision:search", "mcp-server:read"];
const BUSY = { "retry-after": "1" };

/**
 * An MCP server that has no tools of its own, in front of one that has. Reeve says with each request who its sender is, and decides
 * about each call with all of its arguments. The gateway keeps no session, no decision and no credential.
 */
export async function startGateway({ open = openEverything, ...settings }: GatewaySettings): Promise<Gateway> {
  const limits = { ...LIMITS, ...settings.limits };
  const upstream = upstreamOf(open, limits);
  const reeve = reeveAt(settings, limits);
  const shared: Shared = { where: settings, limits, upstream, calls: new Calls(limits) };
  const [all, ofOne] = [new Gate(limits.atOnce), new Gate(limits.atOnceOfOne)];
  let origin = "";
  const challenge = (error: string) => ({
    "www-authenticate": `Bearer ${error}resource_metadata="${origin}${METADATA}"`,
  });
  const refused = (status: number) => {
    if (status === 401) return refusal(status, challenge('error="invalid_token", '));
    return refusal(status, status === 403 ? challenge('error="insufficient_scope", ') : BUSY);
  };
  const listener = edge(async (message, gone) => {
    const { headers, method } = message;
    const path = message.url?.split("?")[0];
    if (path === METADATA && method === "GET") return Response.json(metadataOf(origin, settings));
    if (path !== PATH) return refusal(404);
    const token = /^Bearer ([\w.~+/-]{1,8000}=*)$/.exec(headers.authorization ?? "")?.[1];
    if (token === undefined) return refusal(401, challenge(""));
    const answered = await all.through("", async () => {
      const agent = await reeve.whoHas(token, gone);
      if (typeof agent === "number") return refused(agent);
      if (method !== "POST") return refusal(405, { allow: "POST" });
      const answer = await ofOne.through(agent.id, async () => {
        const body = await bodyOf(message, limits.bodyBytes);
        return body ? answerMessage(headers, body, () => serverFor(agent, reeve, shared, gone)) : refusal(413);
      });
      return answer ?? refused(429);
    });
    return answered ?? refused(503);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    url: origin + PATH,
    async close() {
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
      await upstream.close();
    },
  };
}

const metadataOf = (origin: string, { url, issuer = url }: GatewaySettings) => ({
  ...{ resource: origin + PATH, authorization_servers: [issuer], bearer_methods_supported: ["header"] },
  scopes_supported: SCOPES,
});

function serverFor(agent: Agent, reeve: Reeve, shared: Shared, gone: AbortSignal): Server {
  const server = new Server({ name: "gateway", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", async () => {
    const [offered, open] = await Promise.all([shared.upstream.tools(), reeve.openTools(agent, gone)]).catch(() => {
      throw new Error("The tools cannot be told at this moment.");
    });
    const shown = offered.filter((tool) => open.has(tool.name) && isAsApproved(tool, agent.approved.get(tool.name)));
    return { tools: shown.map(approvedPart), ttlMs: 0, cacheScope: "private" } as never;
  });
  server.setRequestHandler("tools/call", async ({ params }) => {
    const { name: tool, arguments: args = {}, _meta } = params;
    return (await callTool(agent, { tool, args, key: _meta?.["dev.reeve/idempotency-key"] }, shared)) as never;
  });
  return server;
}
