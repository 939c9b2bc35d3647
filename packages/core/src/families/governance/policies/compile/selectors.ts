import { LIMITS } from "#cel/limits.js";
import { boundedCache } from "#kernel/async/bounded-cache.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { canonical } from "#kernel/events/canonical.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Allowance } from "#ports/expressions.js";
import { EventLoopYielder } from "#store/event-loop.js";
import { evaluatePosture, Prepared } from "../evaluate-policy.js";
import type { PolicyFields } from "../fields.js";
import { type CompiledPolicy, compilePolicy, errorsOf } from "./compile.js";

/** The values of an asset that a selector reads. */
interface Selectable {
  readonly asset: object;
  /** Absent for types without a typed record. */
  readonly spec: object | undefined;
}

export type Selector = PolicyFields["selector"];

/** The most compiled selectors in the cache. */
const KEPT = 500;

/** A selector is compiled as a policy with one rule that always passes. */
const ANY_RULE = { key: "any", assert: "true", message: "any", controls: [], remediation: "" };

const compiledSelectors = defineService("governance.selectors", (env) => {
  const known = boundedCache<string, CompiledPolicy>(KEPT);
  return (selector: Selector) => {
    const key = canonical(selector);
    const compiled = known.get(key) ?? compileSelector(env, selector).compiled;
    known.set(key, compiled);
    return compiled;
  };
});

function compileSelector(env: Environment, selector: Selector) {
  return compilePolicy(env, { kind: "posture", selector, rules: [ANY_RULE], params: {} });
}

/** The faults in the expression of a selector, as a refusal names them. */
export function selectorFaults(env: Environment, selector: Selector) {
  return errorsOf(compileSelector(env, selector).faults);
}

/** Whether time alone can change which assets match a selector. */
export function isTimely({ env }: Pick<ReadContext, "env">, selector: Selector): boolean {
  return env.use(compiledSelectors)(selector).readsTime;
}

/**
 * Whether an asset matches a selector. A text tells why that is unknown. All assets that are asked have one budget; behind
 * it every one is unknown.
 */
export function selecting(
  { env, now }: Pick<ReadContext, "env" | "now">,
  selector: Selector,
  shared: Allowance = { steps: LIMITS.batchSteps },
): (values: Selectable) => boolean | string {
  const compiled = env.use(compiledSelectors)(selector);
  return ({ asset, spec }) => {
    const values = new Prepared({ asset, ...(spec ? { spec } : {}), params: {}, now });
    const most = Math.min(LIMITS.policySteps, shared.steps);
    const allowance = { steps: most };
    const [result] = evaluatePosture(compiled, values, allowance) ?? [];
    shared.steps -= most - allowance.steps;
    return result === undefined || result.outcome === "pass" ? result !== undefined : result.message;
  };
}

/** Ids of the assets that match a selector, within one budget. Unknown ones are left out. */
export async function selectedAssets(
  ctx: Pick<ReadContext, "env" | "now">,
  selector: Selector,
  snapshots: ReadonlyMap<string, Selectable>,
  shared: Allowance = { steps: LIMITS.batchSteps },
): Promise<Set<string>> {
  const selects = selecting(ctx, selector, shared);
  const yielder = new EventLoopYielder();
  const taken = new Set<string>();
  for (const [id, snapshot] of snapshots) {
    if (selects(snapshot) === true) taken.add(id);
    if (yielder.isDue) await yielder.pass();
  }
  return taken;
}
