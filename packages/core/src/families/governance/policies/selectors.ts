import { defineService, type Environment } from "../../../kernel/environment.js";
import { canonical } from "../../../kernel/events.js";
import type { ReadContext } from "../../../kernel/read-context.js";
import type { Snapshot } from "../snapshots/snapshots.js";
import { type CompiledPolicy, compilePolicy, type PolicyFault } from "./compile.js";
import { evaluatePosture, Prepared } from "./evaluate.js";
import type { PolicyFields } from "./fields.js";

export type Selector = PolicyFields["selector"];

/** Selectors of which the compiled form is kept. */
const KEPT = 500;

/** A selector is a policy whose one rule always holds: what it takes in passes. */
const ANY_RULE = { key: "any", assert: "true", message: "any", controls: [], remediation: "" };

const compiledSelectors = defineService("governance.selectors", (env) => {
  const known = new Map<string, CompiledPolicy>();
  return (selector: Selector) => {
    const key = canonical(selector);
    const compiled = known.get(key) ?? compileSelector(env, selector).compiled;
    if (known.size < KEPT) known.set(key, compiled);
    return compiled;
  };
});

function compileSelector(env: Environment, selector: Selector) {
  return compilePolicy(env, { kind: "posture", selector, rules: [ANY_RULE], params: {} });
}

/** What is wrong with the expression of a selector. */
export function selectorFaults(env: Environment, selector: Selector): readonly PolicyFault[] {
  return compileSelector(env, selector).faults;
}

export interface Selection {
  /** Ids of the assets that are taken in. */
  readonly taken: ReadonlySet<string>;
  /** Of which it cannot be told, and why: the expression has no result. */
  readonly unclear: ReadonlyMap<string, string>;
}

/** The assets that a selector takes in. */
export function selectionOf(
  { env, now }: Pick<ReadContext, "env" | "now">,
  selector: Selector,
  snapshots: ReadonlyMap<string, Snapshot>,
): Selection {
  const compiled = env.use(compiledSelectors)(selector);
  const taken = new Set<string>();
  const unclear = new Map<string, string>();
  for (const [id, { asset, spec }] of snapshots) {
    const values = new Prepared({ asset, ...(spec ? { spec } : {}), params: {}, now });
    const [result] = evaluatePosture(compiled, values) ?? [];
    if (result?.outcome === "pass") taken.add(id);
    else if (result) unclear.set(id, result.message);
  }
  return { taken, unclear };
}
