import { z } from "zod";
import { APPLIES_TO, CONTROL_KINDS, EVIDENCE_TYPES, FrameworkControl } from "../../../frameworks/index.js";
import { Time } from "../../../kernel/records/record.js";
import { CONTROL_STATES, REASONS, type Reason } from "../posture/compute/control.js";
import { RULE_SEVERITIES } from "../posture/compute/inputs.js";
import { Counts, DISCLAIMER, FrameworkPosture, Gap, Grade, TrendPoint } from "../posture/schema.js";
import { namesOf, RESULTS } from "../records/workflow/states.js";

const count = z.int().min(0);
const texts = z.array(z.string());

const ReportControl = z
  .object({
    controlId: z.string(),
    parent: z.string().nullable(),
    title: z.string(),
    kind: z.enum(CONTROL_KINDS),
    weight: z.int(),
    appliesFrom: z.string().nullable(),
    appliesTo: z.enum(APPLIES_TO),
    sourceRef: z.string(),
    state: z.enum(CONTROL_STATES),
    worth: z.int().min(0).max(2).nullable().meta({
      description: "Halves of the weight that count as met; `null` where nothing was assessed.",
    }),
    reasons: z.array(z.enum(Object.keys(REASONS) as [Reason, ...Reason[]])),
    rules: z.object({
      mapped: count,
      evaluated: count,
      pass: count,
      fail: count,
      error: count,
      open: count,
      exempted: count,
      dismissed: count,
      worst: z.enum(RULE_SEVERITIES).nullable(),
      missing: texts,
      idle: texts,
      oldestEvaluation: Time.nullable(),
    }),
    requirements: z.array(z.object({ type: z.enum(EVIDENCE_TYPES), wanted: count, fresh: count, stale: count })),
    recordId: z.string().nullable(),
    reviewOverdue: z.boolean(),
  })
  .meta({ id: "ComplianceReportControl" });

const Inputs = z
  .object({
    frameworks: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        edition: z.string(),
        version: z.int(),
        controls: z.array(z.object({ ...FrameworkControl.shape, applies: z.boolean().nullable() })),
      }),
    ),
    rules: z.array(
      z.object({
        policyKey: z.string(),
        ruleKey: z.string(),
        severity: z.enum(RULE_SEVERITIES),
        evaluated: z.boolean(),
        controls: texts,
      }),
    ),
    standings: z.array(
      z.object({
        policyKey: z.string(),
        ruleKey: z.string(),
        pass: count,
        fail: count,
        error: count,
        skip: count,
        evaluatedAt: Time,
      }),
    ),
    findings: z.record(z.string(), count),
    records: z.array(
      z.object({
        id: z.string(),
        version: z.int(),
        framework: z.string(),
        controlId: z.string(),
        status: z.enum(namesOf(RESULTS)),
        staleReason: z.string().nullable(),
        nextReviewAt: Time.nullable(),
        evidence: z.array(z.object({ type: z.enum(EVIDENCE_TYPES), collectedAt: Time, validUntil: Time.nullable() })),
      }),
    ),
  })
  .meta({ id: "CompliancePostureInputs" });

const ReportFramework = z
  .object({
    ...FrameworkPosture.shape,
    publisher: z.string(),
    source: z.string(),
    sourceUrl: z.string().nullable(),
    checkedOn: z.string().nullable(),
    terms: z.string(),
    gaps: z.array(Gap),
    controls: z.array(ReportControl),
  })
  .meta({ id: "ComplianceReportFramework" });

/** All data of a report, with the inputs of its numbers. */
export const Report = z
  .object({
    format: z.literal("reeve-compliance-report/1"),
    organization: z.string().meta({ description: "The name of the tenant that this is about." }),
    asOf: Time,
    inputsDigest: z.string(),
    disclaimer: z.literal(DISCLAIMER),
    overall: z.object({ ...Grade.shape, ...Counts.shape, trend: z.array(TrendPoint) }),
    frameworks: z.array(ReportFramework),
    inputs: Inputs,
  })
  .meta({ id: "ComplianceReport" });
export type Report = z.output<typeof Report>;
export type ReportFramework = Report["frameworks"][number];
export type ReportControl = ReportFramework["controls"][number];
