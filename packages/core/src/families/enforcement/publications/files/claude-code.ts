import { allowedServers, byName, definitionOf, type Format, jsonFile, plainEntryOf } from "./format.js";
import { CREDENTIAL_VARIABLE, HEADERS_HELPER, HOOK_SECONDS, hookUrl, otlpUrl } from "./hook.js";

/** Claude Code replaces variables in definitions, and reads `*` in addresses of its lists as a wildcard. */
const REPLACED = /[$*]/;

const hooksTo = (url: string) => ({
  type: "http",
  url,
  timeout: HOOK_SECONDS,
  onFailure: "block",
  headers: { Authorization: `Bearer $${CREDENTIAL_VARIABLE}` },
  allowedEnvVars: [CREDENTIAL_VARIABLE],
});

/** Has it send its logs, with the names of MCP servers and their tools. Arguments come with them, and are dropped. */
function telemetryTo(baseUrl: string) {
  const endpoint = otlpUrl(baseUrl);
  if (endpoint === undefined) return {};
  const env = {
    ...{ CLAUDE_CODE_ENABLE_TELEMETRY: "1", OTEL_LOGS_EXPORTER: "otlp", OTEL_LOG_TOOL_DETAILS: "1" },
    ...{ OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf", OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
  };
  return { env, otelHeadersHelper: HEADERS_HELPER };
}

/** Claude Code: its servers alone are there, and every call asks. Without an answer it is blocked. */
export const claudeCode: Format = {
  directory: "/etc/claude-code",
  triedWith: "2.1.332",
  notControlled: [
    "The environment of a server that Claude Code starts.",
    "Headers that are sent to a server.",
    "Versions before 2.1.295 make a call when the hook fails.",
    "An answer without a text, of status 200 or 204, leaves a call to the rules of its user.",
    "The credential is in the environment of programs that Claude Code starts.",
  ],
  entryOf: (server, name) => plainEntryOf(server, name, REPLACED),
  files: ({ entries, baseUrl }) => [
    jsonFile("managed-mcp.json", { mcpServers: byName(entries, definitionOf) }),
    jsonFile("managed-settings.json", {
      allowManagedMcpServersOnly: true,
      allowedMcpServers: allowedServers(entries),
      allowManagedHooksOnly: true,
      hooks: {
        PreToolUse: [{ matcher: "*", hooks: [hooksTo(hookUrl(baseUrl, "claude-code"))] }],
        SessionEnd: [{ hooks: [{ ...hooksTo(hookUrl(baseUrl, "claude-code")), onFailure: undefined }] }],
      },
      ...telemetryTo(baseUrl),
    }),
  ],
};
