import { createHash } from "node:crypto";
import { severalOf } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { eventView } from "#kernel/operation/shown-events.js";
import { sidesOf } from "#kernel/operation/sides.js";
import { Raw } from "#kernel/records/outcome.js";
import { StartTime } from "#kernel/records/record.js";
import { timestamp } from "#ports/clock.js";
import { z } from "#schema/z.js";
import { AT_ONCE, after, limit } from "../chain/fields.js";
import { wholeTypes } from "../events/filter/types.js";
import { exportSlice } from "./export-slice.js";
import type { Criteria } from "./fit-criteria.js";

const EXPORTED_BYTES = 8 * 1024 * 1024;
const values = severalOf(z.string().min(1).max(255));

export const exportActivitySlice = defineOperation({
  id: "aiGovernance.exportSlice",
  method: "GET",
  tag: "AI Activity",
  extension: true,
  path: "/api/v1/ai-governance/audit/slice",
  summary: "Export the events about somebody or something alone, with the proof that none is left out",
  description: `Oldest first, as JSON lines, up to the newest checkpoint. Of other events it tells hashes only. One answer reads about ${AT_ONCE} events and holds about ${EXPORTED_BYTES / 1024 / 1024} MiB at the most. The last line is the trailer: go on from its \`to\` until \`complete\`. The parts one after the other are a slice too.`,
  access: { permission: "ai-audit:export", capability: "ai_registry" },
  query: z.strictObject({
    after,
    limit,
    subjectId: z.string().min(1).max(255).optional().meta({
      description: "Events that name this id as their subject or as related, or the other side of the same thing.",
    }),
    actor: values.meta({ description: "Ids of who did it (`authid`)." }),
    kind: values.meta({ description: "Kinds of the record that it happened to (`subjecttype`)." }),
    type: values.meta({ description: "Types of event, parted by commas, with or without prefix and version." }),
    from: StartTime.optional().meta({
      description: "Shows no data of events before this moment.",
      example: "2026-03-01T00:00:00Z",
    }),
    before: StartTime.optional().meta({
      description: "Shows no data of events from this moment on.",
      example: "2026-04-01T00:00:00Z",
    }),
  }),
  expensive: true,
  replica: true,
  success: { status: 200, media: "application/x-ndjson", schema: z.string() },
  async handler(ctx, { query }) {
    const { subjectId, actor, kind, type, from, before } = query;
    const criteria: Criteria = {
      ...(subjectId === undefined ? {} : { subject: await sidesOf(ctx, subjectId) }),
      ...(actor === undefined ? {} : { actor }),
      ...(kind === undefined ? {} : { kind }),
      ...(type === undefined ? {} : { type: wholeTypes(ctx, type) }),
    };
    const lines: string[] = [];
    const slice = exportSlice(ctx.db, {
      criteria,
      ...(from === undefined ? {} : { from: timestamp(Date.parse(from)) }),
      ...(before === undefined ? {} : { before: timestamp(Date.parse(before)) }),
      ...{ after: query.after ?? 0, limit: query.limit ?? AT_ONCE },
      ...{ bytes: EXPORTED_BYTES, walked: AT_ONCE, view: eventView(ctx) },
    });
    for await (const line of slice) lines.push(line);
    const body = lines.join("");
    const digest = createHash("sha256").update(body).digest("base64");
    return new Raw(body, "application/x-ndjson", {
      headers: {
        "content-digest": `sha-256=:${digest}:`,
        "content-disposition": 'attachment; filename="slice.jsonl"',
      },
    });
  },
});
