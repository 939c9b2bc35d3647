import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

export const MCP_PACKAGE = "@modelcontextprotocol/server-everything";

/** What an MCP server says of one of its tools. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
  readonly readOnly: boolean;
}

export interface Inventory {
  readonly server: { readonly name: string; readonly version: string };
  readonly packageVersion: string;
  readonly tools: readonly Tool[];
}

/** Starts the published server as a process of its own, reads what it offers over stdio, and stops it. */
export async function readInventory(): Promise<Inventory> {
  const require = createRequire(import.meta.url);
  const manifestFile = require.resolve(`${MCP_PACKAGE}/package.json`);
  const manifest = require(manifestFile) as { version: string; bin: Record<string, string> };
  const [program = ""] = Object.values(manifest.bin);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(dirname(manifestFile), program), "stdio"],
    stderr: "ignore",
  });
  const client = new Client({ name: "reeve-tour", version: "1.0.0" });
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    const { name = "", version = "" } = client.getServerVersion() ?? {};
    return {
      server: { name, version },
      packageVersion: manifest.version,
      tools: tools.map((tool) => ({
        name: tool.name,
        description: tool.description ?? "",
        inputSchema: tool.inputSchema,
        readOnly: tool.annotations?.readOnlyHint === true,
      })),
    };
  } finally {
    await client.close();
  }
}
