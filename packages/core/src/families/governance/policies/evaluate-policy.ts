import { LIMITS } from "#cel/limits.js";
import { valueAt } from "#kernel/records/value-at.js";
import type { Allowance, ExpressionEnvironment, ExpressionValues, Program } from "#ports/expressions.js";
import { ExpressionError } from "#ports/expressions.js";
import { atOnce } from "#store/event-loop.js";
import { type CompiledPolicy, type CompiledRule, messageOf, textAt } from "./compile/compile.js";
import { type EFFECTS_OF_RULES, isRuntime, type PostureRule } from "./fields.js";

/** The outcome of a posture rule. `error` means that it is unknown. */
export type Outcome = "pass" | "fail" | "skip" | "error";
export type Effect = (typeof EFFECTS_OF_RULES)[number];

/** The result of a posture rule, one per item when it iterates over a list. */
export interface PostureResult {
  readonly ruleKey: string;
  /** What identifies the item. Empty for a rule about the asset itself. */
  readonly locus: string;
  readonly outcome: Outcome;
  /** The message of a failure or an error. */
  readonly message: string;
  /** The item, when the rule iterates over a list. */
  readonly item?: unknown;
}

/** The result of a runtime rule. */
export interface RuntimeResult {
  readonly ruleKey: string;
  readonly outcome: Effect | "none" | "error";
  readonly message: string;
}

export type Values = Readonly<Record<string, unknown>>;

/** Values of variables, converted once per environment. */
export class Prepared {
  readonly #made = new Map<ExpressionEnvironment, ExpressionValues>();
  #plain: Values | undefined;

  constructor(
    readonly values: Values,
    private readonly base?: Prepared,
    /** Whether numbers of free maps are read in their other type. */
    private readonly swapped: boolean = base?.swapped ?? false,
  ) {}

  /** These values with more added. Only the added ones are converted. */
  with(values: Values): Prepared {
    return new Prepared(values, this);
  }

  for(environment: ExpressionEnvironment): ExpressionValues {
    const known =
      this.#made.get(environment) ?? environment.values(this.values, this.base?.for(environment), this.swapped);
    this.#made.set(environment, known);
    return known;
  }

  /** The same values, with the numbers of free maps in their other type. Parameters have that of their schema. */
  inOtherNumbers(): Prepared {
    const { params, ...others } = this.plain;
    return new Prepared({ params }, new Prepared(others, undefined, true), false);
  }

  /** All values as they were given. */
  get plain(): Values {
    this.#plain ??= this.base ? { ...this.base.plain, ...this.values } : this.values;
    return this.#plain;
  }
}

/** Whether a policy applies to an asset by type and environment. Missing values match. */
function isAbout({ assetTypes, environments }: CompiledPolicy["about"], asset: unknown): boolean {
  const { assetType, environment } = (asset ?? {}) as { assetType?: never; environment?: never };
  const fits = (wanted: readonly string[], value: string | undefined) =>
    wanted.length === 0 || value === undefined || wanted.includes(value);
  return fits(assetTypes, assetType) && fits(environments, environment);
}

/**
 * Evaluates all rules of a posture policy for one asset. `undefined` when the selector does not match. `allowance`: what
 * they may cost.
 */
export function evaluatePosture(
  policy: CompiledPolicy,
  prepared: Prepared,
  allowance: Allowance = allowed(),
): PostureResult[] | undefined {
  const { environment, about, selector, rules } = policy;
  const { plain } = prepared;
  if (!isAbout(about, plain.asset)) return undefined;
  const selected = outcomeOf(selector, prepared, environment, allowance);
  if (selected === false) return undefined;
  const results: PostureResult[] = [];
  for (const compiled of rules) {
    const { forEach } = compiled.rule as PostureRule;
    if (selected instanceof ExpressionError) results.push(noResult(compiled, selected));
    else if (forEach === undefined) results.push(posture(compiled, prepared, allowance));
    else results.push(...ofItems(compiled, forEach, prepared, allowance));
  }
  return results;
}

/** The results of a rule that iterates over a list. */
function ofItems(
  compiled: CompiledRule,
  forEach: string,
  prepared: Prepared,
  allowance: Allowance,
): readonly PostureResult[] {
  const items = valueAt(prepared.plain, forEach.split("."));
  if (!Array.isArray(items)) return [noResult(compiled, new ExpressionError(`"${forEach}" is absent.`))];
  if (items.length > LIMITS.listItems)
    return [noResult(compiled, new ExpressionError(`"${forEach}" has more than ${LIMITS.listItems} items.`))];
  return items.map((item) => {
    return { ...posture(compiled, prepared.with({ item }), allowance), item };
  });
}

