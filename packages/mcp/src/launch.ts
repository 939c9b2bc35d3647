import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { McpLaunch, McpTarget } from "@reeve/core";
import type { McpCommand } from "./process-transport.js";
import type { McpConnectorSettings } from "./settings.js";

/** The command of a target, as far as the host has registered it. */
export function commandOf(
  { commands = {} }: McpConnectorSettings,
  { transport, command }: McpTarget,
): McpCommand | undefined {
  if (transport !== "stdio" || command === null) return undefined;
  return Object.hasOwn(commands, command) ? commands[command] : undefined;
}

/** Digests of what a server is started with. Arguments may hold secrets, so they are shown by their digest only. */
export function launchOf(command: McpCommand | undefined): { readonly launch?: McpLaunch } {
  if (!command) return {};
  const { command: program, args = [], env = {}, cwd = "." } = command;
  return {
    launch: {
      environment: digestOf(Object.keys(env).sort()),
      arguments: digestOf([program, ...args]),
      folder: digestOf(resolve(cwd)),
    },
  };
}

const digestOf = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex");
