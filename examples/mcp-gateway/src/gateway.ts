import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { type Door, doorOf, type OpenTool } from "./control-plane.js";
import { bodyOf, edge, refusal } from "./edge.js";

export interface Gateway {
  /** Where clients of MCP connect to. */
  readonly url: string;
  close(): Promise<void>;
}

interface GatewaySettings {
  /** Address of the control plane. */
  readonly reeve: string;
}

const PATH = "/mcp";
/** The most bytes of a request's body. */
const MOST = 1_048_576;
/** The member of `_meta` in which a client that repeats a call names it. */
const KEY = "dev.reeve/idempotency-key";

/**
 * An MCP server that has no tools of its own. The bearer token of its client is an agent-tool token. The control plane
 * says with each request what the token opens, decides about each call and calls the real server. The gateway keeps no
 * session and no decision.
 */
export async function startGateway({ reeve }: GatewaySettings): Promise<Gateway> {
  const door = doorOf(reeve);
  const server = edge(async (message, gone) => {
    if (message.url?.split("?")[0] !== PATH) return refusal(404);
    const token = tokenOf(message);
    if (token === undefined) return refusal(401, { "www-authenticate": "Bearer" });
    const tools = await door.tools(token, gone);
    if (typeof tools === "number")
      return refusal(tools, tools === 401 ? { "www-authenticate": 'Bearer error="invalid_token"' } : {});
    const body = await bodyOf(message, MOST);
    if (!body) return refusal(413);
    const served = () => serverFor({ token, tools, door, gone });
    return createMcpHandler(served).fetch(requestOf(message, body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Caller {
  readonly token: string;
  readonly tools: readonly OpenTool[];
  readonly door: Door;
  readonly gone: AbortSignal;
}

function serverFor({ token, tools, door, gone }: Caller): Server {
  const server = new Server({ name: "gateway", version: "1.0.0" }, { capabilities: { tools: {} } });
  const listed = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  server.setRequestHandler("tools/list", () => ({ tools: listed }) as never);
  server.setRequestHandler("tools/call", async ({ params }) => {
    const { name, arguments: args = {}, _meta } = params;
    const named = _meta?.[KEY];
    // A client that does not name its call means another one each time.
    const idempotencyKey = typeof named === "string" ? named : randomUUID();
    return (await door.call(token, { tool: name, arguments: args, idempotencyKey }, gone)) as never;
  });
  return server;
}

const tokenOf = ({ headers }: IncomingMessage): string | undefined =>
  /^Bearer (att_[\w-]{1,200})$/.exec(headers.authorization ?? "")?.[1];

/** The request as the library wants it: with an address of its own, since the sender writes `Host` as it likes. */
function requestOf(message: IncomingMessage, body: Uint8Array): Request {
  const { method = "GET" } = message;
  const passed = Object.entries(message.headers).filter(([name]) => /^(?:accept|content-type|mcp-.+)$/.test(name));
  const headers = passed.map(([name, value]): [string, string] => [name, String(value)]);
  const sent = method === "GET" || method === "HEAD" ? {} : { body: Buffer.from(body) };
  return new Request(`http://gateway.invalid${PATH}`, { method, headers, ...sent });
}
