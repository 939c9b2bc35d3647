import type { FrameworkControl } from "../../../../frameworks/index.js";
import { canonical } from "../../../../kernel/events/canonical.js";
import { sha256 } from "../../../../kernel/events/chain.js";
import type { DatedEvidence } from "../../records/evidence/evidence.js";
import type { ComplianceStatus } from "../../records/workflow/states.js";

export const RULE_SEVERITIES = ["info", "low", "medium", "high", "critical"] as const;
export type RuleSeverity = (typeof RULE_SEVERITIES)[number];

/** A control with what its applicability gave for the estate; `null` when that could not be told. */
export interface ControlInput extends FrameworkControl {
  readonly applies: boolean | null;
}

export interface FrameworkInput {
  readonly key: string;
  readonly name: string;
  readonly edition: string;
  readonly version: number;
  readonly controls: readonly ControlInput[];
}

/** A rule of a policy that exists. `evaluated`: its policy is observed or in force. */
export interface RuleInput {
  readonly policyKey: string;
  readonly ruleKey: string;
  readonly severity: RuleSeverity;
  readonly evaluated: boolean;
  readonly controls: readonly string[];
}

/** How a rule stands: of so many pairs of rule and asset each outcome was the latest. */
export interface StandingInput {
  readonly policyKey: string;
  readonly ruleKey: string;
  readonly pass: number;
  readonly fail: number;
  readonly error: number;
  readonly skip: number;
  readonly evaluatedAt: string;
}

/** The assessment of a control at the moment of the computation. */
export interface RecordInput {
  readonly id: string;
  readonly version: number;
  readonly framework: string;
  readonly controlId: string;
  readonly status: ComplianceStatus;
  readonly staleReason: string | null;
  readonly nextReviewAt: string | null;
  /** What is attached and not retired. */
  readonly evidence: readonly DatedEvidence[];
}

/** All that a posture is computed from. */
export interface PostureInputs {
  readonly frameworks: readonly FrameworkInput[];
  readonly rules: readonly RuleInput[];
  readonly standings: readonly StandingInput[];
  /** How many findings there are, by `<policyKey>/<ruleKey>:<status>`. */
  readonly findings: Readonly<Record<string, number>>;
  readonly records: readonly RecordInput[];
}

const byText =
  <T>(text: (item: T) => string) =>
  (one: T, other: T) =>
    text(one) < text(other) ? -1 : text(one) > text(other) ? 1 : 0;

/** The same inputs in an order of their own, whatever order they were read in. */
export function ordered(inputs: PostureInputs): PostureInputs {
  return {
    frameworks: [...inputs.frameworks].sort(byText(({ key }) => key)),
    rules: [...inputs.rules].sort(byText(({ policyKey, ruleKey }) => `${policyKey}/${ruleKey}`)),
    standings: [...inputs.standings].sort(byText(({ policyKey, ruleKey }) => `${policyKey}/${ruleKey}`)),
    findings: Object.fromEntries(Object.entries(inputs.findings).sort(byText(([key]) => key))),
    records: [...inputs.records].sort(byText(({ framework, controlId }) => `${framework}:${controlId}`)),
  };
}

/** SHA-256 of the inputs in canonical form (RFC 8785) and in order: equal ones give equal numbers. */
export function digestOf(inputs: PostureInputs): string {
  return sha256(canonical(ordered(inputs)));
}
