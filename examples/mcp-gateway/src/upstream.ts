import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Client, type StandardSchemaV1, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Limits } from "./limits.js";

export type Json = Readonly<Record<string, unknown>>;

/** A tool as the server describes it. */
export interface Tool extends Json {
  readonly name: string;
}

/** What a tool gave, or why it was not called, as MCP tells it. */
export interface ToolResult extends Json {
  readonly content: readonly Json[];
  readonly isError?: boolean;
}

/** The server behind the gateway. Its clients never reach it themselves. */
export interface Upstream {
  /** All tools as they are described now. Rejects for a list that is not read to its end. */
  tools(): Promise<readonly Tool[]>;
  /** Rejects where nobody knows what has come of it. */
  call(name: string, args: Json): Promise<ToolResult>;
  close(): Promise<void>;
}

const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json");
/** The published server, in a process of its own. */
export const EVERYTHING = { command: process.execPath, args: [join(dirname(manifest), "dist", "index.js"), "stdio"] };

/** It gets none of the secrets in the environment of this process. */
export const openEverything = (): Transport => new StdioClientTransport({ ...EVERYTHING, env: {}, stderr: "ignore" });

/** The most pages of a list. */
const MOST_PAGES = 20;

/** Answers as they come. The client would drop members that it does not know, and people have approved those too. */
const asSent: StandardSchemaV1<unknown, Json> = {
  "~standard": { version: 1, vendor: "gateway", validate: (value) => ({ value: value as Json }) },
};

/** A connection to the server, which is made at the first call and again after it has broken. */
export function upstreamOf(open: () => Transport, { callMs: timeout, resultLength }: Limits): Upstream {
  let client: Promise<Client> | undefined;
  const connect = async (): Promise<Client> => {
    const made = new Client({ name: "gateway", version: "1.0.0" });
    made.onclose = () => {
      client = undefined;
    };
    await made.connect(open(), { timeout });
    return made;
  };
  const ask = async (method: string, params: Json): Promise<Json> => {
    client ??= connect().catch((error: unknown) => {
      client = undefined;
      throw error;
    });
    return (await client).request({ method, params }, asSent, { timeout });
  };
  return {
    async tools() {
      const tools: Tool[] = [];
      let cursor: unknown;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const answer = await ask("tools/list", cursor === undefined ? {} : { cursor });
        tools.push(...(answer.tools as Tool[]));
        cursor = answer.nextCursor;
        if (cursor) continue;
        if (new Set(tools.map(({ name }) => name)).size < tools.length) throw new Error("Two tools have one name.");
        return tools;
      }
      throw new Error("The list has no end.");
    },
    async call(name, args) {
      const { content, structuredContent, isError } = await ask("tools/call", { name, arguments: args });
      const result = { content: content as readonly Json[], structuredContent, isError: isError === true };
      if (JSON.stringify(result).length > resultLength)
        return failed("result_too_large", "The call was made. Its result is more than is passed on.");
      return result;
    },
    close: async () => (await client)?.close(),
  };
}

/** What somebody has approved of a tool: each member as MCP has it, and the field of it in the record of Reeve. */
const APPROVED = {
  ...{ name: "toolName", title: "title", description: "toolDescription", inputSchema: "inputSchema" },
  ...{ outputSchema: "outputSchema", annotations: "annotations", execution: "execution", _meta: "meta" },
} as const;

/** Whether the server describes a tool as in its record, which says what somebody has approved. */
export const isAsApproved = (tool: Tool, record: Json | undefined): boolean =>
  record !== undefined &&
  Object.entries(APPROVED).every(([member, field]) => isDeepStrictEqual(tool[member] ?? null, record[field] ?? null));

/** A tool without what nobody has looked at. */
export const approvedPart = (tool: Tool): Json =>
  Object.fromEntries(Object.entries(tool).filter(([member]) => Object.hasOwn(APPROVED, member)));

/** A failure of a tool, whose text begins with a code. */
export const failed = (code: string, text: string): ToolResult => ({
  isError: true,
  content: [{ type: "text", text: `${code}: ${text}` }],
});
