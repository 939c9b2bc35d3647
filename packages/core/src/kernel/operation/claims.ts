import { canonical } from "../events/canonical.js";
import { invalidProperty } from "../http/errors.js";
import { maySay, type Sayer } from "../records/authority.js";

type Shape = Readonly<Record<string, unknown>>;

/** The fields of shapes that a sayer may not state, looked up once, because each body of an import is read by them. */
const found = new WeakMap<Shape, Map<Sayer, readonly string[]>>();

function claimsOfOthers(shape: Shape, sayer: Sayer): readonly string[] {
  const known = found.get(shape) ?? new Map<Sayer, readonly string[]>();
  found.set(shape, known);
  const names = known.get(sayer) ?? Object.keys(shape).filter((name) => !maySay(shape[name], sayer));
  known.set(sayer, names);
  return names;
}

/** The fields that are given of these. */
function givenOf(names: readonly string[], fields: object): (readonly [name: string, value: unknown])[] {
  const given = names.filter((name) => Object.hasOwn(fields, name));
  return given.map((name) => [name, (fields as Readonly<Record<string, unknown>>)[name]] as const);
}

/**
 * Given fields without the facts that somebody else states. What is only repeated is left out; 400 `read_only_property`
 * for anything more. `known` is the stored record, or what a new one begins with.
 */
export function withinClaims<F extends object>(shape: Shape, fields: F, known: object, sayer: Sayer): F {
  const held = known as Readonly<Record<string, unknown>>;
  const given = givenOf(claimsOfOthers(shape, sayer), fields);
  for (const [name, value] of given) {
    if (isRepeated(value, held[name])) continue;
    throw invalidProperty(
      `/${name}`,
      "Who has seen it says it: a connector, a scan or an import.",
      "read_only_property",
    );
  }
  if (given.length === 0) return fields;
  const left = new Set(given.map(([name]) => name));
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !left.has(name))) as F;
}

/** The names of given fields that only other sayers than callers state, and that say something. */
export function observedIn(shape: Shape, fields: object): string[] {
  return givenOf(claimsOfOthers(shape, "caller"), fields)
    .filter(([, value]) => !isRepeated(value, undefined))
    .map(([name]) => name);
}

/** 400 where something is said to have been seen later than now. */
export function requireSeen(shape: Shape, fields: object, now: string): void {
  for (const [name, value] of givenOf(claimsOfOthers(shape, "caller"), fields)) {
    const times = Array.isArray(value) ? value.map(({ at }: { readonly at?: string }) => at) : [value];
    if (times.some((time) => typeof time === "string" && /^\d{4}-/.test(time) && time > now))
      throw invalidProperty(`/${name}`, "It cannot have been seen later than now.");
  }
}

/** Whether a value says no more than what is known: the same, an earlier time, a part of a list, or nothing. */
function isRepeated(value: unknown, known: unknown): boolean {
  if (value === undefined || value === null || canonical(value) === canonical(known ?? null)) return true;
  if (Array.isArray(value)) {
    const all = new Set(Array.isArray(known) ? known.map((one) => canonical(one)) : []);
    return value.every((one) => all.has(canonical(one)));
  }
  return typeof value === "string" && typeof known === "string" && /^\d{4}-/.test(known) && value <= known;
}
