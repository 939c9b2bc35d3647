import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const AccessSchedule = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  connectorInstanceId: z.string(),
  /** When the next sync begins by itself. `null` for none. */
  syncAt: Time.nullable(),
  /** When the next scan for drift does. */
  driftScanAt: Time.nullable(),
});
export type AccessSchedule = z.output<typeof AccessSchedule>;

/** When each target is read next by itself, apart from the records that the API serves. */
export const accessSchedules = defineCollection<AccessSchedule>({
  name: "access_schedules",
  prefix: "acs",
  schema: AccessSchedule,
  fields: {
    connectorInstanceId: { type: "text", compare: "exact" },
    syncAt: { type: "time" },
    driftScanAt: { type: "time" },
  },
  unique: { instance: ["connectorInstanceId"] },
  indexes: [
    { where: [], by: "syncAt", partial: true },
    { where: [], by: "driftScanAt", partial: true },
  ],
  secrets: [],
});
