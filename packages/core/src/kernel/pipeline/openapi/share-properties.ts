import type { Json } from "./json.js";
import { answered } from "./schemas.js";
import { SHARED_PROPERTIES } from "./shared-properties.js";

/** Groups of fewer properties stay inline. */
const WORTH_A_BASE = 3;

/** A component, and the shared components that it refers to. */
interface Holder {
  readonly name: string;
  readonly schema: Json;
  /** Whether it is a request body. */
  readonly isSent: boolean;
  readonly own: Map<string, Json>;
  readonly bases: string[];
}

/** Moves properties that several components share to components of their own, referred to by `allOf`. `sent` names the request bodies. */
export function* shareProperties(
  schemas: Readonly<Record<string, Json>>,
  sent: ReadonlySet<string>,
): Generator<void, Record<string, Json>> {
  const holders: Holder[] = Object.entries(schemas)
    // A closed schema would refuse the properties of another component.
    .filter(([, { properties, allOf, additionalProperties }]) => properties && !allOf && additionalProperties !== false)
    .map(([name, schema]) => ({
      name,
      schema,
      isSent: sent.has(name),
      own: new Map(Object.entries(schema.properties as Record<string, Json>)),
      bases: [],
    }));
  const bases: Record<string, Json> = {};
  const share = (title: string, group: readonly Holder[], names: readonly string[]) => {
    bases[title] = baseOf(group, names);
    for (const { own, bases: its } of group) {
      its.push(title);
      for (const name of names) own.delete(name);
    }
  };
  for (const [title, names] of Object.entries(SHARED_PROPERTIES)) {
    const having = holders.filter(({ own }) => names.every((name) => own.has(name)));
    grouped(having, ({ own }) => names.map((name) => JSON.stringify(own.get(name))).join())
      .sort((one, other) => other.length - one.length)
      .filter(({ length }) => length > 1)
      .forEach((group, index) => {
        share(index === 0 ? title : `${title}${index + 1}`, group, names);
      });
    yield;
  }
  for (const { group, names } of yield* alike(holders)) share(free(group, { ...schemas, ...bases }), group, names);
  return { ...schemas, ...bases, ...Object.fromEntries(holders.map((holder) => [holder.name, whole(holder, bases)])) };
}

/** Groups of properties that the same components have. */
function* alike(holders: readonly Holder[]) {
  const placed: { readonly name: string; readonly key: string; readonly holder: Holder }[] = [];
  for (const holder of holders) {
    for (const [name, schema] of holder.own)
      placed.push({ name, key: `${name} ${JSON.stringify(answered(schema))}`, holder });
    yield;
  }
  const shared = grouped(placed, ({ key }) => key)
    .map((places) => ({ name: places[0]?.name ?? "", group: places.map(({ holder }) => holder) }))
    .filter(({ name, group }) => group.length > 1 && agree(group, name));
  return grouped(shared, ({ group }) => group.map(({ name }) => name).join())
    .filter(({ length }) => length >= WORTH_A_BASE)
    .map((same) => ({ group: same[0]?.group ?? [], names: same.map(({ name }) => name) }));
}

/** Items grouped by key, in order of first occurrence. */
function grouped<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(item);
  }
  return [...groups.values()];
}

/** Whether all requests constrain a property alike; answers may leave the constraints out. */
function agree(group: readonly Holder[], name: string): boolean {
  const texts = (of: readonly Holder[]) => new Set(of.map(({ own }) => JSON.stringify(own.get(name))));
  const [sent, all] = [texts(group.filter(({ isSent }) => isSent)), texts(group)];
  return all.size === 1 || (sent.size === 1 && all.size === 2);
}

/** The shared component, with the constraints of requests. */
function baseOf(group: readonly Holder[], names: readonly string[]): Json {
  const longest = (name: string) =>
    group
      .map(({ own }) => own.get(name) as Json)
      .reduce((one, other) => (lengthOf(other) > lengthOf(one) ? other : one));
  const required = names.filter((name) => group.every(({ schema }) => requiredOf(schema).includes(name)));
  const properties = Object.fromEntries(names.map((name) => [name, longest(name)]));
  return { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
}

function whole({ schema, own, bases: titles }: Holder, bases: Readonly<Record<string, Json>>): Json {
  if (titles.length === 0) return schema;
  // The shared components have the type.
  const { type: _given, properties: _moved, required: _whole, additionalProperties, ...said } = schema;
  const given = new Set(titles.flatMap((title) => requiredOf(bases[title])));
  const required = requiredOf(schema).filter((name) => !given.has(name));
  const rest = {
    properties: Object.fromEntries(own),
    ...(additionalProperties === undefined ? {} : { additionalProperties }),
  };
  const parts = titles.map((title) => ({ $ref: `#/components/schemas/${title}` }));
  return { ...said, allOf: own.size > 0 ? [...parts, rest] : parts, ...(required.length > 0 ? { required } : {}) };
}

/** `AiAgentFields` of `AiAgent` and `AiAgentRequest`. */
function free(group: readonly Holder[], taken: Readonly<Record<string, Json>>): string {
  const [shortest = ""] = group
    .map(({ name }) => name.replace(/Request$/, ""))
    .sort((one, other) => one.length - other.length);
  for (let number = 1; ; number += 1) {
    const name = `${shortest}Fields${number === 1 ? "" : number}`;
    if (!(name in taken)) return name;
  }
}

const requiredOf = (schema: Json | undefined) => (schema?.required ?? []) as readonly string[];
const lengthOf = (schema: Json) => JSON.stringify(schema).length;
