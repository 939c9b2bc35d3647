import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const Attempts = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  /** When the window ends and the count starts again at zero. */
  endsAt: Time,
  used: z.int().min(0),
});
export type Attempts = z.output<typeof Attempts>;

/** The use of each budget, by keyed hash of its subject. Rows belong to the platform. */
export const attempts = defineCollection<Attempts>({
  name: "attempts",
  prefix: null,
  schema: Attempts,
  fields: { endsAt: { type: "time" } },
  indexes: [{ where: [], by: "endsAt" }],
});
