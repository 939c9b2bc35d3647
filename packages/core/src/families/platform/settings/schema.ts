import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const StoredSetting = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  createdBy: z.string(),
  updatedAt: Time,
  updatedBy: z.string(),
  value: z.unknown(),
});
export type StoredSetting = z.output<typeof StoredSetting>;

/** Settings that are not at their defaults, by key. Rows belong to the platform. */
export const platformSettings = defineCollection<StoredSetting>({
  name: "platform_settings",
  prefix: null,
  broadcast: true,
  schema: StoredSetting,
});
