import { type ControlInput, type PostureInputs, RULE_SEVERITIES, type RuleInput, type RuleSeverity } from "./inputs.js";

/** The results of the rules of a control. */
export interface RulesPart {
  /** How many rules are mapped to the control, and how many of those have results. */
  readonly mapped: number;
  readonly evaluated: number;
  /** Counts of latest outcomes, per rule and asset. */
  readonly pass: number;
  readonly fail: number;
  readonly error: number;
  /** Failures that are open, exempted and dismissed. */
  readonly open: number;
  readonly exempted: number;
  readonly dismissed: number;
  /** The highest severity of a failed rule, exempted or not. */
  readonly worst: RuleSeverity | null;
  /** Mapped policies and rules that do not exist. */
  readonly missing: readonly string[];
  /** Mapped rules whose policy is not evaluated. */
  readonly idle: readonly string[];
  /** Rules that no run has asked of all assets lately. */
  readonly stale: readonly string[];
  /** Assets that no run has looked at, among those its rules are about. */
  readonly unevaluated: number;
  readonly oldestEvaluation: string | null;
}

/** Indexes of rules and findings, built once for all controls. */
export interface RuleIndex {
  readonly byPolicy: ReadonlyMap<string, readonly RuleInput[]>;
  readonly byControl: ReadonlyMap<string, readonly RuleInput[]>;
  readonly standings: ReadonlyMap<string, PostureInputs["standings"][number]>;
  readonly findings: PostureInputs["findings"];
  readonly unevaluated: PostureInputs["unevaluated"];
  readonly evaluationsSince: string;
}

const nameOf = ({ policyKey, ruleKey }: { policyKey: string; ruleKey: string }) => `${policyKey}/${ruleKey}`;

export function ruleIndex(inputs: PostureInputs): RuleIndex {
  const { rules, standings, findings, unevaluated, evaluationsSince } = inputs;
  const byPolicy = new Map<string, RuleInput[]>();
  const byControl = new Map<string, RuleInput[]>();
  const add = (to: Map<string, RuleInput[]>, key: string, rule: RuleInput) => {
    const held = to.get(key);
    if (held) held.push(rule);
    else to.set(key, [rule]);
  };
  for (const rule of rules) {
    add(byPolicy, rule.policyKey, rule);
    for (const control of new Set(rule.controls)) add(byControl, control, rule);
  }
  const byName = new Map(standings.map((row) => [nameOf(row), row]));
  return { byPolicy, byControl, standings: byName, findings, unevaluated, evaluationsSince };
}

/** The rules of a control: those that it names, and those that name it. */
function rulesOf(index: RuleIndex, framework: string, { id, policyRules }: ControlInput) {
  const missing: string[] = [];
  const named = policyRules.flatMap((reference) => {
    const [policyKey = "", ruleKey] = reference.split("/");
    const rules = index.byPolicy.get(policyKey) ?? [];
    const found = ruleKey === undefined ? rules : rules.filter((rule) => rule.ruleKey === ruleKey);
    if (found.length === 0) missing.push(reference);
    return found;
  });
  const naming = index.byControl.get(`${framework}:${id}`) ?? [];
  const rules = new Map([...named, ...naming].map((rule) => [nameOf(rule), rule]));
  return { rules: [...rules.values()], missing };
}

const OPEN_STATUSES = ["open", "acknowledged", "in_progress", "fix_claimed"];

/** The results of the rules of a control, without skipped ones. */
export function rulesPart(index: RuleIndex, framework: string, control: ControlInput): RulesPart {
  const { rules, missing } = rulesOf(index, framework, control);
  const idle = rules.filter(({ evaluated }) => !evaluated).map(nameOf);
  const sum = { pass: 0, fail: 0, error: 0, open: 0, exempted: 0, dismissed: 0 };
  let [evaluated, worst, oldest, unevaluated] = [0, -1, null as string | null, 0];
  const stale: string[] = [];
  for (const rule of rules) {
    if (!rule.evaluated) continue;
    const standing = index.standings.get(nameOf(rule));
    if ((standing?.coveredAt ?? "") < index.evaluationsSince) stale.push(nameOf(rule));
    unevaluated = Math.max(unevaluated, unevaluatedFor(rule, index.unevaluated));
    if (!standing) continue;
    const { pass, fail, error, evaluatedAt } = standing;
    const counted = (status: string) => index.findings[`${nameOf(rule)}:${status}`] ?? 0;
    const accepted = Math.min(fail, counted("exempted") + counted("dismissed"));
    // A failure without a finding counts as open.
    const open = Math.max(
      OPEN_STATUSES.reduce((count, status) => count + counted(status), 0),
      fail - accepted,
    );
    if (pass + fail > 0) evaluated += 1;
    if (pass + fail + error > 0 && (oldest === null || evaluatedAt < oldest)) oldest = evaluatedAt;
    if (open + fail > 0) worst = Math.max(worst, RULE_SEVERITIES.indexOf(rule.severity));
    sum.pass += pass;
    sum.fail += fail;
    sum.error += error;
    sum.open += open;
    sum.exempted += counted("exempted");
    sum.dismissed += counted("dismissed");
  }
  const grave = RULE_SEVERITIES[worst] ?? null;
  return {
    mapped: rules.length + missing.length,
    evaluated,
    ...sum,
    worst: grave,
    missing,
    idle,
    stale,
    unevaluated,
    oldestEvaluation: oldest,
  };
}

function unevaluatedFor({ assetTypes }: RuleInput, unevaluated: RuleIndex["unevaluated"]): number {
  const types = assetTypes.length === 0 ? Object.keys(unevaluated) : assetTypes;
  return types.reduce((sum, type) => sum + (unevaluated[type] ?? 0), 0);
}
