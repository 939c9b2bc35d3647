import { byName, type Format, jsonFile, plainEntryOf } from "./format.js";
import { HOOK_SECONDS, hookCommand, otlpUrl } from "./hook.js";
import { tomlFile } from "./toml.js";

/** Gemini CLI replaces variables in its settings. */
const REPLACED = /\$/;
/** Above what a user may write. */
const PRIORITY = 900;

/** Has it send its logs, without what people have typed. */
function telemetryTo(baseUrl: string) {
  const otlpEndpoint = otlpUrl(baseUrl);
  if (otlpEndpoint === undefined) return {};
  return { telemetry: { enabled: true, target: "local", otlpProtocol: "http", otlpEndpoint, logPrompts: false } };
}

/** Its timeouts are milliseconds. */
const hook = { type: "command", name: "reeve", command: hookCommand("gemini-cli"), timeout: HOOK_SECONDS * 1_000 };

/** Gemini CLI: definitions of an administrator, which replace those of the user, static rules for tools, and a hook. */
export const geminiCli: Format = {
  directory: "/etc/gemini-cli",
  triedWith: "0.61.0",
  notControlled: [
    "The hook that asks before a call can be switched off by settings of the user. The static rules stay.",
    "A hook that hangs lets the call pass. `reeve hook` bounds itself, and ends so that the call is blocked.",
    "Names of servers are compared without regard to case.",
    "The environment of a server that Gemini CLI starts.",
    "Telemetry has no credential of its own. A person sets `OTEL_EXPORTER_OTLP_HEADERS` where Gemini CLI is started.",
  ],
  entryOf: (server, name) => plainEntryOf(server, name, REPLACED),
  files: ({ entries, baseUrl }) => [
    jsonFile("settings.json", {
      mcp: { allowed: entries.map(({ name }) => name) },
      mcpServers: byName(entries, ({ url, command, args }) => (url === null ? { command, args } : { httpUrl: url })),
      hooksConfig: { enabled: true },
      ...telemetryTo(baseUrl),
      hooks: { BeforeTool: [{ matcher: "*", hooks: [hook] }], SessionEnd: [{ hooks: [hook] }] },
    }),
    // A rule that names no tool is a fault by which the whole file is left out, though its documentation has such rules.
    tomlFile("policies/reeve.toml", {
      rule: [
        ...entries.map(({ name }) => ({ toolName: "*", mcpName: name, decision: "ask_user", priority: PRIORITY })),
        { toolName: "*", mcpName: "*", decision: "deny", priority: PRIORITY - 1 },
      ],
    }),
  ],
};