function posture(
  { rule, environment, when, condition }: CompiledRule,
  prepared: Prepared,
  allowance: Allowance,
): PostureResult {
  const { key: ruleKey, locus: path } = rule as PostureRule;
  const locus = path === undefined ? "" : (textAt(prepared.plain, path) ?? "");
  const applies = outcomeOf(when, prepared, environment, allowance);
  if (applies instanceof ExpressionError) return { ruleKey, locus, outcome: "error", message: applies.message };
  if (!applies) return { ruleKey, locus, outcome: "skip", message: "" };
  const holds = outcomeOf(condition, prepared, environment, allowance);
  if (holds instanceof ExpressionError) return { ruleKey, locus, outcome: "error", message: holds.message };
  return holds
    ? { ruleKey, locus, outcome: "pass", message: "" }
    : { ruleKey, locus, outcome: "fail", message: messageOf(rule, prepared.plain) };
}

function noResult({ rule }: CompiledRule, { message }: ExpressionError): PostureResult {
  return { ruleKey: rule.key, locus: "", outcome: "error", message };
}

/** Evaluates all rules of a runtime policy for one request at once. */
export function evaluateRuntime(policy: CompiledPolicy, prepared: Prepared, allowance: Allowance): RuntimeResult[] {
  return atOnce(evaluatingRuntime(policy, prepared, allowance));
}

/**
 * Evaluates all rules of a runtime policy for one request, in steps of one expression. Empty when the selector matches
 * neither the request nor its asset.
 */
export function* evaluatingRuntime(
  policy: CompiledPolicy,
  prepared: Prepared,
  allowance: Allowance,
): Generator<void, RuntimeResult[]> {
  const { environment, about, selector, rules } = policy;
  const { plain } = prepared;
  const isNarrow = about.assetTypes.length + about.environments.length > 0;
  if (isNarrow && (!plain.asset || !isAbout(about, plain.asset))) return [];
  const selected = outcomeOf(selector, prepared, environment, allowance);
  if (selected === false) return [];
  const results: RuntimeResult[] = [];
  for (const { rule, when, condition, environment: own } of rules) {
    const ruleKey = rule.key;
    if (selected instanceof ExpressionError) {
      results.push({ ruleKey, outcome: "error", message: selected.message });
      continue;
    }
    yield;
    const applies = outcomeOf(when, prepared, own, allowance);
    if (when) yield;
    const holds = applies === true ? outcomeOf(condition, prepared, own, allowance) : applies;
    if (holds instanceof ExpressionError) results.push({ ruleKey, outcome: "error", message: holds.message });
    else if (!holds || !isRuntime(rule)) results.push({ ruleKey, outcome: "none", message: "" });
    else results.push({ ruleKey, outcome: rule.effect, message: messageOf(rule, plain) });
  }
  return results;
}

/** The strongest outcome: an error first, then deny, require approval, allow and warn. */
export function strongest(results: readonly RuntimeResult[]): RuntimeResult["outcome"] {
  const order = ["error", "deny", "require_approval", "allow", "warn"] as const;
  return order.find((outcome) => results.some((result) => result.outcome === outcome)) ?? "none";
}

/** The outcome of all posture rules as one: error, fail, pass, or skip when none was evaluated. */
export function summed(results: readonly PostureResult[]): Outcome {
  const order = ["error", "fail", "pass"] as const;
  return order.find((outcome) => results.some((result) => result.outcome === outcome)) ?? "skip";
}

/** The cost limit of all rules of a policy for one asset or request. */
const allowed = (): Allowance => ({ steps: LIMITS.policySteps });

/**
 * Whether a runtime policy has no word on a request, as its expressions say by what they ask first. Most policies speak of
 * other actions, and need not be evaluated.
 */
export function isSilent({ selector, rules }: CompiledPolicy, { plain }: Prepared): boolean {
  if (selector) return isRuledOut(selector, plain);
  return rules.every(({ when, condition }) => isRuledOut(when ?? condition, plain));
}

/** Whether a program is false for these values by what it asks first. */
function isRuledOut({ requires }: Program, plain: Values): boolean {
  if (!requires) return false;
  const value = valueAt(plain, requires.path);
  return typeof value === "string" && value !== requires.text;
}

/** The result of a program, or its error. True without a program. */
function outcomeOf(
  program: Program | undefined,
  prepared: Prepared,
  environment: ExpressionEnvironment,
  allowance: Allowance,
): boolean | ExpressionError {
  if (!program) return true;
  if (isRuledOut(program, prepared.plain)) return false;
  allowance.steps -= LIMITS.ruleSteps;
  try {
    return program.run(prepared.for(environment), allowance);
  } catch (thrown) {
    if (thrown instanceof ExpressionError) return thrown;
    throw thrown;
  }
}
