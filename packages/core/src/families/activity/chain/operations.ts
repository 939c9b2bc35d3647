import { createHash } from "node:crypto";
import { z } from "zod";
import { defineOperation } from "#kernel/operation/operation.js";
import { PageQuery, pageOf } from "#kernel/operation/page.js";
import { eventView } from "#kernel/operation/shown-events.js";
import { Raw } from "#kernel/records/outcome.js";
import { exportEvents } from "../export/operations.js";
import { checkpointKey } from "./checkpoints/make.js";
import { checkpoints, StoredCheckpoint, Verification } from "./schema.js";
import { verifyChain } from "./verify/verify.js";

const shared = { method: "GET", tag: "AI Activity", extension: true } as const;
const verifying = { permission: "ai-audit:verify", capability: "ai_registry" } as const;
const AT_ONCE = 10_000;
const EXPORTED_BYTES = 8 * 1024 * 1024;

const after = z
  .int()
  .min(0)
  .optional()
  .meta({ description: "Start after this sequence; where the chain begins when absent.", example: 0 });
const limit = z.int().min(1).max(AT_ONCE).optional();

export const verifyActivity = defineOperation({
  ...shared,
  id: "aiGovernance.verifyChain",
  path: "/api/v1/ai-governance/audit/verification",
  summary: "Verify the hash chain of the tenant's events",
  description: `Checks up to ${AT_ONCE} events after \`after\`; go on from \`to\` until \`complete\`.`,
  access: verifying,
  query: z.strictObject({ after, limit }),
  expensive: true,
  success: { status: 200, schema: Verification },
  handler(ctx, { query }) {
    const key = checkpointKey(ctx.env);
    const range = { after: query.after ?? 0, limit: query.limit ?? AT_ONCE };
    return verifyChain(ctx.db, { ...range, ...(key ? { key } : {}) });
  },
});

export const listCheckpoints = defineOperation({
  ...shared,
  id: "aiGovernance.listCheckpoints",
  path: "/api/v1/ai-governance/audit/checkpoints",
  summary: "List the checkpoints of the event chain, newest first",
  access: verifying,
  query: PageQuery,
  success: { status: 200, schema: pageOf(StoredCheckpoint) },
  handler: (ctx, { query }) => ctx.page(checkpoints, query),
});

export const exportActivity = defineOperation({
  ...shared,
  id: "aiGovernance.exportEvents",
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
