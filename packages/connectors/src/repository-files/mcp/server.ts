import { posix } from "node:path";
import type { Parts } from "../../parts.js";
import { UnusableFile } from "../file.js";
import { FILE_LIMITS } from "../limits.js";
import { addressOf } from "./address.js";
import { isTable } from "./entries.js";
import type { McpFormat } from "./formats.js";
import { type Given, givenOf } from "./given.js";
import { commandOf } from "./package.js";
import { holdsSecret } from "./secrets.js";

/** A server without its secrets. */
export interface FoundServer {
  readonly record: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * What a configuration says about a server. Values of its environment, headers and arguments are left out.
 * A part of an odd form is left out and told in `parts`.
 */
export function serverOf(value: unknown, format: McpFormat, parts: Parts): FoundServer {
  if (!isTable(value)) throw new UnusableFile("A server in it is described in another way than is known.");
  const given = givenOf(value, parts);
  const { url, args, env, headers, odd } = given;
  const [command] = given.command;
  if (url === undefined && command === undefined) throw new UnusableFile("A server in it has no address and command.");
  const names = Object.keys(env)
    .slice(0, FILE_LIMITS.name)
    .map((name) => name.slice(0, FILE_LIMITS.name));
  // Clients write either. A server that is switched off is there all the same.
  const off = given.off ? { enabled: false } : {};
  const holds = holdsSecret({ env, headers, args: [...args, ...odd] });
  if (url !== undefined) {
    const { address, host, hidSecret } = addressOf(url);
    return {
      record: { ...transportOf(given, format, parts), ...(address ? { url: address } : {}) },
      metadata: { ...(host ? { host } : {}), ...off, ...secretMark(hidSecret || holds) },
    };
  }
  const found = commandOf(command as string, args);
  const remote = found.remote === undefined ? undefined : addressOf(found.remote);
  return {
    record: {
      // A command that only leads to a server elsewhere is that server.
      transport: remote ? "streamable_http" : "stdio",
      ...(remote?.address ? { url: remote.address } : {}),
      ...(found.package ? { package: found.package } : {}),
    },
    metadata: {
      ...(remote?.host ? { host: remote.host } : {}),
      command: posix.basename((command as string).replaceAll("\\", "/")).slice(0, FILE_LIMITS.name),
      ...(names.length > 0 ? { environment: names } : {}),
      ...off,
      ...secretMark((remote?.hidSecret ?? false) || holds),
    },
  };
}

const secretMark = (held: boolean) => (held ? { hasInlineSecret: true } : {});

/** Clients have other names for these. Of the type of an older one, which names no transport, HTTP is meant. */
const HTTP = new Set(["http", "streamablehttp", "remote", "stdio", "local"]);

function transportOf({ type, isHttp }: Given, { url }: McpFormat, parts: Parts): { transport?: string } {
  const name = type?.toLowerCase().replace(/[-_ ]/g, "");
  if (name === "sse") return { transport: "sse" };
  if (name === undefined) return { transport: !isHttp && url === "sse" ? "sse" : "streamable_http" };
  if (HTTP.has(name)) return { transport: "streamable_http" };
  parts.leaveOut("type", "It is no transport that is known.");
  return {};
}
