import { CONTROL_KINDS, EVIDENCE_TYPES, Roles } from "#frameworks/index.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { CONTROL_STATES, REASONS, type Reason } from "./compute/control.js";
import { RULE_SEVERITIES } from "./compute/inputs.js";

const count = z.int().min(0);
const texts = z.array(z.string());

export const Grade = z.object({
  score: z.number().min(0).max(100).nullable().meta({
    description:
      "Weight of what is met, half of it for what is partly met, in hundredths of the weight that was assessed; `null` when nothing was.",
  }),
  coverage: z.number().min(0).max(100).meta({ description: "Assessed controls in hundredths of those that apply." }),
});

export const Counts = z.object({
  applicable: count.meta({ description: "Controls that apply." }),
  compliant: count.meta({ description: "Controls that are met." }),
  partial: count.meta({ description: "Controls that are partly met." }),
  nonCompliant: count.meta({ description: "Controls that are not met." }),
  exempted: count.meta({ description: "Not met, and that is accepted. No pass, and not hidden among the others." }),
  notAssessed: count.meta({ description: "Controls that were not assessed." }),
  notApplicable: count.meta({ description: "Controls that do not apply." }),
  upcoming: count.meta({ description: "Controls that do not bind yet." }),
});

/** A control of a framework as the API serves it. */
export const ControlPosture = z
  .object({
    controlId: z.string().meta({ description: "Id of the control in its framework." }),
    parent: z.string().nullable().meta({ description: "The control it is part of." }),
    title: z.string().meta({ description: "Title of the control." }),
    kind: z.enum(CONTROL_KINDS).meta({ description: "Judged by rules, by people or by both." }),
    weight: z.int().meta({ description: "Its share in scores." }),
    appliesFrom: z.string().nullable().meta({ description: "The day from which it binds; `null`: already." }),
    roles: Roles.meta({ description: "Whom it binds; empty: everybody." }),
    sourceRef: z.string().meta({ description: "Where the source says so." }),
    automation: z
      .string()
      .meta({ description: "Why passes of its rules are evidence for it, and what they leave open." }),
    state: z.enum(CONTROL_STATES).meta({ description: "How well it is met." }),
    worth: z.int().min(0).max(2).nullable().meta({
      description: "Halves of the weight that count as met; `null` where nothing was assessed.",
    }),
    reasons: z.array(z.enum(Object.keys(REASONS) as [Reason, ...Reason[]])).meta({ description: "Why it is not met." }),
    rules: z
      .object({
        mapped: count.meta({ description: "Rules that are mapped to it." }),
        evaluated: count.meta({ description: "Rules that have run." }),
        pass: count.meta({ description: "Results that passed." }),
        fail: count.meta({ description: "Results that failed." }),
        error: count.meta({ description: "Results that could not be computed." }),
        open: count.meta({ description: "Findings that are open." }),
        exempted: count.meta({ description: "Findings that are exempted." }),
        dismissed: count.meta({ description: "Findings that were dismissed." }),
        worst: z.enum(RULE_SEVERITIES).nullable().meta({ description: "The gravest that fails." }),
        missing: texts.meta({ description: "Rules that are in no active policy." }),
        idle: texts.meta({ description: "Rules that have had nothing to look at." }),
        stale: texts.meta({ description: "Rules that no run has asked of all assets lately." }),
        unevaluated: count.meta({ description: "Assets that no run has looked at." }),
        oldestEvaluation: Time.nullable().meta({ description: "When the oldest result was computed." }),
      })
      .meta({ description: "Rules that are evidence for it." }),
    requirements: z
      .array(
        z.object({
          type: z.enum(EVIDENCE_TYPES).meta({ description: "What kind of evidence." }),
          wanted: count.meta({ description: "How many are needed." }),
          fresh: count.meta({ description: "How many are there and new enough." }),
          stale: count.meta({ description: "How many are too old." }),
        }),
      )
      .meta({ description: "Evidence that people need." }),
    recordId: z.string().nullable().meta({ description: "Id of its assessment." }),
    reviewOverdue: z.boolean().meta({ description: "Its assessment should have been looked at again." }),
  })
  .meta({ id: "ComplianceReportControl" });

export const TrendPoint = z.object({ at: Time.meta({ description: "When it was computed." }), ...Grade.shape });
export type TrendPoint = z.output<typeof TrendPoint>;

export const Gap = z
  .object({
    controlId: z.string().meta({ description: "Id of the control in its framework." }),
    title: z.string().meta({ description: "Title of the control." }),
    state: z.enum(CONTROL_STATES).meta({ description: "How well it is met." }),
    reasons: z.array(z.enum(Object.keys(REASONS) as [Reason, ...Reason[]])).meta({ description: "Why it is not met." }),
    weight: z.int().meta({ description: "Its share in scores." }),
    openFindings: count.meta({ description: "Findings that are open." }),
    guidance: z.string().meta({ description: "What to do, and what shows it." }),
  })
  .meta({ id: "ComplianceGap" });

export const FrameworkPosture = z
  .object({
    framework: z.string().meta({ description: "Key of the framework." }),
    name: z.string().meta({ description: "Name of the framework." }),
    edition: z.string().meta({ description: "Edition of the source." }),
    version: z.int().meta({ description: "Version of its data." }),
    roles: Roles.meta({ description: "Roles of the organisation; empty: all." }),
    ...Grade.shape,
    ...Counts.shape,
    evidenceFreshness: z
      .object({
        oldest: Time.nullable().meta({ description: "When the oldest evidence in use was collected." }),
        oldestEvaluation: Time.nullable().meta({ description: "The oldest evaluation of a rule that counts." }),
        staleCount: count.meta({ description: "Pieces of evidence that are too old to count." }),
        nextExpiry: Time.nullable().meta({ description: "When evidence in use ends next." }),
      })
      .meta({ description: "How old the evidence in use is." }),
    topGaps: z.array(Gap).max(10).meta({ description: "The ten that weigh most." }),
    trend: z.array(TrendPoint).meta({ description: "By day, oldest first; the last point is this very answer's." }),
  })
  .meta({ id: "FrameworkPosture" });

export const DISCLAIMER = "This is an evidence summary, not a legal determination." as const;

export const Overall = z
  .object({
    ...Grade.shape,
    ...Counts.shape,
    trend: z.array(TrendPoint).meta({ description: "By day, oldest first." }),
  })
  .meta({ id: "OverallPosture", description: "Over all frameworks." });

export const PostureAnswer = z
  .object({
    asOf: Time.meta({ description: "The moment it is about." }),
    inputsDigest: z.string().meta({ description: "SHA-256 of all inputs: equal ones give equal numbers." }),
    disclaimer: z.literal(DISCLAIMER).meta({ description: "What this is not." }),
    assets: count.nullable().meta({ description: "How many assets it is about; `null`: the organisation." }),
    overall: Overall,
    items: z.array(FrameworkPosture).meta({ description: "The posture in each framework." }),
    page: count.meta({ description: "Zero-based page number." }),
    size: z.int().min(1).max(100).meta({ description: "Items a page." }),
    totalItems: count.meta({ description: "Items of all pages." }),
    totalPages: count.meta({ description: "Pages there are." }),
  })
  .meta({ id: "CompliancePosture" });

export const FrameworkPostureAnswer = z
  .object({
    ...FrameworkPosture.shape,
    asOf: Time.meta({ description: "The moment it is about." }),
    controls: z.array(ControlPosture).meta({ description: "All its controls." }),
  })
  .meta({ id: "ComplianceFrameworkPosture" });
