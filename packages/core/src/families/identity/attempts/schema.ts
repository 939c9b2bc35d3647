import { z } from "zod";
import { defineCollection } from "../../../kernel/records/collection.js";
import { Time } from "../../../kernel/records/record.js";

const Attempts = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  /** When the window ends and counting starts afresh. */
  endsAt: Time,
  used: z.int().min(0),
});
export type Attempts = z.output<typeof Attempts>;

/** How much of each budget is used, by keyed hash of what it belongs to. Rows belong to the platform. */
export const attempts = defineCollection<Attempts>({
  name: "attempts",
  prefix: null,
  schema: Attempts,
  fields: { endsAt: { type: "time" } },
  indexes: [{ where: [], by: "endsAt" }],
});
