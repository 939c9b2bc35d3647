import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const InstanceSecrets = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  instanceId: z.string(),
  /** All secrets of the instance by name, as JSON. */
  sealedValues: z.string(),
  /** Rises when a value changes, and not when the same values are sealed with another key. */
  revision: z.int().min(1),
  /** Which process refreshes them, and until when. */
  leasedBy: z.string().nullable(),
  leasedUntil: Time.nullable(),
});
export type InstanceSecrets = z.output<typeof InstanceSecrets>;

/** Credentials of instances, apart from the records that the API serves. */
export const instanceSecrets = defineCollection<InstanceSecrets>({
  name: "connector_instance_secrets",
  prefix: "cis",
  schema: InstanceSecrets,
  fields: { instanceId: { type: "text", compare: "exact" } },
  unique: { instance: ["instanceId"] },
  sealed: ["sealedValues"],
  secrets: ["leasedBy"],
});
