import { FINDING_STATUSES, SEVERITIES } from "#families/findings/index.js";
import { defineCollection } from "#kernel/records/collection.js";
import { AnyObject, Attributes } from "#kernel/records/generic-body.js";
import { recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { REVIEW_ACTION_NAMES } from "./perform/actions.js";

const REVIEW_OUTCOMES = ["done", "awaiting_four_eyes"] as const;

/** One action on a finding. It never changes. */
export const Review = z
  .object({
    ...recordShape(z.enum(FINDING_STATUSES).meta({ description: "Of the finding afterwards, as in `after`." })),
    findingId: z.string().meta({ description: "Id of the finding." }),
    policyId: z.string().nullable().meta({ description: "Policy of the finding." }),
    assetId: z.string().meta({ description: "Asset of the finding." }),
    severity: z.enum(SEVERITIES).meta({ description: "The effective one of the finding afterwards." }),
    action: z.enum(REVIEW_ACTION_NAMES).meta({ description: "What was done." }),
    outcome: z.enum(REVIEW_OUTCOMES).meta({ description: "Whether it took effect." }),
    actor: z
      .object({
        type: z.string().meta({ description: "What kind of actor." }),
        id: z.string().meta({ description: "Id of the actor." }),
      })
      .meta({ description: "Who did it." }),
    reason: z.string().nullable().meta({ description: "Why it was done." }),
    payload: AnyObject.meta({ description: "What the action was given, and the exemption it made or decided." }),
    before: z.enum(FINDING_STATUSES).meta({ description: "Status of the finding before." }),
    after: z.enum(FINDING_STATUSES).meta({ description: "Status of the finding afterwards." }),
    at: Time.meta({ description: "When it was done." }),
    attributes: Attributes,
  })
  .meta({ id: "FindingReview" });
export type Review = z.output<typeof Review>;

/** Actions on findings. Records are added and never changed. */
export const findingReviews = defineCollection<Review>({
  name: "finding_reviews",
  prefix: "rev",
  schema: Review,
  fields: {
    findingId: { type: "text" },
    action: { type: "text" },
    outcome: { type: "text" },
    policyId: { type: "text" },
    assetId: { type: "text" },
    severity: { type: "text" },
  },
  indexes: [{ where: ["findingId"] }, { where: ["outcome"] }],
  filters: {
    action: { values: REVIEW_ACTION_NAMES },
    outcome: { values: REVIEW_OUTCOMES },
    severity: { values: SEVERITIES, description: "The effective one of the finding afterwards." },
    policyId: {},
    assetId: { ids: "ai_asset" },
  },
  secrets: [],
});
