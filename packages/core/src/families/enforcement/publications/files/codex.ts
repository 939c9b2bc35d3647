import { byName, entryOf, type Format } from "./format.js";
import { HOOK_SECONDS } from "./hook.js";

/**
 * Codex makes a call when its hook ends in any other way than with 2, also where the program is missing. The program is
 * looked for in folders of the system alone, since the rest of the environment is its user's.
 */
const COMMAND =
  "env -u NODE_OPTIONS -u REEVE_INSTALLATION_FILE PATH=/usr/local/bin:/usr/bin:/bin reeve hook --client codex || exit 2";

const hook = { type: "command", command: COMMAND, timeout: HOOK_SECONDS };

const exact = (value: string) => ({ match: "exact", value });

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
  async files({ entries }) {
    const { stringify } = await import("smol-toml");
    const content = stringify({
      allow_managed_hooks_only: true,
      features: { hooks: true },
      hooks: {
        managed_dir: "/etc/codex/hooks",
        PreToolUse: [{ matcher: "*", hooks: [hook] }],
        SessionEnd: [{ hooks: [hook] }],
      },
      mcp_servers: byName(entries, ({ url, command, args }) => ({
        identity: url === null ? { command: { executable: command, args: args.map(exact) } } : { url: exact(url) },
      })),
    });
    return [{ path: "requirements.toml", content: `${content}\n` }];
  },
};
