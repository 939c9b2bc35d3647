import { invalidProperty } from "#kernel/http/errors.js";
import { isSame } from "#kernel/records/is-same.js";
import type { McpServerFields } from "./fields.js";
import type { McpServer } from "./schema.js";

type Given = Partial<McpServerFields>;

/** Whether the server still has a secret after `given` is stored. */
export function keepsSecret(given: Given, before: McpServer): boolean {
  return before.auth.secretSetAt !== null && given.auth?.secret === undefined && given.auth?.type !== "none";
}

/** 400 unless address, command and credentials fit the transport. */
export function checkServer(given: Given, before: McpServer): void {
  const { transport, url, command, launch, auth } = { ...before, ...given };
  if (transport === "stdio" && url !== null)
    throw invalidProperty("/url", "A server that is started by a command has no address.");
  if (transport !== "stdio" && command !== null)
    throw invalidProperty("/command", 'Only servers of transport "stdio" are started by a command.');
  if (transport !== "stdio" && launch !== null)
    throw invalidProperty("/launch", 'Only servers of transport "stdio" are started by clients.');
  if (transport === "stdio" && auth.type !== "none")
    throw invalidProperty("/auth/type", "A server that is started by a command takes no credentials from here.");
  if ((auth.type === "header") !== (auth.headerName !== null))
    throw invalidProperty("/auth/headerName", 'Named for the type "header", and for no other.');
  if (auth.type === "none" && given.auth?.secret)
    throw invalidProperty("/auth/secret", 'There is nothing to show with the type "none".');
  const { mode, pinnedVersion } = { ...before, ...given }.protocol;
  if ((mode === "pin") !== (pinnedVersion !== null))
    throw invalidProperty("/protocol/pinnedVersion", 'Named for the mode "pin", and for no other.');
  if (keepsSecret(given, before) && originOf(url) !== originOf(before.url))
    throw invalidProperty("/auth/secret", "A secret is for one server: with another address it is given again.");
}

function originOf(url: string | null): string | null {
  return url === null ? null : new URL(url).origin;
}

const PARTS = { auth: ["secretSetAt"], protocol: ["negotiated", "era", "supportedVersions"] } as const;

/** 400 when a body changes values that only Reeve writes, inside objects that the caller may set. */
export function checkParts(given: Given, before: McpServer): void {
  for (const [part, names] of Object.entries(PARTS)) {
    const [sent, held] = [given, before].map((record) => record[part as keyof typeof PARTS]);
    for (const name of names) {
      const value = (sent as Record<string, unknown> | undefined)?.[name];
      if (value === undefined || isSame(value, (held as Record<string, unknown>)[name])) continue;
      throw invalidProperty(`/${part}/${name}`, "Read-only.", "read_only_property");
    }
  }
}
