import { createHash } from "node:crypto";
import { defineOperation } from "#kernel/operation/operation.js";
import { eventView } from "#kernel/operation/shown-events.js";
import { Raw } from "#kernel/records/outcome.js";
import { z } from "#schema/z.js";
import { AT_ONCE, after, limit } from "../chain/fields.js";
import { exportEvents } from "./export-events.js";

const EXPORTED_BYTES = 8 * 1024 * 1024;

export const exportActivity = defineOperation({
  id: "aiGovernance.exportEvents",
  method: "GET",
  tag: "AI Activity",
  extension: true,
  path: "/api/v1/ai-governance/audit/export",
  summary: "Export the tenant's events as JSON lines with a content hash",
  description: `Oldest first, up to ${AT_ONCE} events or about ${EXPORTED_BYTES / 1024 / 1024} MiB. The last line is the trailer: go on from its \`to\` until \`complete\`. The parts one after the other are an export too. Data of records that the caller may not read is left out, as erased data is.`,
  access: { permission: "ai-audit:export", capability: "ai_registry" },
  query: z.strictObject({
    after,
    to: z.int().min(1).optional().meta({ description: "Up to this sequence; to the end when absent." }),
    limit,
  }),
  expensive: true,
  replica: true,
  success: { status: 200, media: "application/x-ndjson", schema: z.string() },
  async handler(ctx, { query }) {
    const lines: string[] = [];
    const range = { limit: AT_ONCE, ...query, bytes: EXPORTED_BYTES, view: eventView(ctx) };
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
