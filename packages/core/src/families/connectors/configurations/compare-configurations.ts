import type { JsonObject } from "#kernel/http/json-guard.js";
import { jsonPointer } from "#kernel/http/json-pointer.js";
import { isSame } from "#kernel/records/is-same.js";
import type { ConfigurationChange } from "./schema.js";

/** The differences of two configurations, property by property, and the names of secrets that differ. */
export function changesBetween(
  before: JsonObject,
  after: JsonObject,
  secrets: readonly string[],
): ConfigurationChange[] {
  const ofSecrets = secrets.map((name) => ({ path: jsonPointer([name]), hidden: true }) as const);
  return [...within([], before, after), ...ofSecrets];
}

function within(at: readonly string[], before: JsonObject, after: JsonObject): ConfigurationChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => {
    const [from, to] = [before[name], after[name]];
    if (isSame(from, to)) return [];
    if (isObject(from) && isObject(to)) return within([...at, name], from, to);
    const path = jsonPointer([...at, name]);
    return [{ path, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }];
  });
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
