import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const InstanceState = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  instanceId: z.string(),
  key: z.string(),
  /** JSON text. */
  content: z.string(),
});
type InstanceState = z.output<typeof InstanceState>;

/** What connectors remember of an instance between calls. */
export const instanceStates = defineCollection<InstanceState>({
  name: "connector_instance_states",
  prefix: "cit",
  schema: InstanceState,
  fields: { instanceId: { type: "text", compare: "exact" }, key: { type: "text", compare: "exact" } },
  unique: { key: ["instanceId", "key"] },
  indexes: [{ where: ["instanceId"] }],
  secrets: ["content"],
});
