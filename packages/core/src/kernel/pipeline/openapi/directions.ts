import type { Json } from "./json.js";
import { answered } from "./schemas.js";

/** Schemas by name, as requests and as answers have them. */
export interface Directions {
  readonly input: Record<string, Json>;
  readonly output: Record<string, Json>;
}

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g;

/**
 * One schema for each name. Where requests and answers mean the same, it is that of requests, which state more. Otherwise, as
 * when only a request may leave a property out, requests get a schema of their own, and `sent` is changed to refer to it.
 */
export function united({ input, output }: Directions, sent: readonly Json[]): Record<string, Json> {
  const names = namesOfRequests(input, output);
  const renamed = (schema: Json): Json =>
    JSON.parse(
      JSON.stringify(schema).replaceAll(REFERENCE, (whole, name: string) =>
        names.has(name) ? `"#/components/schemas/${names.get(name)}"` : whole,
      ),
    );
  for (const holder of sent) Object.assign(holder, renamed(holder));
  const given = Object.entries(input).map(([name, schema]) => [names.get(name) ?? name, renamed(schema)] as const);
  return { ...output, ...Object.fromEntries(given) };
}

/** Names for the schemas of requests that differ from those of answers, in themselves or in what they refer to. */
function namesOfRequests(input: Directions["input"], output: Directions["output"]): ReadonlyMap<string, string> {
  const both = Object.keys(input).filter((name) => name in output);
  const different = new Set(both.filter((name) => meaningOf(input[name]) !== meaningOf(output[name])));
  const refersToDifferent = (name: string) =>
    [...JSON.stringify(input[name]).matchAll(REFERENCE)].some(([, referred = ""]) => different.has(referred));
  for (let known = -1; known !== different.size; ) {
    known = different.size;
    for (const name of both) if (refersToDifferent(name)) different.add(name);
  }
  const taken = new Set([...Object.keys(input), ...Object.keys(output)]);
  return new Map([...different].map((name) => [name, free(`${name.replace(/Request$/, "")}Request`, taken)]));
}

const meaningOf = (schema: Json = {}) => JSON.stringify(answered(schema));

function free(title: string, taken: Set<string>): string {
  let name = title;
  for (let number = 2; taken.has(name); number += 1) name = `${title}${number}`;
  taken.add(name);
  return name;
}
