import { defineService, type Environment } from "../../../kernel/environment.js";
import { canonical } from "../../../kernel/events.js";
import type { ReadContext } from "../../../kernel/read-context.js";
import type { Exemption as Terms } from "../../findings/index.js";
import { type CompiledPolicy, compilePolicy, type PolicyFault } from "../policies/compile.js";
import { evaluatePosture, Prepared } from "../policies/evaluate.js";
import type { PolicyFields } from "../policies/fields.js";
import type { Snapshot } from "../snapshots/snapshots.js";
import { ANY_ASSET, type Exemption, exemptions } from "./schema.js";

type Selector = PolicyFields["selector"];

/** Selectors of which the compiled form is kept. */
const KEPT = 500;
/** Exemptions in force that are looked at for one asset, and for all by selectors: the newest. */
const MOST_IN_FORCE = 1_000;
/** Assets asked about in one question. */
const BATCH = 999;

/** A selector is a policy whose one rule always holds: what it takes in passes. */
const ANY_RULE = { key: "any", assert: "true", message: "any", controls: [], remediation: "" };

const compiledSelectors = defineService("governance.exemptionSelectors", (env) => {
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

/** Ids of those assets that a selector takes in; what its expression cannot be asked of is left out. */
export function selectedAssets(
  env: Environment,
  selector: Selector,
  snapshots: ReadonlyMap<string, Snapshot>,
): Set<string> {
  const compiled = env.use(compiledSelectors)(selector);
  const taken = [...snapshots].filter(([, { asset, spec }]) => {
    const values = new Prepared({ asset, ...(spec ? { spec } : {}), params: {} });
    return (evaluatePosture(compiled, values) ?? []).some(({ outcome }) => outcome === "pass");
  });
  return new Set(taken.map(([id]) => id));
}

/**
 * The exemptions in force, now or later, that could take in findings on these assets, for `Circumstances`: those on each of
 * them, and those whose selector takes in some. One question for each 999 assets.
 */
export async function exemptionsOver(ctx: ReadContext, snapshots: ReadonlyMap<string, Snapshot>): Promise<Terms[]> {
  const ids = [...snapshots.keys()];
  const found: Exemption[] = [];
  for (let start = 0; start < ids.length; start += BATCH) {
    const values = [...ids.slice(start, start + BATCH), ...(start === 0 ? [ANY_ASSET] : [])];
    const rows = await ctx.db.findEach(exemptions, { field: "inForceOn", values, size: MOST_IN_FORCE });
    found.push(...[...rows.values()].flat().map(({ value }) => value));
  }
  return found.map((exemption): Terms => {
    const { scope } = exemption;
    return "selector" in scope
      ? { ...exemption, selected: selectedAssets(ctx.env, scope.selector, snapshots) }
      : exemption;
  });
}
