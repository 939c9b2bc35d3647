import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { McpMessage, McpReply, McpToolbox } from "@reeve/core";

/** How long a client may keep a list of tools, in milliseconds. A call is checked whatever the list has said. */
const LIST_KEPT = 60_000;
/** What would hold the connection open for changes, of which there are none. */
const STREAMS = "subscriptions/listen";

/** Answers one message in the version of MCP that its client speaks, and keeps nothing. */
export async function answer({ headers, message }: McpMessage, toolbox: McpToolbox): Promise<McpReply> {
  if (message.method === STREAMS) return refused(message.id, ProtocolErrorCode.MethodNotFound, "There are no changes.");
  const request = new Request("http://reeve.invalid/mcp", { method: "POST", headers, body: JSON.stringify(message) });
  const isLegacy = await isLegacyRequest(request);
  const faults: unknown[] = [];
  const server = serverOf(toolbox, faults);
  const { status, body, headers: sent } = await (isLegacy ? answerLegacy : answerModern)(request, server);
  const text = body === null ? "" : await new Response(body).text();
  // The library would tell the client what has broken here. Its host hears of it instead.
  if (faults.length > 0) throw faults[0];
  return { status, contentType: sent.get("content-type") ?? "application/json", body: text };
}

const answerModern = (request: Request, server: Server): Promise<Response> =>
  createMcpHandler(() => server, { legacy: "reject" }).fetch(request);

/** The handler of the library answers older clients by streams only. One message has one answer. */
async function answerLegacy(request: Request, server: Server): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request);
  } finally {
    await server.close();
  }
}

function refused(id: unknown, code: number, text: string): McpReply {
  const body = JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error: { code, message: text } });
  return { status: 404, contentType: "application/json", body };
}

function serverOf(toolbox: McpToolbox, faults: unknown[]): Server {
  const { name, version, instructions } = toolbox;
  const server = new Server({ name, version }, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler("tools/list", ({ params }) => {
    const page = told(faults, () => toolbox.list(params?.cursor));
    if (!page) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "This cursor is of no page.");
    return { ...page, ttlMs: LIST_KEPT, cacheScope: "private" } as never;
  });
  server.setRequestHandler("tools/call", async ({ params }) => {
    const result = await told(faults, () => toolbox.call(params.name, params.arguments ?? {}));
    if (!result) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such tool.");
    // Clients that show models the content alone show them the same, with the same mark.
    return { ...result, content: [{ type: "text", text: JSON.stringify(result.structuredContent) }] } as never;
  });
  return server;
}

/** Does the work of a handler, and keeps what breaks. */
function told<T>(faults: unknown[], work: () => T): T {
  const keep = (fault: unknown): never => {
    faults.push(fault);
    throw fault;
  };
  try {
    const done = work();
    return done instanceof Promise ? (done.catch(keep) as T) : done;
  } catch (fault) {
    return keep(fault);
  }
}
