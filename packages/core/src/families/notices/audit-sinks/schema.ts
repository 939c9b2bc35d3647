import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const AuditPosition = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  /** Name of the sink, as the host gives it. */
  sink: z.string(),
  /** The sink has taken every event up to this sequence. */
  position: z.int().min(0),
  failures: z.int().min(0),
  failingSince: Time.nullable(),
  /** When it was told that this goes on for long; `null` where it was not. */
  alarmedAt: Time.nullable(),
  /** Until when a process sends, or until when a failure lets it rest. */
  restsUntil: Time.nullable(),
});
export type AuditPosition = z.output<typeof AuditPosition>;

/** How far each sink of the host has the events of a tenant. */
export const auditPositions = defineCollection<AuditPosition>({
  name: "audit_positions",
  prefix: "aup",
  schema: AuditPosition,
  fields: { sink: { type: "text", compare: "exact" }, restsUntil: { type: "time" } },
  unique: { sink: ["sink"] },
  indexes: [{ where: [], by: "restsUntil", partial: true }],
  secrets: [],
});
