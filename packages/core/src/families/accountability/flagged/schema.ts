import { defineCollection } from "#kernel/records/collection.js";
import { recordFields, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

/** A decision that somebody took who is related to somebody involved in the matter. */
export const FlaggedDecision = z
  .object({
    id: z.string().meta({ description: "Id of the entry." }),
    version: recordFields.version,
    createdAt: recordFields.createdAt,
    act: z.string().meta({ description: "What was decided.", example: "governanceState: approve" }),
    subject: z
      .object({
        type: z.string().meta({ description: "Type of the record." }),
        id: z.string().meta({ description: "Id of the record." }),
        path: z.string().meta({ description: "Path of the record in the API." }),
        name: z.string().meta({ description: "Name of the record." }),
      })
      .meta({ description: "What it was decided about." }),
    decidedBy: z.string().meta({ description: "Id of who decided." }),
    relation: z.string().meta({ description: "How who decided and who asked hang together." }),
    settledAt: Time.nullable().meta({ description: "When somebody unrelated decided it again, or it was removed." }),
    settledBy: z.string().nullable().meta({ description: "Id of who did." }),
  })
  .meta({ id: "FlaggedDecision" });
export type FlaggedDecision = z.output<typeof FlaggedDecision>;

/** The most characters of a relation. A longer one is cut. */
export const RELATION_LENGTH = 2_000;

/** Decisions by related parties. Of one subject and act, at most one is open. */
export const flaggedDecisions = defineCollection<FlaggedDecision>({
  name: "flagged_decisions",
  prefix: "fld",
  schema: FlaggedDecision,
  fields: {
    open: { type: "boolean", of: ({ settledAt }) => settledAt === null },
    openOn: {
      type: "text",
      compare: "exact",
      of: ({ settledAt, subject, act }) => (settledAt === null ? `${subject.id} ${act}` : null),
    },
    subjectId: { type: "text", of: ({ subject }) => subject.id },
    decidedBy: { type: "text" },
  },
  unique: { open: ["openOn"] },
  indexes: [{ where: ["open"] }, { where: ["subjectId"] }, { where: ["decidedBy"] }],
  filters: {
    open: { type: "boolean", description: "Whether nobody unrelated has decided it since." },
    subjectId: { description: "Id of the person whom it is about." },
    decidedBy: {},
  },
  counted: ["open"],
  secrets: [],
});
