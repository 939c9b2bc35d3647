import { randomBytes, randomUUID } from "node:crypto";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  type AuthInfo,
  createMcpHandler,
  createRequestStateCodec,
  InMemoryTransport,
  inputRequired,
  McpServer,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Guard } from "@reeve/guard";
import { askingHandler, META } from "@reeve/guard/mcp";
import { z } from "zod";

export const ERAS = ["modern", "legacy"] as const;
export type Era = (typeof ERAS)[number];

export const ADDRESS = "https://reeve.acme.example/console/inbox?kind=action_approval";
/** The key that each process of the server has. */
const KEY = randomBytes(32);

export interface ProcessOptions {
  readonly key?: Uint8Array;
  readonly ttlSeconds?: number;
  /** Whether the server itself checks what comes back, as the library proposes. */
  readonly verifies?: boolean;
  /** Whether a state is also for the person alone who has signed in. */
  readonly bindsPerson?: boolean;
}

/** A user of a client: what is put to them, and what they answer. */
export interface User {
  readonly modes: { url?: Record<string, never>; form?: Record<string, never> };
  answer(asked: Readonly<Record<string, unknown>>): Promise<"accept" | "decline" | "cancel">;
}

/** A process of an MCP server whose calls wait for approval inside the call. */
export class McpProcess {
  /** The calls that were carried out. */
  readonly ran: string[] = [];
  /** Who has signed in at the server, for clients over HTTP. */
  authInfo: AuthInfo | undefined;
  readonly #undo: (() => Promise<unknown>)[] = [];

  constructor(
    readonly guard: Guard,
    readonly options: ProcessOptions = {},
  ) {}

  server(): McpServer {
    const { key = KEY, ttlSeconds = 600, verifies, bindsPerson } = this.options;
    const bind = ({ http }: ServerContext) => String(http?.authInfo?.extra?.sub);
    const codec = createRequestStateCodec({ key, ttlSeconds, ...(bindsPerson ? { bind } : {}) });
    const server = new McpServer(
      { name: "Payments", version: "1.0.0" },
      verifies ? { requestState: { verify: codec.verify } } : {},
    );
    const approvals = { address: () => ADDRESS, requestState: codec };
    for (const tool of ["refund", "search", "wait"]) {
      const run = (args: object, { mcpReq }: ServerContext) => {
        const own = [mcpReq.requestState(), Object.keys(mcpReq.inputResponses ?? {})[0]];
        if (own.some((part) => part !== undefined)) throw new Error("The handler is given what is the guard's.");
        this.ran.push(`${tool} ${JSON.stringify(args)}`);
        return { content: [{ type: "text" as const, text: `${tool} is done` }] };
      };
      server.registerTool(tool, { inputSchema: z.looseObject({}) }, askingHandler(this.guard, tool, run, approvals));
    }
    server.registerTool(
      "choose",
      { inputSchema: z.looseObject({}) },
      askingHandler(
        this.guard,
        "search",
        async (_args: object, { mcpReq }) => {
          const step = mcpReq.requestState();
          if (step) return { content: [{ type: "text" as const, text: `step ${JSON.stringify(step)}` }] };
          return inputRequired({ requestState: await codec.mint({ step: 2 }) });
        },
        approvals,
      ),
    );
    return server;
  }

  /** A client of the official library. In the older era it shares a pipe with the server, or a session over HTTP. */
  async client(era: Era, user?: User, over: "pipe" | "session" | "nothing" = "pipe"): Promise<Client> {
    const client = new Client(
      { name: "host", version: "1.0.0" },
      {
        capabilities: user ? { elicitation: user.modes } : {},
        versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" },
      },
    );
    if (user)
      client.setRequestHandler("elicitation/create", async ({ params }) => {
        const action = await user.answer(params);
        return { action, ...(action === "accept" && params.mode !== "url" ? { content: {} } : {}) };
      });
    this.#undo.push(() => client.close());
    if (era === "legacy" && over === "pipe") {
      const [near, far] = InMemoryTransport.createLinkedPair();
      await Promise.all([this.server().connect(far), client.connect(near)]);
      return client;
    }
    const answer = await this.#listener(over);
    const fetch = (url: string | URL, init?: RequestInit) => answer(new Request(url, init));
    await client.connect(new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), { fetch }));
    return client;
  }

  async #listener(over: "pipe" | "session" | "nothing"): Promise<(request: Request) => Promise<Response>> {
    if (over === "session") {
      const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID() });
      await this.server().connect(transport);
      return (request) => transport.handleRequest(request);
    }
    const handler = createMcpHandler(() => this.server());
    return (request) => handler.fetch(request, this.authInfo ? { authInfo: this.authInfo } : {});
  }

  async close(): Promise<void> {
    await Promise.all(this.#undo.map((undo) => undo()));
    await this.guard.close();
  }
}

/** What came of a call, as the client has it. */
export interface Result {
  readonly resultType?: string;
  readonly requestState?: string;
  readonly inputRequests?: Readonly<Record<string, { readonly params: Readonly<Record<string, unknown>> }>>;
  readonly content?: readonly { readonly text?: string }[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Sends a call by hand, as a host does that keeps the state while people decide. */
export async function send(client: Client, name: string, args: object, more: object = {}): Promise<Result> {
  const params = { name, arguments: args, ...more };
  return (await client.request({ method: "tools/call", params }, { allowInputRequired: true })) as Result;
}

/** What a result tells the model, and the refusal in it. */
export const toldBy = (result: object) => {
  const { content, _meta } = result as Result;
  const refusal = _meta?.[META] as Readonly<Record<string, unknown>> | undefined;
  return { text: content?.[0]?.text, code: refusal?.code, address: refusal?.address, ended: refusal?.ended };
};
