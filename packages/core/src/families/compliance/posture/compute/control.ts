import type { Role } from "#frameworks/index.js";
import { dayOf } from "#ports/clock.js";
import { type RequirementState, requirementStates } from "../../records/evidence/evidence.js";
import type { ControlInput, RecordInput } from "./inputs.js";
import type { RulesPart } from "./rules-part.js";

/** The states of a control. `upcoming`: not in force yet. */
export const CONTROL_STATES = [
  "compliant",
  "partial",
  "non_compliant",
  "exempted",
  "not_assessed",
  "not_applicable",
  "upcoming",
] as const;
export type ControlState = (typeof CONTROL_STATES)[number];

/** The reasons for the state of a control, with their meaning. */
export const REASONS = {
  applies_later: "It does not bind yet.",
  other_role: "It binds others: the organisation has none of the roles that it is about.",
  no_asset_matches: "Nothing in the estate is what it is about.",
  applicability_unknown: "Whether it is about anything in the estate could not be told.",
  declared: "People have said so, and why.",
  rules_fail: "Rules fail for assets, and nobody has accepted that.",
  failures_accepted: "Rules fail only where that was exempted or dismissed.",
  rules_have_errors: "Rules have no result for some assets.",
  evaluation_stale: "No run has asked its rules of all assets lately.",
  assets_not_evaluated: "Some assets were never evaluated.",
  rules_pass: "All rules pass for all assets they were asked about.",
  nothing_evaluated: "No rule has judged any asset.",
  policy_missing: "A policy or rule that it names does not exist.",
  policy_not_evaluated: "A policy that it rests on is neither observed nor in force.",
  not_judged_by_people: "Nobody has assessed it.",
  judged_by_people: "People have assessed it so.",
  evidence_missing: "Not all the evidence that it wants is there.",
  evidence_stale: "Evidence has grown too old.",
} as const;
export type Reason = keyof typeof REASONS;

/** The result of rules alone, or of an assessment alone. */
interface Verdict {
  readonly state: "compliant" | "partial" | "non_compliant" | "exempted" | "not_assessed";
  /** Twice the share of the control's weight. */
  readonly worth: Worth;
  readonly reasons: readonly Reason[];
}

/** `null` when nothing was assessed. */
export type Worth = 0 | 1 | 2 | null;

export interface ControlOutcome {
  readonly state: ControlState;
  readonly worth: Worth;
  readonly reasons: readonly Reason[];
  readonly requirements: readonly RequirementState[];
}

/**
 * The state of a control at a moment. Rules without evaluation never count as passed, and unknown results never make a
 * control compliant.
 */
export function controlOutcome(
  control: ControlInput,
  rules: RulesPart,
  record: RecordInput | undefined,
  { roles, now }: { readonly roles: readonly Role[]; readonly now: string },
): ControlOutcome {
  const requirements = requirementStates(control.evidence, record?.evidence ?? [], now);
  const reported = (state: ControlState, worth: Worth, reasons: readonly Reason[]): ControlOutcome => ({
    state,
    worth,
    reasons: [...new Set(reasons)],
    requirements,
  });
  if (roles.length > 0 && control.roles.length > 0 && !control.roles.some((role) => roles.includes(role)))
    return reported("not_applicable", null, ["other_role"]);
  if (control.appliesFrom !== null && control.appliesFrom > dayOf(now)) {
    return reported("upcoming", null, ["applies_later"]);
  }
  if (record?.status === "not_applicable") return reported("not_applicable", null, ["declared"]);
  if (control.applies === false) return reported("not_applicable", null, ["no_asset_matches"]);
  const judged: Verdict[] = [];
  if (control.kind !== "manual" || rules.mapped > 0) judged.push(byRules(rules));
  if (control.kind !== "automated") judged.push(byPeople(record, requirements));
  const { state, worth, reasons } = joined(judged);
  if (control.applies !== null) return reported(state, worth, reasons);
  const [known, capped] = state === "compliant" ? (["partial", 1] as const) : [state, worth];
  return reported(known, capped, [...reasons, "applicability_unknown"]);
}

const MILD = new Set<string | null>(["info", "low", "medium"]);

function byRules(rules: RulesPart): Verdict {
  const gaps: Reason[] = [
    ...(rules.missing.length > 0 ? (["policy_missing"] as const) : []),
    ...(rules.idle.length > 0 ? (["policy_not_evaluated"] as const) : []),
    ...(rules.error > 0 ? (["rules_have_errors"] as const) : []),
    ...(rules.unevaluated > 0 ? (["assets_not_evaluated"] as const) : []),
  ];
  const isStale = rules.stale.length > 0;
  if (isStale) gaps.push("evaluation_stale");
  // A failure is worth the same with and without exemption, so that an exemption does not affect the score.
  const part = !isStale && rules.pass > 0 && MILD.has(rules.worst) ? 1 : 0;
  if (rules.open > 0)
    return { state: part ? "partial" : "non_compliant", worth: part, reasons: ["rules_fail", ...gaps] };
  if (rules.fail > 0) return { state: "exempted", worth: part, reasons: ["failures_accepted", ...gaps] };
  if (rules.pass === 0) return { state: "not_assessed", worth: null, reasons: ["nothing_evaluated", ...gaps] };
  if (isStale) return { state: "not_assessed", worth: null, reasons: gaps };
  if (gaps.length > 0) return { state: "partial", worth: 1, reasons: gaps };
  return { state: "compliant", worth: 2, reasons: ["rules_pass"] };
}

const PEOPLES_WORTH = { compliant: 2, partial: 1, non_compliant: 0, exempted: 0 } as const;

function byPeople(record: RecordInput | undefined, requirements: readonly RequirementState[]): Verdict {
  const unknown = (reason: Reason): Verdict => ({ state: "not_assessed", worth: null, reasons: [reason] });
  if (record === undefined || record.status === "not_assessed" || record.status === "not_applicable") {
    return unknown(record?.staleReason === "evidence_stale" ? "evidence_stale" : "not_judged_by_people");
  }
  const unmet = requirements.filter(({ fresh, wanted }) => fresh < wanted);
  if (record.status !== "compliant" || unmet.length === 0) {
    return { state: record.status, worth: PEOPLES_WORTH[record.status], reasons: ["judged_by_people"] };
  }
  if (unmet.some(({ fresh, stale, wanted }) => fresh + stale >= wanted)) return unknown("evidence_stale");
  return { state: "partial", worth: 1, reasons: ["evidence_missing"] };
}

/** In ascending order. The lowest state of the parts counts, and an unknown part caps it at `partial`. */
const RANK = ["non_compliant", "exempted", "partial", "compliant"] as const;

function joined(verdicts: readonly Verdict[]): Verdict {
  const reasons = verdicts.flatMap((verdict) => verdict.reasons);
  const known = verdicts.flatMap(({ state, worth }) => (worth === null ? [] : [{ state, worth }]));
  if (known.length === 0) return { state: "not_assessed", worth: null, reasons };
  if (known.length < verdicts.length) known.push({ state: "partial", worth: 1 });
  const state = RANK.find((each) => known.some((verdict) => verdict.state === each)) ?? "partial";
  const worth = Math.min(...known.map((verdict) => verdict.worth)) as 0 | 1 | 2;
  return { state, worth, reasons };
}
