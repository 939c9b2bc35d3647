import { startMcpServer } from "@reeve/testkit/mcp";

/** A small MCP server, made with the official library, whose one tool can change its description. */
export interface NotesServer {
  readonly url: string;
  /** Changes the description of its tool. */
  describe(description: string): void;
  stop(): Promise<void>;
}

/** Starts it on a free local port. */
export async function startNotesServer(first: string): Promise<NotesServer> {
  const tools = (description: string) => [{ ...TOOL, description }];
  const { url, offer, stop } = await startMcpServer({ name: "notes", tools: tools(first) });
  return { url, stop, describe: (description) => offer({ tools: tools(description) }) };
}

const TOOL = {
  name: "read-note",
  inputSchema: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
  annotations: { readOnlyHint: true },
};
