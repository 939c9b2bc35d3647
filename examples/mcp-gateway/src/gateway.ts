import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import type { OpenedTool } from "@reeve/connectors/mcp";

export interface Gateway {
  /** Where clients of MCP connect to. */
  readonly url: string;
  close(): Promise<void>;
}

interface GatewaySettings {
  /** Address of the control plane. */
  readonly reeve: string;
  readonly tools: readonly OpenedTool[];
}

/**
 * An MCP server that has no tools of its own. The bearer token of its client is an agent-tool token, and each call goes
 * to the control plane, which decides about it and calls the real server. The gateway keeps no session and no decision.
 */
export async function startGateway({ reeve, tools }: GatewaySettings): Promise<Gateway> {
  const server = createServer(async (request, response) => {
    const [, token] = /^Bearer (att_[\w-]+)$/.exec(request.headers.authorization ?? "") ?? [];
    if (!token) {
      response.writeHead(401, { "www-authenticate": "Bearer" }).end();
      return;
    }
    const answer = await createMcpHandler(() => serverFor(token, { reeve, tools })).fetch(await requestOf(request));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) for await (const chunk of answer.body) response.write(chunk);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function serverFor(token: string, { reeve, tools }: GatewaySettings): Server {
  const server = new Server({ name: "gateway", version: "1.0.0" }, { capabilities: { tools: {} } });
  const listed = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  server.setRequestHandler("tools/list", () => ({ tools: listed }) as never);
  server.setRequestHandler("tools/call", async ({ params }) => {
    const { name, arguments: args = {} } = params;
    return (await call(reeve, { token, tool: name, arguments: args })) as never;
  });
  return server;
}

interface Answer {
  readonly status: string | number;
  readonly result?: { readonly content: readonly object[] };
  readonly error?: { readonly code: string; readonly message: string };
  readonly code?: string;
  readonly detail?: string;
  readonly title?: string;
}

/** Has the control plane decide and call. A refusal is a failure of the tool, with the code of its reason. */
async function call(reeve: string, body: object) {
  const answer = await fetch(`${reeve}/api/v1/agent-tools/codehost/execute`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const { status, result, error, ...problem } = (await answer.json()) as Answer;
  if (status === "ok") return result;
  const code = error?.code ?? problem.code ?? "unavailable";
  const text = error?.message ?? problem.detail ?? problem.title ?? "The call was refused.";
  return { isError: true, content: [{ type: "text", text: `${code}: ${text}` }] };
}

async function requestOf(message: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) headers.set(name, String(value));
  const { method = "GET" } = message;
  const body = method === "POST" ? { body: Buffer.concat(chunks) } : {};
  return new Request(`http://${message.headers.host}${message.url}`, { method, headers, ...body });
}
