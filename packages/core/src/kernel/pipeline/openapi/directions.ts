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
export function* united({ input, output }: Directions, sent: readonly Json[]): Generator<void, Record<string, Json>> {
  const names = yield* namesOfRequests(input, output);
  const renamed = (schema: Json): Json =>
    JSON.parse(
      JSON.stringify(schema).replaceAll(REFERENCE, (whole, name: string) =>
        names.has(name) ? `"#/components/schemas/${names.get(name)}"` : whole,
      ),
    );
  for (const holder of sent) {
    Object.assign(holder, renamed(holder));
    yield;
  }
  const schemas = { ...output };
  for (const [name, schema] of Object.entries(input)) {
    schemas[names.get(name) ?? name] = renamed(schema);
    yield;
  }
  return schemas;
}

/** Names for the schemas of requests that differ from those of answers, in themselves or in what they refer to. */
function* namesOfRequests(
  input: Directions["input"],
  output: Directions["output"],
): Generator<void, ReadonlyMap<string, string>> {
  const different = new Set<string>();
  /** What schemas of requests refer to, of those that answers have too. */
  const referred = new Map<string, readonly string[]>();
  for (const [name, schema] of Object.entries(input)) {
    const answer = output[name];
    if (!answer) continue;
    if (meaningOf(schema) !== meaningOf(answer)) different.add(name);
    referred.set(
      name,
      [...JSON.stringify(schema).matchAll(REFERENCE)].map(([, one = ""]) => one),
    );
    yield;
  }
  for (let known = -1; known !== different.size; ) {
    known = different.size;
    for (const [name, others] of referred) if (others.some((other) => different.has(other))) different.add(name);
  }
  const taken = new Set([...Object.keys(input), ...Object.keys(output)]);
  return new Map([...different].map((name) => [name, free(`${name.replace(/Request$/, "")}Request`, taken)]));
}

const meaningOf = (schema: Json) => JSON.stringify(answered(schema));

function free(title: string, taken: Set<string>): string {
  let name = title;
  for (let number = 2; taken.has(name); number += 1) name = `${title}${number}`;
  taken.add(name);
  return name;
}
