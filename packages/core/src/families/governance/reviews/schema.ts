import { z } from "zod";
import { defineCollection } from "../../../kernel/records/collection.js";
import { AnyObject } from "../../../kernel/records/generic-body.js";
import { recordShape, Time } from "../../../kernel/records/record.js";
import { FINDING_STATUSES } from "../../findings/index.js";
import { REVIEW_ACTION_NAMES } from "./perform/actions.js";

/** One thing that somebody did about a finding. Never changed. */
export const Review = z
  .object({
    ...recordShape(z.enum(FINDING_STATUSES).meta({ description: "Of the finding afterwards, as in `after`." })),
    findingId: z.string(),
    action: z.enum(REVIEW_ACTION_NAMES),
    outcome: z.enum(["done", "awaiting_second_person"]),
    actor: z.object({ type: z.string(), id: z.string() }),
    reason: z.string().nullable(),
    payload: AnyObject.meta({ description: "What the action was given, and the exemption it made or decided." }),
    before: z.enum(FINDING_STATUSES),
    after: z.enum(FINDING_STATUSES),
    at: Time,
    attributes: AnyObject,
  })
  .meta({ id: "FindingReview" });
export type Review = z.output<typeof Review>;

/** What was done about findings; records are added and never changed. */
export const findingReviews = defineCollection<Review>({
  name: "finding_reviews",
  prefix: "rev",
  schema: Review,
  fields: { findingId: { type: "text" } },
  indexes: [{ where: ["findingId"] }],
  secrets: [],
});
