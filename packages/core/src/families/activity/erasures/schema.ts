import { defineCollection } from "#kernel/records/collection.js";
import { RelatedParty } from "#kernel/records/involved.js";
import { statesOf } from "#kernel/records/machine.js";
import { recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { erasureStatus } from "./machine.js";

/** The most events that an erasure names by id. */
export const BY_ID = 100;

const count = (description: string) => z.int().min(0).meta({ description });

/** A request to erase the data of events, and what came of it. */
export const Erasure = z
  .object({
    ...recordShape(z.enum(statesOf(erasureStatus))),
    reason: z.string().meta({ description: "The reason in words." }),
    eventIds: z.array(z.string()).nullable().meta({ description: "The events, where they are named by id." }),
    subjectId: z.string().nullable().meta({ description: "The subject whose activity lists them." }),
    through: count("The last sequence that it takes in. Later events keep their data."),
    requestedBy: z.string().meta({ description: "Id of who asked." }),
    approvedBy: z.string().nullable().meta({ description: "Id of who approved it." }),
    approvedAt: Time.nullable().meta({ description: "When it was approved." }),
    erased: count("Events whose data it has erased."),
    alreadyErased: count("Events whose data was gone before."),
    kept: count("Events about the chain and its erasures, which keep their data."),
    decisions: count("Erased events whose reason stays, without names of people."),
    next: z.int().nullable().meta({ description: "Where the next call goes on; `null`: nowhere." }),
    relatedParty: RelatedParty,
  })
  .meta({ id: "Erasure" });
export type Erasure = z.output<typeof Erasure>;

/** Requests to erase. None is ever removed. */
export const erasures = defineCollection<Erasure>({
  name: "erasures",
  prefix: "ers",
  schema: Erasure,
  resource: { type: "erasure", event: "erasure", path: "/api/v1/ai-governance/audit/erasures" },
  machines: { status: erasureStatus },
  fields: { status: { type: "text" }, subjectId: { type: "text" } },
  indexes: [{ where: ["status"] }],
  filters: { status: { values: statesOf(erasureStatus) }, subjectId: {} },
  counted: ["status"],
});
