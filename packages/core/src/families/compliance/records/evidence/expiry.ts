import { defineFollower } from "#kernel/operation/area.js";
import { type ComplianceRecord, compliance } from "../schema.js";

/** Emits an event when evidence has expired, in addition to that of the status. */
export const notifyExpiry = defineFollower<ComplianceRecord>(compliance, async (ctx, { before, after }) => {
  if (!before || !after || before.staleReason !== null || after.staleReason !== "evidence_stale") return;
  await ctx.emit({
    type: "compliance.evidence.expired",
    subject: { id: after.id, type: "compliance", path: `/api/v1/ai/compliance/${after.id}` },
    related: after.assetId === null ? [] : [after.assetId],
    data: {
      entity: { type: "compliance", id: after.id, name: after.name },
      framework: after.framework,
      controlId: after.controlId,
      from: before.status,
      evidenceUntil: before.evidenceUntil,
    },
  });
});
