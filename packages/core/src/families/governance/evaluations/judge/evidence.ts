import { canonical } from "#kernel/events/canonical.js";
import { valueAt } from "#kernel/records/value-at.js";
import type { Field } from "#ports/expressions.js";
import { sha256 } from "#store/chain.js";
import type { CompiledRule } from "../../policies/compile/compile.js";

/** The most characters of a text, and items of a list, that evidence keeps. */
const TEXT = 200;
const ITEMS = 20;
const HIDDEN = "(hidden)";

export interface Evidence {
  /** SHA-256 of the values without volatile ones, so that time alone does not change it. */
  readonly digest: string;
  /** What the rule read, by path. Texts of free maps are hidden, because they may be sensitive. */
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * The evidence of a rule on an asset, without parameters, which belong to the policy. Volatile values are not part of
 * the digest.
 */
export function evidenceOf(rule: CompiledRule, values: object): Evidence {
  const lasting: [string, unknown][] = [];
  const shown: Record<string, unknown> = {};
  for (const { path, steps, isVolatile, isFree, moved } of readingsOf(rule)) {
    const value = readAt(values, steps);
    if (!isVolatile) lasting.push([path, without(moved, value) ?? null]);
    shown[path] = shownOf(value, isFree);
  }
  return { digest: sha256(canonical(lasting)), values: shown };
}

/** The digest of what a rule read of several items, in whatever order they stand. */
export function evidenceOfMany(digests: readonly string[]): string {
  return sha256(canonical([...digests].sort()));
}

/** What a rule reads of an asset. */
interface Reading {
  readonly path: string;
  readonly steps: readonly string[];
  readonly isVolatile: boolean;
  /** Below a free map. */
  readonly isFree: boolean;
  /** The volatile fields of an object that is read as it is. */
  readonly moved: readonly string[];
}

/** By rule, made once for all assets. */
const readings = new WeakMap<CompiledRule, readonly Reading[]>();

function readingsOf(rule: CompiledRule): readonly Reading[] {
  const known = readings.get(rule);
  if (known) return known;
  const paths = rule.reads.filter((path) => path !== "now" && !path.startsWith("params"));
  const made = paths.map((path) => {
    const field = rule.environment.fieldAt(path);
    const moved = volatileOf(field ?? rule.environment.fieldAt(path.replace(/\[\]$/, "")));
    return { path, steps: path.split("."), isVolatile: field?.volatile === true, isFree: field === undefined, moved };
  });
  readings.set(rule, made);
  return made;
}

function volatileOf(field: Field | undefined): string[] {
  const type = field?.type;
  if (typeof type !== "object" || !("object" in type)) return [];
  return Object.keys(type.object.fields).filter((name) => type.object.fields[name]?.volatile);
}

function without(names: readonly string[], value: unknown): unknown {
  if (names.length === 0 || typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/** The value at a path, or a list of values when the path goes through a list. `undefined` when absent. */
function readAt(holder: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return holder;
  const value = valueAt(holder, [step.replaceAll("[]", "")]);
  if (!Array.isArray(value) || rest.length === 0) return readAt(value, rest);
  return value.map((item) => readAt(item, rest) ?? null);
}

function shownOf(value: unknown, isFree: boolean): unknown {
  if (typeof value === "string") return isFree ? HIDDEN : value.slice(0, TEXT);
  if (Array.isArray(value)) return value.slice(0, ITEMS).map((item) => shownOf(item, isFree));
  if (typeof value === "object" && value !== null) return HIDDEN;
  return value ?? null;
}
