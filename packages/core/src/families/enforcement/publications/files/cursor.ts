import type { McpServer } from "#families/estate/index.js";
import type { Entry } from "../fields.js";
import { byName, type Format, jsonFile, plainEntryOf } from "./format.js";
import { HOOK_SECONDS, hookCommand } from "./hook.js";

/** Cursor replaces variables in definitions. */
const REPLACED = /\$/;

const hook = { command: hookCommand("cursor"), timeout: HOOK_SECONDS };
const blocking = { ...hook, failClosed: true };

/**
 * Cursor: hooks of an administrator, which ask before a command of the shell and before a call of an MCP server. It has
 * no list of servers for an administrator, so it holds to no entry by itself.
 */
export const cursor: Format = {
  directory: "/etc/cursor",
  triedWith: null,
  notControlled: [
    "These files follow the documentation of Cursor, and were not tried with it.",
    "Cursor starts and reaches any server. The hook denies calls of those that are not published.",
    "Its own tools beside the shell, as those that read and edit files.",
    "A version that does not know `failClosed` lets a command of the shell pass when the hook fails.",
    "`mcp.json` is not read where it stands. People take it over as their own, or as `.cursor/mcp.json` of a project.",
    "Telemetry: Cursor is not known to send any to a place of one's own.",
    "The environment of a server that Cursor starts, and headers that are sent to a server.",
  ],
  entryOf(server: McpServer, name: string): Entry | undefined {
    const entry = plainEntryOf(server, name, REPLACED);
    return entry && { ...entry, heldTo: "none" };
  },
  files: ({ entries }) => [
    jsonFile("hooks.json", {
      version: 1,
      hooks: { beforeShellExecution: [blocking], beforeMCPExecution: [blocking], sessionEnd: [hook] },
    }),
    jsonFile("mcp.json", {
      mcpServers: byName(entries, ({ url, command, args }) => (url === null ? { command, args } : { url })),
    }),
  ],
};
