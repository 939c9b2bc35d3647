import { posix } from "node:path";
import { z } from "zod";
import { UnusableFile } from "../file.js";
import { FILE_LIMITS } from "../limits.js";
import { addressOf } from "./address.js";
import type { McpFormat } from "./formats.js";
import { commandOf } from "./package.js";
import { holdsSecret } from "./secrets.js";

const Texts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).catch({});

/** What clients write about a server. Names differ from client to client. */
const Entry = z.object({
  type: z.string().optional().catch(undefined),
  command: z.union([z.string(), z.array(z.string()), z.object({ path: z.string() })]).optional(),
  args: z.array(z.unknown()).catch([]),
  url: z.string().optional(),
  httpUrl: z.string().optional(),
  serverUrl: z.string().optional(),
  env: Texts,
  environment: Texts,
  headers: Texts,
  http_headers: Texts,
  enabled: z.boolean().optional().catch(undefined),
  disabled: z.boolean().optional().catch(undefined),
});

/** A server without its secrets. */
export interface FoundServer {
  readonly record: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What a configuration says about a server. Values of its environment, headers and arguments are left out. */
export function serverOf(value: unknown, format: McpFormat): FoundServer {
  const { data } = Entry.safeParse(value);
  if (!data) throw new UnusableFile("A server in it is described in another way than is known.");
  const url = data.httpUrl ?? data.serverUrl ?? data.url;
  const [command, ...inCommand] = words(data.command);
  if (url === undefined && command === undefined) throw new UnusableFile("A server in it has no address and command.");
  const args = [...inCommand, ...data.args.map(String)];
  const env = { ...data.env, ...data.environment };
  const headers = { ...data.headers, ...data.http_headers };
  const names = Object.keys(env)
    .slice(0, FILE_LIMITS.name)
    .map((name) => name.slice(0, FILE_LIMITS.name));
  // Clients write either. A server that is switched off is there all the same.
  const off = data.enabled === false || data.disabled === true ? { enabled: false } : {};
  if (url !== undefined) {
    const { address, host, hidSecret } = addressOf(url);
    return {
      record: { transport: transportOf(data, format), ...(address ? { url: address } : {}) },
      metadata: { ...(host ? { host } : {}), ...off, ...secretMark(hidSecret || holdsSecret({ env, headers, args })) },
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
      ...secretMark((remote?.hidSecret ?? false) || holdsSecret({ env, headers, args })),
    },
  };
}

const secretMark = (held: boolean) => (held ? { hasInlineSecret: true } : {});

/** A command as words. One that is a whole command line is cut at its blanks. */
function words(command: z.output<typeof Entry>["command"]): readonly string[] {
  if (Array.isArray(command)) return command;
  const text = typeof command === "object" ? command.path : command;
  return text?.trim() ? text.trim().split(/\s+/) : [];
}

function transportOf({ type, httpUrl }: z.output<typeof Entry>, { url }: McpFormat): "sse" | "streamable_http" {
  if (type === "sse") return "sse";
  return type === undefined && httpUrl === undefined && url === "sse" ? "sse" : "streamable_http";
}
