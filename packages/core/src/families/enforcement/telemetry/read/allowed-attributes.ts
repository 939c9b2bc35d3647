import { DIALECTS } from "./allow-list.js";
import type { Rule } from "./dialect-rules.js";

/** The attributes that a rule reads. */
export function attributesOf({ when, roles = {}, keys = [], members = {} }: Rule): ReadonlySet<string> {
  const inside = Object.entries(members).flatMap(([name, inner]) => inner.map((one) => `${name}.${one}`));
  const read = [...when.map(([name]) => name), ...Object.values(roles).flat(), ...keys.flat()];
  const own = read.filter((name) => !name.startsWith("@") && !inside.includes(name));
  return new Set([...own, ...Object.keys(members)]);
}

/** Attributes of a resource that are read: the version of what sends. */
export const RESOURCE_ATTRIBUTES = ["service.version"] as const;

const passing: ReadonlySet<string> = new Set([
  ...RESOURCE_ATTRIBUTES,
  ...DIALECTS.flatMap(({ rules }) => rules.flatMap((rule) => [...attributesOf(rule)])),
]);

/** Whether any rule reads an attribute. */
export const mayPass = (key: string): boolean => passing.has(key);
