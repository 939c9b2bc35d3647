import { canonical } from "../../../../kernel/events/canonical.js";
import { sha256 } from "../../../../kernel/events/chain.js";
import { valueAt } from "../../../../kernel/records/value-at.js";
import type { CompiledRule } from "../../policies/compile/compile.js";

/** Longest text and list that a finding keeps of what a rule read. */
const TEXT = 200;
const ITEMS = 20;
const HIDDEN = "(hidden)";

export interface Evidence {
  /** SHA-256 of the values, time left aside: equal as long as what the rule saw is the same. */
  readonly digest: string;
  /** What the rule read, by path; texts of free maps are hidden, as nobody knows what is in them. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** What a rule read of an asset. Parameters belong to the policy and are left out, and so is what time alone moves. */
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

/** The value at a path, a list of values where the path goes through a list; `undefined` when there is none. */
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
