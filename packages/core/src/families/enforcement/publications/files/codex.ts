import { byName, entryOf, type Format } from "./format.js";
import { HEADERS_HELPER, HOOK_SECONDS, hookCommand, otlpUrl } from "./hook.js";
import { tomlFile } from "./toml.js";

const hook = { type: "command", command: hookCommand("codex"), timeout: HOOK_SECONDS };

const exact = (value: string) => ({ match: "exact", value });

/** Has it send its logs, without what people have typed. */
function telemetryTo(baseUrl: string) {
  const url = otlpUrl(baseUrl);
  if (url === undefined) return {};
  const exporter = { "otlp-http": { endpoint: `${url}/v1/logs`, protocol: "binary" } };
  return { otel: { headers_helper: HEADERS_HELPER, log_user_prompt: false, exporter } };
}

/** Codex: identities by address, or by program and every argument. Every call asks through a command. */
export const codex: Format = {
  directory: "/etc/codex",
  triedWith: "0.171.0",
  notControlled: [
    "A hook that hangs lets the call pass. `reeve hook` bounds itself, and ends so that the call is blocked.",
    "Text for a command that runs already, and tools that the provider of the model runs.",
    "The environment of a server that Codex starts.",
  ],
  entryOf,
  files: ({ entries, baseUrl }) => [
    tomlFile("requirements.toml", {
      allow_managed_hooks_only: true,
      features: { hooks: true },
      hooks: {
        managed_dir: "/etc/codex/hooks",
        PreToolUse: [{ matcher: "*", hooks: [hook] }],
        SessionEnd: [{ hooks: [hook] }],
      },
      ...telemetryTo(baseUrl),
      mcp_servers: byName(entries, ({ url, command, args }) => ({
        identity: url === null ? { command: { executable: command, args: args.map(exact) } } : { url: exact(url) },
      })),
    }),
  ],
};
