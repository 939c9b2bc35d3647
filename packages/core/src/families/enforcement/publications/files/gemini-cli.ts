import { byName, type Format, jsonFile, plainEntryOf } from "./format.js";

/** Gemini CLI replaces variables in its settings. */
const REPLACED = /\$/;
/** Above what a user may write. */
const PRIORITY = 900;

/** Gemini CLI: definitions of an administrator, which replace those of the user, and static rules for tools. */
export const geminiCli: Format = {
  directory: "/etc/gemini-cli",
  triedWith: "0.61.0",
  notControlled: [
    "Hooks of an administrator are merged with those of the user, so calls are held to static rules.",
    "Names of servers are compared without regard to case.",
    "The environment of a server that Gemini CLI starts.",
  ],
  entryOf: (server, name) => plainEntryOf(server, name, REPLACED),
  async files({ entries }) {
    const { stringify } = await import("smol-toml");
    const rules = stringify({
      rule: [
        ...entries.map(({ name }) => ({ mcpName: name, decision: "ask_user", priority: PRIORITY })),
        { mcpName: "*", decision: "deny", priority: PRIORITY - 1 },
      ],
    });
    return [
      jsonFile("settings.json", {
        mcp: { allowed: entries.map(({ name }) => name) },
        mcpServers: byName(entries, ({ url, command, args }) => (url === null ? { command, args } : { httpUrl: url })),
      }),
      { path: "policies/reeve.toml", content: `${rules}\n` },
    ];
  },
};
