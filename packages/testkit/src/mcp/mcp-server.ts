import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpHandler, legacyStatelessFallback, Server } from "@modelcontextprotocol/server";
import { webListener } from "./web-listener.js";

type Json = Record<string, unknown>;

/** What a server says of itself and offers, as sent over the wire. */
export interface McpOffer {
  readonly name?: string;
  readonly version?: string;
  readonly instructions?: string;
  /** An absent list means an absent capability. */
  readonly tools?: readonly Json[];
  readonly prompts?: readonly Json[];
  readonly resources?: readonly Json[];
  readonly resourceTemplates?: readonly Json[];
  /** Capabilities that it declares, and whose methods it does not have. */
  readonly unanswered?: readonly ("prompts" | "resources")[];
  /** Whether its tools can be called; each call answers with the name of the tool. */
  readonly callable?: boolean;
  /** Entries per page; all of them when absent. */
  readonly pageSize?: number;
  /** The handshakes it answers; both when absent. */
  readonly era?: "both" | "modern" | "legacy";
}

/** A running MCP server over streamable HTTP on 127.0.0.1. */
export interface McpTestServer {
  /** `http://127.0.0.1:<port>/mcp`. */
  readonly url: string;
  readonly port: number;
  /** The number of HTTP requests so far. */
  readonly requests: number;
  /** The tools that were called so far, by name. */
  readonly called: readonly string[];
  /** Changes what the server offers, from the next request on. */
  offer(changes: McpOffer): void;
  /** Lets `listener` answer every request; `undefined` ends that. It may hand one on to the server. */
  behave(listener: ((...asked: [...Parameters<RequestListener>, server: RequestListener]) => void) | undefined): void;
  stop(): Promise<void>;
}

/** Starts a real MCP server, made with the official library, with this offer. */
export async function startMcpServer(first: McpOffer = {}): Promise<McpTestServer> {
  let offer = first;
  let behaviour: Parameters<McpTestServer["behave"]>[0];
  let requests = 0;
  const called: string[] = [];
  const factory = () => {
    const made = offering(offer);
    if (offer.callable)
      made.setRequestHandler("tools/call", ({ params: { name } }) => {
        called.push(name);
        return { content: [{ type: "text", text: name }] };
      });
    return made;
  };
  const both = createMcpHandler(factory);
  const modern = createMcpHandler(factory, { legacy: "reject" });
  const legacy = legacyStatelessFallback(factory);
  const spoken = webListener((asked) => {
    const { era = "both" } = offer;
    return era === "legacy" ? legacy(asked) : (era === "modern" ? modern : both).fetch(asked);
  });
  const server = createServer((request, response) => {
    requests += 1;
    (behaviour ?? spoken)(request, response, spoken);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    port,
    get requests() {
      return requests;
    },
    called,
    offer: (changes) => {
      offer = { ...offer, ...changes };
    },
    behave: (listener) => {
      behaviour = listener;
    },
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A server of the official library that lists exactly this offer. */
export function offering(offer: McpOffer): Server {
  const { name = "test-server", version = "1.0.0", instructions, tools, prompts, resources, resourceTemplates } = offer;
  const server = new Server(
    { name, version },
    {
      capabilities: {
        ...(tools ? { tools: {} } : {}),
        ...(prompts ? { prompts: {} } : {}),
        ...(resources || resourceTemplates ? { resources: {} } : {}),
        ...Object.fromEntries((offer.unanswered ?? []).map((capability) => [capability, {}])),
      },
      ...(instructions === undefined ? {} : { instructions }),
    },
  );
  const page = (items: readonly Json[] | undefined, member: string, cursor: unknown) => {
    const { pageSize = Number.POSITIVE_INFINITY } = offer;
    const start = Number(cursor ?? 0);
    const end = start + pageSize;
    const more = end < (items?.length ?? 0);
    return { [member]: items?.slice(start, end) ?? [], ...(more ? { nextCursor: String(end) } : {}) } as never;
  };
  if (tools) server.setRequestHandler("tools/list", ({ params }) => page(tools, "tools", params?.cursor));
  if (prompts) server.setRequestHandler("prompts/list", ({ params }) => page(prompts, "prompts", params?.cursor));
  if (resources)
    server.setRequestHandler("resources/list", ({ params }) => page(resources, "resources", params?.cursor));
  if (resourceTemplates)
    server.setRequestHandler("resources/templates/list", ({ params }) =>
      page(resourceTemplates, "resourceTemplates", params?.cursor),
    );
  return server;
}
