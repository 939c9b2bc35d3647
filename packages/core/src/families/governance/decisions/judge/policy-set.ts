import { valueAt } from "#kernel/records/value-at.js";
import type { Program } from "#ports/expressions.js";
import type { CompiledPolicy } from "../../policies/compile/compile.js";
import type { Policy } from "../../policies/schema.js";

/** A compiled runtime policy. */
export interface RuntimePolicy {
  readonly id: string;
  readonly version: number;
  readonly key: string;
  readonly revision: number;
  /** Whether it is in force. Otherwise it is only observed. */
  readonly inForce: boolean;
  readonly params: Policy["params"];
  /** Whether its selector is limited to types or environments of assets. */
  readonly narrow: boolean;
  readonly compiled: CompiledPolicy;
  /** It no longer compiles, so it gives an error. */
  readonly broken: boolean;
}

/** What is the same for all assets of a request. */
const REQUEST: ReadonlySet<string> = new Set(["subject", "action", "resource"]);

/** Policies by the text at a path of the request that they ask for first, as places in the list of all. */
interface ByText {
  readonly path: readonly string[];
  readonly places: Map<string, number[]>;
  /** Those of all texts, for a request without a text there. */
  readonly all: number[];
}

/**
 * The runtime policies of a tenant. Most speak of one action each, so those that may speak of a request are looked up by
 * what they ask first, and not asked one by one.
 */
export class PolicySet {
  readonly #byPath = new Map<string, ByText>();
  /** Places of those that are asked about every request. */
  readonly #always: number[] = [];
  /** Whether a rule reads a typed record. */
  readonly readsSpecs: boolean;
  /** Whether time alone can change the result of one in force. */
  readonly readsTime: boolean;

  constructor(readonly all: readonly RuntimePolicy[]) {
    this.readsSpecs = all.some(({ compiled }) => compiled.reads.some((path) => /^spec(?:$|[.[])/.test(path)));
    this.readsTime = all.some(({ inForce, compiled }) => inForce && compiled.readsTime);
    for (const [place, policy] of all.entries()) this.#add(policy, place);
  }

  /** The policies that may have a word on a request, in the order of all. */
  about(request: object): readonly RuntimePolicy[] {
    const places = [...this.#always];
    for (const { path, places: byText, all } of this.#byPath.values()) {
      const value = valueAt(request, path);
      for (const place of typeof value === "string" ? (byText.get(value) ?? []) : all) places.push(place);
    }
    return places.sort((one, other) => one - other).map((place) => this.all[place] as RuntimePolicy);
  }

  #add(policy: RuntimePolicy, place: number): void {
    const required = requiredBy(policy);
    if (!required) {
      this.#always.push(place);
      return;
    }
    const { path, texts } = required;
    const key = path.join(".");
    const byText = this.#byPath.get(key) ?? { path, places: new Map<string, number[]>(), all: [] };
    this.#byPath.set(key, byText);
    byText.all.push(place);
    for (const text of texts) {
      const places = byText.places.get(text);
      if (places) places.push(place);
      else byText.places.set(text, [place]);
    }
  }
}

/** The path of the request where a policy needs one of these texts. `undefined` if it may speak without. */
function requiredBy({ broken, compiled }: RuntimePolicy) {
  const { selector, rules } = compiled;
  const first: readonly Program[] = selector ? [selector] : rules.map(({ when, condition }) => when ?? condition);
  const path = first[0]?.requires?.path;
  if (broken || !path || !REQUEST.has(path[0] as string)) return undefined;
  const texts = new Set<string>();
  for (const { requires } of first) {
    if (requires?.path.join(".") !== path.join(".")) return undefined;
    texts.add(requires.text);
  }
  return { path, texts };
}
