import { defineCollection } from "#kernel/records/collection.js";
import { EndTime, recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

/** The states of a review, all of them by time alone. */
export const REVIEW_STATES = ["waiting", "overdue", "lapsed"] as const;

/** What can wait for somebody. */
export const REVIEW_KINDS = [
  "asset_review",
  "condition",
  "tool_review",
  "mcp_manifest",
  "finding_dismissal",
  "finding_severity",
  "exemption",
  "action_approval",
  "assessment",
  "attestation",
  "halt_lift",
  "policy_change",
  "erasure",
  "access_request",
  "certification",
  "certification_confirmation",
  "access_drift",
  "stop_reason",
] as const;
export type ReviewKindName = (typeof REVIEW_KINDS)[number];

export const CommentText = z.string().trim().min(1).max(2_000).meta({ description: "What is said." });

/** The most comments of one review. */
export const MOST_COMMENTS = 100;

/** Something that waits for a person, of any kind. The record ends when that is decided. */
export const Review = z
  .object({
    ...recordShape(z.enum(REVIEW_STATES)),
    kind: z.enum(REVIEW_KINDS).meta({ description: "The kind of record that waits." }),
    subject: z
      .object({
        type: z.string().meta({ description: "Type of the record." }),
        id: z.string().meta({ description: "Id of the record." }),
        path: z.string().meta({ description: "Path of the record in the API." }),
      })
      .meta({ description: "The record to decide about." }),
    key: z.string().meta({ description: "Which part of it, where several can wait: the key of a condition." }),
    assetId: z.string().nullable().meta({ description: "The asset that it is about." }),
    permission: z.string().meta({ description: "What somebody must hold to decide." }),
    requestedBy: z.string().nullable().meta({ description: "Id of who asked for it." }),
    assignee: z
      .string()
      .nullable()
      .meta({ description: "Id of the user who is to do it. Nobody, once that user may do it no more." }),
    dueAt: EndTime.nullable().meta({ description: "When it is `overdue`." }),
    endsAt: Time.nullable().meta({ description: "From then on it is `lapsed` and cannot be decided." }),
    escalatedAt: Time.nullable().meta({ description: "When it was told of as overdue." }),
    comments: z
      .array(
        z.object({
          by: z.string().meta({ description: "Id of who said it." }),
          at: Time.meta({ description: "When it was said." }),
          text: CommentText,
        }),
      )
      .max(MOST_COMMENTS)
      .meta({ description: "What was said about it." }),
  })
  .meta({ id: "Review" });
export type Review = z.output<typeof Review>;

/** The values of `audience`: a person, or everybody with a permission. */
export const assignedTo = (userId: string) => `user ${userId}`;
export const openTo = (permission: string) => `may ${permission}`;

/** Everything that waits for somebody. Each record follows the one that it is about. */
export const reviews = defineCollection<Review>({
  name: "reviews",
  prefix: "rvw",
  schema: Review,
  resource: { type: "review", event: "review", path: "/api/v1/reviews" },
  related: ({ subject, assetId }) => [...new Set([subject.id, ...(assetId === null ? [] : [assetId])])],
  fields: {
    status: { type: "text" },
    kind: { type: "text", compare: "exact" },
    subjectId: { type: "text", compare: "exact", of: ({ subject }) => subject.id },
    key: { type: "text", compare: "exact" },
    assetId: { type: "text" },
    requestedBy: { type: "text" },
    /** The one who is to do it, or else everybody who may. */
    audience: {
      type: "text",
      of: ({ assignee, permission }) => (assignee === null ? openTo(permission) : assignedTo(assignee)),
    },
    dueAt: { type: "time" },
    turnsAt: { type: "time", of: turnsAt },
    /** When it is to be told of as overdue. `null` once it was, and without a due date. */
    escalatesAt: { type: "time", of: ({ dueAt, escalatedAt }) => (escalatedAt === null ? dueAt : null) },
  },
  unique: { matter: ["kind", "subjectId", "key"] },
  indexes: [
    { where: ["audience"] },
    { where: ["kind"] },
    { where: ["assetId"] },
    { where: ["subjectId"] },
    { where: ["requestedBy"] },
    { where: [], by: "dueAt" },
    { where: [], by: "turnsAt", partial: true },
    { where: [], by: "escalatesAt", partial: true },
  ],
  filters: {
    status: { values: REVIEW_STATES, changesAt: "turnsAt" },
    kind: { values: REVIEW_KINDS },
    assetId: { ids: "ai_asset" },
    requestedBy: {},
    audience: {
      description: "`user <id>`: assigned to that user; `may <permission>`: for everybody who holds it.",
    },
  },
  orders: { dueAt: "dueAt" },
  staleAt: turnsAt,
  derive: reviewAt,
});

function turnsAt({ dueAt, endsAt }: Pick<Review, "dueAt" | "endsAt">): string | null {
  const moments = [dueAt, endsAt].filter((moment) => moment !== null).sort();
  return moments[0] ?? null;
}

/** The review with the state of a moment. */
export function reviewAt(review: Review, now: string): Review {
  const { dueAt, endsAt } = review;
  const status = (endsAt ?? "~") <= now ? "lapsed" : (dueAt ?? "~") <= now ? "overdue" : "waiting";
  return { ...review, status };
}
