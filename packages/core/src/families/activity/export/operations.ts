import { createHash } from "node:crypto";
import { defineOperation } from "#kernel/operation/operation.js";
import { eventView } from "#kernel/operation/shown-events.js";
import { Raw } from "#kernel/records/outcome.js";
import { StartTime } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { AT_ONCE, after, limit } from "../chain/fields.js";
import { exportEvents } from "./export-events.js";
import { sliceOf } from "./slice-of-subject.js";

const EXPORTED_BYTES = 8 * 1024 * 1024;

export const exportActivity = defineOperation({
  id: "aiGovernance.exportEvents",
  method: "GET",
  tag: "AI Activity",
  extension: true,
  path: "/api/v1/ai-governance/audit/export",
  summary: "Export the tenant's events as JSON lines with a content hash",
  description: `Oldest first, up to ${AT_ONCE} events or about ${EXPORTED_BYTES / 1024 / 1024} MiB. The last line is the trailer: go on from its \`to\` until \`complete\`. The parts one after the other are an export too. Data of records that the caller may not read is left out, as erased data is. With \`subjectId\` the first line is the slice; the chain shows that no event of the span is missing.`,
  access: { permission: "ai-audit:export", capability: "ai_registry" },
  query: z.strictObject({
    after,
    to: z.int().min(1).optional().meta({ description: "Up to this sequence; to the end when absent." }),
    limit,
    subjectId: z.string().min(1).max(255).optional().meta({
      description: "Shows the data of this subject's events only. All other events of the range come without.",
    }),
    from: StartTime.optional().meta({
      description: "Begins an hour and an event before this moment.",
      example: "2026-03-01T00:00:00Z",
    }),
    before: StartTime.optional().meta({
      description: "Ends an hour and an event behind this moment.",
      example: "2026-04-01T00:00:00Z",
    }),
  }),
  expensive: true,
  replica: true,
  errors: ["invalid_reference"],
  success: { status: 200, media: "application/x-ndjson", schema: z.string() },
  async handler(ctx, { query }) {
    const lines: string[] = [];
    const { subjectId, from, before, ...given } = query;
    const { slice, ...bounds } = await sliceOf(ctx, { subjectId, from, before });
    const range = {
      ...{ limit: given.limit ?? AT_ONCE, bytes: EXPORTED_BYTES, view: eventView(ctx) },
      ...within(bounds, given),
      ...(slice ? { slice } : {}),
    };
    for await (const line of exportEvents(ctx.db, range)) lines.push(line);
    const body = lines.join("");
    const digest = createHash("sha256").update(body).digest("base64");
    return new Raw(body, "application/x-ndjson", {
      headers: {
        "content-digest": `sha-256=:${digest}:`,
        "content-disposition": 'attachment; filename="events.jsonl"',
      },
    });
  },
});

interface Bounds {
  readonly after?: number | undefined;
  readonly to?: number | undefined;
}

/** The narrower of both ranges. */
function within(one: Bounds, other: Bounds) {
  const after = Math.max(one.after ?? 0, other.after ?? 0);
  const to = Math.min(one.to ?? Number.POSITIVE_INFINITY, other.to ?? Number.POSITIVE_INFINITY);
  return { after, ...(Number.isFinite(to) ? { to } : {}) };
}
