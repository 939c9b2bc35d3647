import { z } from "zod";
import type { Parts } from "../../parts.js";
import { isTable } from "./entries.js";

type Members = Readonly<Record<string, unknown>>;
type Texts = Readonly<Record<string, string>>;

/** What a configuration says of a server, under one name for what clients call differently. */
export interface Given {
  readonly type: string | undefined;
  readonly url: string | undefined;
  /** Whether the name of its address says that it is reached over HTTP. */
  readonly isHttp: boolean;
  /** The command and words in it. */
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: Texts;
  readonly headers: Texts;
  readonly off: boolean;
  /** Words in parts that were left out, among which a secret may be. */
  readonly odd: readonly string[];
}

const Scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const Words = z.array(Scalar);

export function givenOf(server: Members, parts: Parts): Given {
  const odd: string[] = [];
  const read = <T>(of: Members, name: string, shape: z.ZodType<T>, part = name): T | undefined => {
    const found = parts.read(of[name], part, shape);
    if (found === undefined) odd.push(...wordsIn(of[name]));
    return found;
  };
  const texts = (of: Members, name: string, part = name): Texts => {
    const members = read(of, name, Table, part) ?? {};
    return Object.fromEntries(Object.entries(members).map(([key]) => [key, read(members, key, Scalar, part) ?? ""]));
  };
  // Zed once wrote a command with all that belongs to it.
  const inner = isTable(server.command) ? server.command : undefined;
  const command = inner ? read(inner, "path", z.string(), "command.path") : read(server, "command", Command);
  const [httpUrl, serverUrl, url] = ["httpUrl", "serverUrl", "url"].map((name) => read(server, name, z.string()));
  const innerArgs = inner ? read(inner, "args", Words, "command.args") : undefined;
  const given = command === undefined ? [] : typeof command === "string" ? wordsOf(command) : command;
  // Its place decides what an argument means, so that all are left out with an odd one.
  const args = [...(innerArgs ?? []), ...(read(server, "args", Words) ?? [])];
  return {
    type: read(server, "type", z.string()),
    url: httpUrl ?? serverUrl ?? url,
    isHttp: httpUrl !== undefined,
    command: given,
    args: [...given.slice(1), ...args],
    env: {
      ...(inner ? texts(inner, "env", "command.env") : {}),
      ...texts(server, "env"),
      ...texts(server, "environment"),
    },
    headers: { ...texts(server, "headers"), ...texts(server, "http_headers") },
    off: read(server, "enabled", z.boolean()) === false || read(server, "disabled", z.boolean()) === true,
    odd,
  };
}

const Table = z.custom<Members>(isTable);
const Command = z.union([z.string(), z.array(z.string())]);

/** One that is a whole command line is cut at its blanks. */
const wordsOf = (text: string) => text.trim().split(/\s+/).filter(Boolean);

/** Every word in a value, as deep as people write. */
function wordsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === "string") return wordsOf(value);
  if (typeof value !== "object" || value === null || depth > 4) return [];
  return Object.values(value).flatMap((one) => wordsIn(one, depth + 1));
}
