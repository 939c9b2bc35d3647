import { allowedServers, type Format, jsonFile, plainEntryOf } from "./format.js";

/** Copilot replaces variables, refuses every server when one is not resolved, and reads `*` as a wildcard. */
const REPLACED = /[$*]/;

/** Copilot CLI: a list of servers, which holds against its user's own. It has no hook of an administrator. */
export const copilot: Format = {
  directory: "/etc/github-copilot",
  triedWith: "1.0.102",
  notControlled: [
    "Calls of tools: no hook of an administrator was found.",
    "The environment of a server that Copilot starts.",
    "Its list of servers shows what is blocked as enabled.",
    "Telemetry is set by variables of the environment alone.",
  ],
  entryOf: (server, name) => plainEntryOf(server, name, REPLACED),
  files: ({ entries }) => [jsonFile("managed-settings.json", { allowedMcpServers: allowedServers(entries) })],
};
