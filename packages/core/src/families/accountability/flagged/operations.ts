import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { FlaggedDecision, flaggedDecisions } from "./schema.js";

export const listFlaggedDecisions = defineOperation({
  id: "aiFlaggedDecisions.list",
  method: "GET",
  path: "/api/v1/ai-governance/flagged-decisions",
  tag: "AI Governance",
  extension: true,
  summary: "List decisions by people related to who asked",
  access: { permission: "ai-flagged-decision:read", capability: "ai_governance" },
  query: listQuery(flaggedDecisions),
  success: { status: 200, schema: pageOf(FlaggedDecision) },
  handler: (ctx, { query }) => ctx.page(flaggedDecisions, query),
});
