import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const DueMark = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  /** What was in force when every tenant was last made due because of it. */
  digest: z.string(),
  at: Time,
  /** Whether they are made due once more, because other processes may not have known of it. */
  again: z.boolean(),
});
export type DueMark = z.output<typeof DueMark>;

/** What can make something due in any tenant, as it was known last. Rows belong to the platform. */
export const dueMarks = defineCollection<DueMark>({
  name: "due_marks",
  prefix: null,
  schema: DueMark,
  secrets: [],
});
