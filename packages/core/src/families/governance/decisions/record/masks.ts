import { isSuspectName } from "#kernel/http/secret-names.js";
import { valueAt } from "#kernel/records/value-at.js";
import type { Ask } from "../ask/request.js";

/** Instead of a value whose name suggests a secret. */
export const MASK = "[masked]";
/** The most characters of a logged text. */
export const LONGEST = 200;

/** A copy with all values masked whose name suggests a secret. */
export function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isSuspectName(name) ? MASK : masked(inner)]),
  );
}

/** The listed values that are texts, numbers or booleans, by path. Never one whose name suggests a secret. */
export function listedInput(ask: Ask, paths: readonly string[]): Record<string, string | number | boolean> {
  const found = paths.flatMap((path): [string, string | number | boolean][] => {
    const steps = path.split(".");
    if (steps.some(isSuspectName)) return [];
    const value = valueAt(ask, steps);
    if (typeof value === "string") return [[path, value.slice(0, LONGEST)]];
    return typeof value === "number" || typeof value === "boolean" ? [[path, value]] : [];
  });
  return Object.fromEntries(found);
}
