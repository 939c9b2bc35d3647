import { StartTime, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { Named } from "../../names/schema.js";

export const ChangesQuery = z.strictObject({
  since: z.enum(["approval", "decision"]).optional().meta({
    description: "`approval` (default): the last approval of it. `decision`: what the caller last decided about it.",
  }),
  from: StartTime.optional().meta({
    description: "Since this moment instead.",
    example: "2026-11-21T00:00:00Z",
  }),
});

/** What of a record differs from what it was at an earlier moment. */
export const ReviewChanges = z
  .object({
    since: z
      .object({
        at: Time.meta({ description: "The moment that it is compared with." }),
        by: Named.nullable().meta({ description: "Who decided then; `null` for a moment that was asked for." }),
      })
      .nullable()
      .meta({ description: "What it is compared with; `null`: it was never decided, or that is not known." }),
    complete: z.boolean().meta({
      description: "Whether the record of changes reaches back so far; false where events were erased or pruned.",
    }),
    recurs: z.boolean().meta({ description: "Whether such records are approved more than once." }),
    items: z
      .array(
        z.object({
          type: z.string().meta({ description: "Kind of the record: of the asset, or of its technical side." }),
          id: z.string().meta({ description: "Id of the record." }),
          field: z.string().meta({ description: "The field that differs." }),
          from: z.unknown().meta({ description: "What it held then." }),
          to: z.unknown().meta({ description: "What it holds now." }),
        }),
      )
      .meta({ description: "Fields that differ." }),
    hidden: z.array(z.string()).meta({ description: "Kinds of record whose changes the caller may not see." }),
    names: z.array(Named).meta({ description: "What ids in these values stand for, up to 100." }),
  })
  .meta({ id: "ReviewChanges" });
