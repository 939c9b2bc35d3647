import { LIMITS } from "../../../../cel/limits.js";
import { valueAt } from "../../../../kernel/records/value-at.js";
import type { Allowance, ExpressionEnvironment, ExpressionValues, Program } from "../../../../ports/expressions.js";
import { ExpressionError } from "../../../../ports/expressions.js";
import { type CompiledPolicy, type CompiledRule, messageOf, textAt } from "../compile/compile.js";
import { type EFFECTS_OF_RULES, isRuntime, type PostureRule } from "../fields.js";

/** What came of a rule. `error` is neither a pass nor a failure: it is not known. */
export type Outcome = "pass" | "fail" | "skip" | "error";
export type Effect = (typeof EFFECTS_OF_RULES)[number];

/** What a rule over assets found; one for each item where it goes through a list. */
export interface PostureResult {
  readonly ruleKey: string;
  /** What tells the item apart; empty for a rule about the asset itself. */
  readonly locus: string;
  readonly outcome: Outcome;
  /** What to tell of a failure, or why there is no result. */
  readonly message: string;
  /** The item it is about, where the rule goes through a list. */
  readonly item?: unknown;
}

/** What a rule over requests says. */
export interface RuntimeResult {
  readonly ruleKey: string;
  readonly outcome: Effect | "none" | "error";
  readonly message: string;
}

export type Values = Readonly<Record<string, unknown>>;

/** Values of variables, converted once for each environment that asks for them. */
export class Prepared {
  readonly #made = new Map<ExpressionEnvironment, ExpressionValues>();
  #plain: Values | undefined;

  constructor(
    readonly values: Values,
    private readonly base?: Prepared,
  ) {}

  /** The same with more values beside, of which only these are converted. */
  with(values: Values): Prepared {
    return new Prepared(values, this);
  }

  for(environment: ExpressionEnvironment): ExpressionValues {
    const known = this.#made.get(environment) ?? environment.values(this.values, this.base?.for(environment));
    this.#made.set(environment, known);
    return known;
  }

  /** All values as they were given. */
  get plain(): Values {
    this.#plain ??= this.base ? { ...this.base.plain, ...this.values } : this.values;
    return this.#plain;
  }
}

/** Whether a policy is about an asset by its type and environment, as far as they are known. */
function isAbout({ assetTypes, environments }: CompiledPolicy["about"], asset: unknown): boolean {
  const { assetType, environment } = (asset ?? {}) as { assetType?: never; environment?: never };
  const fits = (wanted: readonly string[], value: string | undefined) =>
    wanted.length === 0 || value === undefined || wanted.includes(value);
  return fits(assetTypes, assetType) && fits(environments, environment);
}

/** Asks all rules of a policy over assets about one asset. `undefined` when the selector leaves the asset out. */
export function evaluatePosture(policy: CompiledPolicy, prepared: Prepared): PostureResult[] | undefined {
  const { environment, about, selector, rules } = policy;
  const { plain } = prepared;
  if (!isAbout(about, plain.asset)) return undefined;
  const allowance = allowed();
  const selected = outcomeOf(selector, prepared.for(environment), allowance);
  if (selected === false) return undefined;
  return rules.flatMap((compiled) => {
    if (selected instanceof ExpressionError) return [noResult(compiled, selected)];
    const { forEach } = compiled.rule as PostureRule;
    if (forEach === undefined) return [posture(compiled, prepared.for(compiled.environment), plain, allowance)];
    const items = valueAt(plain, forEach.split("."));
    if (!Array.isArray(items)) return [noResult(compiled, new ExpressionError(`"${forEach}" is absent.`))];
    if (items.length > LIMITS.listItems)
      return [noResult(compiled, new ExpressionError(`"${forEach}" has more than ${LIMITS.listItems} items.`))];
    return items.map((item) => {
      const inner = prepared.with({ item });
      return { ...posture(compiled, inner.for(compiled.environment), inner.plain, allowance), item };
    });
  });
}

function posture(
  { rule, when, condition }: CompiledRule,
  values: ExpressionValues,
  plain: Values,
  allowance: Allowance,
): PostureResult {
  const { key, locus: path } = rule as PostureRule;
  const base = { ruleKey: key, locus: path === undefined ? "" : (textAt(plain, path) ?? "") };
  const applies = outcomeOf(when, values, allowance);
  if (applies instanceof ExpressionError) return { ...base, outcome: "error", message: applies.message };
  if (!applies) return { ...base, outcome: "skip", message: "" };
  const holds = outcomeOf(condition, values, allowance);
  if (holds instanceof ExpressionError) return { ...base, outcome: "error", message: holds.message };
  return holds
    ? { ...base, outcome: "pass", message: "" }
    : { ...base, outcome: "fail", message: messageOf(rule, plain) };
}

function noResult({ rule }: CompiledRule, { message }: ExpressionError): PostureResult {
  return { ruleKey: rule.key, locus: "", outcome: "error", message };
}

/** Asks all rules of a policy over requests about one request. Empty when the selector leaves it, or its asset, out. */
export function evaluateRuntime(policy: CompiledPolicy, prepared: Prepared): RuntimeResult[] {
  const { environment, about, selector, rules } = policy;
  const { plain } = prepared;
  const isNarrow = about.assetTypes.length + about.environments.length > 0;
  if (isNarrow && (!plain.asset || !isAbout(about, plain.asset))) return [];
  const allowance = allowed();
  const selected = outcomeOf(selector, prepared.for(environment), allowance);
  if (selected === false) return [];
  return rules.map((compiled): RuntimeResult => {
    const { rule, when, condition } = compiled;
    const ruleKey = rule.key;
    if (selected instanceof ExpressionError) return { ruleKey, outcome: "error", message: selected.message };
    const inner = prepared.for(compiled.environment);
    const applies = outcomeOf(when, inner, allowance);
    const holds = applies === true ? outcomeOf(condition, inner, allowance) : applies;
    if (holds instanceof ExpressionError) return { ruleKey, outcome: "error", message: holds.message };
    if (!holds || !isRuntime(rule)) return { ruleKey, outcome: "none", message: "" };
    return { ruleKey, outcome: rule.effect, message: messageOf(rule, plain) };
  });
}

/** The strongest of what rules say: an error before all, then deny, approval, allow, and a warning alone. */
export function strongest(results: readonly RuntimeResult[]): RuntimeResult["outcome"] {
  const order = ["error", "deny", "require_approval", "allow", "warn"] as const;
  return order.find((outcome) => results.some((result) => result.outcome === outcome)) ?? "none";
}

/** All rules over an asset in one word: not known, failed, passed, or not asked at all. */
export function summed(results: readonly PostureResult[]): Outcome {
  const order = ["error", "fail", "pass"] as const;
  return order.find((outcome) => results.some((result) => result.outcome === outcome)) ?? "skip";
}

/** What all rules of a policy may cost over one asset or request. */
const allowed = (): Allowance => ({ steps: LIMITS.policySteps });

/** What a program gives, or why it gives nothing; true without one. */
function outcomeOf(
  program: Program | undefined,
  values: ExpressionValues,
  allowance: Allowance,
): boolean | ExpressionError {
  if (!program) return true;
  try {
    return program.run(values, allowance);
  } catch (thrown) {
    if (thrown instanceof ExpressionError) return thrown;
    throw thrown;
  }
}
