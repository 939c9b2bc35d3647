import { canonical } from "../../../../kernel/events/canonical.js";
import { sha256 } from "../../../../kernel/events/chain.js";
import { valueAt } from "../../../../kernel/records/value-at.js";
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
export function evidenceOf({ environment, reads }: CompiledRule, values: object): Evidence {
  const paths = reads.filter((path) => path !== "now" && !path.startsWith("params"));
  const lasting = paths.filter((path) => !environment.fieldAt(path)?.volatile);
  const shown = paths.map((path) => [
    path,
    shownOf(readAt(values, path.split(".")), environment.fieldAt(path) === undefined),
  ]);
  return {
    digest: sha256(canonical(lasting.map((path) => [path, readAt(values, path.split(".")) ?? null]))),
    values: Object.fromEntries(shown),
  };
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
