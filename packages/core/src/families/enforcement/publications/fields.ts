import { z } from "#schema/z.js";

/** Clients whose administrator's files are published. */
export const PUBLISHED_CLIENTS = ["claude-code", "codex", "copilot", "gemini-cli", "vscode", "cursor"] as const;
export type PublishedClient = (typeof PUBLISHED_CLIENTS)[number];

/** How strictly a client holds to an entry, the strictest first. */
export const HELD_TO = ["url", "command_and_arguments", "command", "name", "none"] as const;

export const Entry = z.object({
  assetId: z.string().meta({ description: "The asset of the MCP server." }),
  name: z.string().meta({ description: "Its name in the client." }),
  url: z.string().nullable().meta({ description: "Its address; `null` for one that the client starts." }),
  command: z.string().nullable().meta({ description: "The program that the client starts." }),
  args: z.array(z.string()).meta({ description: "The arguments of the program." }),
  heldTo: z.enum(HELD_TO).meta({ description: "What the client compares before it uses the server." }),
});
export type Entry = z.output<typeof Entry>;

export const LeftOut = z.object({
  assetId: z.string().meta({ description: "The asset of the MCP server." }),
  name: z.string().meta({ description: "Its name in the client." }),
  reasons: z.array(z.string()).meta({ description: "Codes of why it may not be used now, or cannot be written." }),
});
export type LeftOut = z.output<typeof LeftOut>;

export const PublishedFile = z
  .object({
    path: z.string().meta({ description: "Where it stands, below the directory." }),
    content: z.string().meta({ description: "The text of the file." }),
  })
  .meta({ id: "PublishedFile" });
export type PublishedFile = z.output<typeof PublishedFile>;
