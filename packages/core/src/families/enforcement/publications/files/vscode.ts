import type { Entry } from "../fields.js";
import { allowedServers, byName, definitionOf, type Format, jsonFile, plainEntryOf } from "./format.js";

/** VS Code replaces variables in definitions, and reads `*` in addresses of its list as a wildcard. */
const REPLACED = /[$*]/;

/**
 * VS Code: a policy of the device with the list of servers. Policies that are no plain values are texts of JSON. Beside
 * it stand the definitions that people take over, since VS Code starts servers of its users' files alone.
 */
export const vscode: Format = {
  directory: "/etc/vscode",
  triedWith: null,
  notControlled: [
    "These files follow the documentation of VS Code, and were not tried with it.",
    "Versions before 1.130 do not know the list. They use any server, or none where this list is empty.",
    "Sessions of its agent host find servers by themselves. Publish the files of Copilot CLI for them too.",
    "Calls of tools: VS Code has no hook of an administrator that is known here.",
    "`mcp.json` is not read where it stands. People take it over as their own, or as `.vscode/mcp.json` of a project.",
    "Upper and lower case in an address.",
    "Telemetry is not set.",
    "The environment of a server that VS Code starts, and headers that are sent to a server.",
  ],
  entryOf: (server, name) => plainEntryOf(server, name, REPLACED),
  files: ({ entries }) => [
    jsonFile("policy.json", {
      ChatAllowManagedMcpServersOnly: true,
      ChatAllowedMcpServers: JSON.stringify(allowedServers(entries.map(asCalled))),
      // The one policy that older versions know. It has no place between all and none for servers of a list.
      ...(entries.length === 0 ? { ChatMCP: "none" } : {}),
    }),
    jsonFile("mcp.json", { servers: byName(entries, definitionOf) }),
  ],
};

/** VS Code compares the address as it calls it, with a slash after a bare host. */
const asCalled = (entry: Entry): Entry => (entry.url === null ? entry : { ...entry, url: new URL(entry.url).href });
