import { type Client, ProtocolErrorCode } from "@modelcontextprotocol/client";
import type { McpLeftOut, McpSnapshot } from "@reeve/core";
import type { McpCall } from "./call.js";
import { CallFailed, errorAnswer, failureOf } from "./failure.js";
import { handshake } from "./handshake.js";
import { readPrompt, readResource, readTemplate, readTool } from "./items.js";
import { distinct, listAll } from "./listing.js";

interface Part<T> {
  readonly items: readonly T[];
  readonly truncated: boolean;
}
const NONE: Part<never> = { items: [], truncated: false };

/** The most times that an offer is read when the server says that it changes meanwhile. */
const MOST = 3;

/** Lists everything that a connected server offers, and again when it says that its lists have changed meanwhile. */
export async function snapshotOf(client: Client, call: McpCall): Promise<McpSnapshot> {
  for (let time = 0; time < MOST; time++) {
    const before = call.changes();
    const seen = await offerOf(client, call);
    if (call.changes() === before) return seen;
  }
  throw new CallFailed("protocol_error", "list_changing");
}

async function offerOf(client: Client, call: McpCall): Promise<McpSnapshot> {
  const greeted = handshake(client);
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  const leftOut: McpLeftOut[] = [];
  /** What a server may lack is left out where it cannot be read. It ends no call that can go on. */
  const optional = async <T>(part: McpLeftOut["part"], work: () => Promise<Part<T>>): Promise<Part<T>> => {
    try {
      return await work();
    } catch (error) {
      const reason = unreadable(error);
      if (reason === undefined || call.signal.aborted) throw error;
      // Templates have no capability of their own: a server without the method has none.
      if (part === "resourceTemplates" && reason === "method_not_found") return NONE;
      leftOut.push({ part, reason });
      return NONE;
    }
  };
  const listed = tools
    ? await listAll(client, call, { method: "tools/list", member: "tools", read: readTool })
    : { items: [] };
  const asked = prompts
    ? await optional("prompts", async () => {
        const found = await listAll(client, call, { method: "prompts/list", member: "prompts", read: readPrompt });
        return { ...found, items: distinct(found.items, ({ name }) => name) };
      })
    : NONE;
  const templates = resources
    ? await optional("resourceTemplates", async () => {
        const list = { method: "resources/templates/list", member: "resourceTemplates", read: readTemplate } as const;
        const found = await listAll(client, call, list);
        return { ...found, items: distinct(found.items, ({ uriTemplate }) => uriTemplate) };
      })
    : NONE;
  const held = resources
    ? await optional("resources", () =>
        listAll(client, call, { method: "resources/list", member: "resources", read: readResource, partial: true }),
      )
    : NONE;
  return {
    ...greeted,
    tools: distinct(listed.items, ({ name }) => name),
    prompts: asked.items,
    resourceTemplates: templates.items,
    resources: held.items,
    resourcesTruncated: held.truncated,
    ...(leftOut.length > 0 ? { leftOut } : {}),
  };
}

/** Why a list cannot be read, where the server has answered; `undefined` for what is wrong with the whole call. */
function unreadable(error: unknown): string | undefined {
  if (errorAnswer(error) === ProtocolErrorCode.MethodNotFound) return "method_not_found";
  const { code, reason } = failureOf(error);
  return code === "protocol_error" || code === "too_large" || code === "too_many" ? reason : undefined;
}
