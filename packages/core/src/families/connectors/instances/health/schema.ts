import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const InstanceStreak = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  instanceId: z.string(),
  failures: z.int().min(0),
  successes: z.int().min(0),
});
type InstanceStreak = z.output<typeof InstanceStreak>;

/** How many calls of an instance have failed or succeeded in a row, apart from the record that shows its health. */
export const instanceStreaks = defineCollection<InstanceStreak>({
  name: "connector_instance_streaks",
  prefix: "cik",
  schema: InstanceStreak,
  fields: { instanceId: { type: "text", compare: "exact" } },
  unique: { instance: ["instanceId"] },
  secrets: [],
});
