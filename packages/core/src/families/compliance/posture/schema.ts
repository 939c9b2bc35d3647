import { Roles } from "#frameworks/index.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { CONTROL_STATES, REASONS, type Reason } from "./compute/control.js";

const count = z.int().min(0);

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
