import type { FrameworkControl, Role } from "#frameworks/index.js";
import { canonical } from "#kernel/events/canonical.js";
import { sha256 } from "#store/chain.js";
import type { DatedEvidence } from "../../records/evidence/evidence.js";
import type { ComplianceStatus } from "../../records/workflow-states.js";

export const RULE_SEVERITIES = ["info", "low", "medium", "high", "critical"] as const;
export type RuleSeverity = (typeof RULE_SEVERITIES)[number];

/** A control with the result of its applicability. `null` when the expression failed. */
export interface ControlInput extends FrameworkControl {
  readonly applies: boolean | null;
}

export interface FrameworkInput {
  readonly key: string;
  readonly name: string;
  readonly edition: string;
  readonly version: number;
  /** What the organisation does with AI. Empty for all of it. */
  readonly roles: readonly Role[];
  readonly controls: readonly ControlInput[];
}

/** A rule of an existing policy. `evaluated`: its policy is observed or in force. */
export interface RuleInput {
  readonly policyKey: string;
  readonly ruleKey: string;
  readonly severity: RuleSeverity;
  readonly evaluated: boolean;
  /** The types of assets that its policy is about. Empty for all. */
  readonly assetTypes: readonly string[];
  readonly controls: readonly string[];
}

/** The latest outcomes of a rule, as counts of assets. */
export interface StandingInput {
  readonly policyKey: string;
  readonly ruleKey: string;
  readonly pass: number;
  readonly fail: number;
  readonly error: number;
  readonly skip: number;
  readonly evaluatedAt: string;
  /** When the last run over all assets began that asked it as it is. `null` when none has. */
  readonly coveredAt: string | null;
}

/** The assessment of a control as of the computation. */
export interface RecordInput {
  readonly id: string;
  readonly version: number;
  readonly framework: string;
  readonly controlId: string;
  readonly status: ComplianceStatus;
  readonly staleReason: string | null;
  readonly nextReviewAt: string | null;
  /** Evidence in use. */
  readonly evidence: readonly DatedEvidence[];
}

/** All inputs of a posture. */
export interface PostureInputs {
  /** Runs that began before it are no evidence any more. */
  readonly evaluationsSince: string;
  /** Assets in use that no run of all policies has looked at, by type. */
  readonly unevaluated: Readonly<Record<string, number>>;
  readonly frameworks: readonly FrameworkInput[];
  readonly rules: readonly RuleInput[];
  readonly standings: readonly StandingInput[];
  /** Counts of findings, by `<policyKey>/<ruleKey>:<status>`. */
  readonly findings: Readonly<Record<string, number>>;
  readonly records: readonly RecordInput[];
}

const byText =
  <T>(text: (item: T) => string) =>
  (one: T, other: T) =>
    text(one) < text(other) ? -1 : text(one) > text(other) ? 1 : 0;

/** The inputs in canonical order. */
export function ordered(inputs: PostureInputs): PostureInputs {
  return {
    frameworks: [...inputs.frameworks].sort(byText(({ key }) => key)),
    rules: [...inputs.rules].sort(byText(({ policyKey, ruleKey }) => `${policyKey}/${ruleKey}`)),
    standings: [...inputs.standings].sort(byText(({ policyKey, ruleKey }) => `${policyKey}/${ruleKey}`)),
    evaluationsSince: inputs.evaluationsSince,
    unevaluated: Object.fromEntries(Object.entries(inputs.unevaluated).sort(byText(([key]) => key))),
    findings: Object.fromEntries(Object.entries(inputs.findings).sort(byText(([key]) => key))),
    records: [...inputs.records].sort(byText(({ framework, controlId }) => `${framework}:${controlId}`)),
  };
}

/** SHA-256 of the canonical form (RFC 8785) of ordered inputs, as they stand. Equal digests mean equal results. */
export function digestOf(inputs: PostureInputs): string {
  return sha256(canonical(inputs));
}
