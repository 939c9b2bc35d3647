import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { Failure } from "../../failure.js";
import type { ExitCode, Invocation } from "../command.js";
import { callAny, operationOf } from "../remote/any-operation.js";
import { type RemoteOptions, withServer } from "../remote/server.js";

interface Options extends RemoteOptions {
  readonly param?: readonly string[];
  readonly query?: readonly string[];
  readonly body?: string;
  readonly seen?: string;
}

/** Calls an operation by its id, and prints the answer as it is. */
export async function call(invocation: Invocation, id: string, options: Options): Promise<ExitCode> {
  const { output } = invocation;
  const { path } = operationOf(id);
  const given = pairsOf("--param", options.param);
  const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const missing = wanted.filter((name) => !Object.hasOwn(given, name));
  if (missing.length > 0) throw new Failure(`${id} takes ${missing.map((name) => `--param ${name}=…`).join(" ")}`);
  const body = options.body === undefined ? undefined : await bodyOf(options.body);
  await withServer(invocation, options, async ({ client }) => {
    const { data, response } = await callAny(client, id, {
      params: { path: given, query: pairsOf("--query", options.query) },
      ...(body === undefined ? {} : { body }),
      ...(options.seen === undefined ? {} : { ifMatch: `"${options.seen}"` }),
      parseAs: "text",
    });
    const answer = data as string;
    if (!/\bjson\b/.test(response.headers.get("content-type")?.split(";")[0] ?? "")) return output.text(answer);
    if (output.isJson) return output.item(JSON.parse(answer));
    output.text(JSON.stringify(JSON.parse(answer), null, 2));
  });
  return 0;
}

/** `name=value` pairs. A name that is given again is a list. */
function pairsOf(option: string, words: readonly string[] = []): Record<string, string | string[]> {
  const pairs: Record<string, string | string[]> = {};
  for (const word of words) {
    const at = word.indexOf("=");
    if (at < 1) throw new Failure(`${option} takes <name>=<value>`);
    const [name, value] = [word.slice(0, at), word.slice(at + 1)];
    const before = pairs[name];
    pairs[name] = before === undefined ? value : [...[before].flat(), value];
  }
  return pairs;
}

async function bodyOf(word: string): Promise<unknown> {
  const json = word === "-" ? await text(process.stdin) : word.startsWith("@") ? fileOf(word.slice(1)) : word;
  try {
    return JSON.parse(json);
  } catch {
    throw new Failure("the body is not valid JSON; it is JSON, @<file>, or - for standard input");
  }
}

function fileOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}
