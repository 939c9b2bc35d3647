import type { IncomingHttpHeaders } from "node:http";
import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

/** What would hold a connection open for changes, which the gateway does not tell. */
const STREAMS = "subscriptions/listen";

/** Answers one message in the version of MCP that its client speaks, by JSON, and keeps nothing. */
export async function answerMessage(
  headers: IncomingHttpHeaders,
  body: Buffer,
  serve: () => Server,
): Promise<Response> {
  const message = messageIn(body);
  if (!message) return problem(400, null, -32_600, "A request is one message of JSON-RPC.");
  if (message.method === STREAMS) return problem(404, message.id, -32_601, "There are no streams here.");
  const request = requestOf(headers, body);
  if (!(await isLegacyRequest(request))) return createMcpHandler(serve, { legacy: "reject" }).fetch(request);
  const server = serve();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request);
  } finally {
    await server.close();
  }
}

/** A single message: a batch would be many calls in one request. */
function messageIn(body: Buffer): { readonly id?: unknown; readonly method?: unknown } | undefined {
  try {
    const message: unknown = JSON.parse(body.toString("utf8"));
    return typeof message === "object" && message !== null && !Array.isArray(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

/** The request as the library wants it: with an address of its own, since the sender writes `Host` as it likes. */
function requestOf(sent: IncomingHttpHeaders, body: Buffer): Request {
  const passed = Object.entries(sent).filter(([name]) => /^(?:accept|content-type|mcp-.+)$/.test(name));
  const headers = passed.map(([name, value]): [string, string] => [name, String(value)]);
  return new Request("http://gateway.invalid/mcp", { method: "POST", headers, body: new Uint8Array(body) });
}

const problem = (status: number, id: unknown, code: number, message: string): Response =>
  Response.json({ jsonrpc: "2.0", id: id ?? null, error: { code, message } }, { status });
