import { isSuspectName } from "#kernel/http/secret-names.js";
import { cutText } from "#kernel/records/cut-text.js";
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
    if (typeof value === "string") return [[path, cutText(value, LONGEST)]];
    return typeof value === "number" || typeof value === "boolean" ? [[path, value]] : [];
  });
  return Object.fromEntries(found);
}

/** Paths of values that an approval is bound to and that a listing of them does not show, or shows cut. */
export function hiddenPaths(ask: Ask, circumstances: object, shown: Readonly<Record<string, unknown>>): string[] {
  const { subject, action, resource } = ask;
  const bound = [
    ...leavesOf(subject.properties ?? {}, "subject.properties"),
    ...leavesOf(action.properties ?? {}, "action.properties"),
    ...leavesOf(resource.properties ?? {}, "resource.properties"),
    ...Object.entries(circumstances)
      .filter(([, value]) => value !== null)
      .flatMap(([name, value]) => leavesOf(value, name.startsWith("context.") ? name : `context.${name}`)),
  ];
  return bound.filter(([path, value]) => shown[path] !== value).map(([path]) => cutText(path, LONGEST));
}

/** The single values below a value, each with its path. An empty list or object is one. */
function leavesOf(value: unknown, path: string): (readonly [path: string, value: unknown])[] {
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  if (inner.length > 0) return inner.flatMap(([name, one]) => leavesOf(one, `${path}.${name}`));
  return path.endsWith(".properties") ? [] : [[path, value]];
}
