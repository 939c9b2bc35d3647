import { z } from "zod";
import { notFound } from "../../kernel/errors.js";
import { defineOperation } from "../../kernel/operation.js";
import { PageQuery, pageOf } from "../../kernel/page.js";
import { verifyChain } from "../../kernel/verify-chain.js";
import { Event, Verification } from "./schema.js";

const access = { permission: "ai-activity:read", capability: "ai_registry" } as const;

export const listActivity = defineOperation({
  id: "aiActivity.list",
  method: "GET",
  path: "/api/v1/ai/activity",
  tag: "AI Activity",
  summary: "List what has happened in the tenant, newest first",
  access,
  query: PageQuery,
  success: { status: 200, schema: pageOf(Event) },
  handler: (ctx, { query }) => ctx.events(query),
});

export const listSubjectActivity = defineOperation({
  id: "aiActivity.listSubject",
  method: "GET",
  path: "/api/v1/ai/activity/{subjectId}",
  tag: "AI Activity",
  summary: "List what has happened to one subject, and to what belongs to it, newest first",
  description: "Also answers for subjects that have been deleted since.",
  access,
  params: z.object({ subjectId: z.string().max(255) }),
  query: PageQuery,
  success: { status: 200, schema: pageOf(Event) },
  async handler(ctx, { params, query }) {
    const known =
      /^[A-Za-z][\w.:-]*$/.test(params.subjectId) &&
      (await ctx.db.events({ stream: params.subjectId, size: 1 })).events.length > 0;
    if (!known) throw notFound();
    return ctx.events(query, params.subjectId);
  },
});

const VERIFIED_AT_ONCE = 10_000;

export const verifyActivity = defineOperation({
  id: "aiGovernance.verifyChain",
  method: "GET",
  path: "/api/v1/ai-governance/audit/verification",
  tag: "AI Activity",
  summary: "Verify the hash chain of the tenant's events",
  description: `Checks up to ${VERIFIED_AT_ONCE} events after \`after\`; go on from \`to\` until \`complete\`.`,
  access: { permission: "ai-audit:verify", capability: "ai_registry" },
  extension: true,
  query: z.strictObject({
    after: z.int().min(0).optional().meta({ description: "Start after this sequence; 0 when absent.", example: 0 }),
    limit: z.int().min(1).max(VERIFIED_AT_ONCE).optional(),
  }),
  dear: true,
  success: { status: 200, schema: Verification },
  handler: (ctx, { query }) => verifyChain(ctx.db, { after: query.after ?? 0, limit: query.limit ?? VERIFIED_AT_ONCE }),
});
