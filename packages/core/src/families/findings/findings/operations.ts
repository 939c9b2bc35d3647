import { readOperation } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { Finding } from "./fields.js";
import { findings } from "./schema.js";

const PATH = "/api/v1/ai-governance/findings";
const access = { permission: "ai-finding:read", capability: "ai_governance" } as const;

export const listFindings = defineOperation({
  id: "aiFindings.list",
  method: "GET",
  path: PATH,
  tag: "AI Governance",
  summary: "List findings",
  description:
    "Each as it is at this moment, and in or out of the filter by that: an exemption that has run out exempts nothing.",
  access,
  query: listQuery(findings, "title, message, keys of policy and rule, asset or locus"),
  success: { status: 200, schema: pageOf(Finding) },
  handler: (ctx, { query }) => ctx.page(findings, query),
});

export const readFinding = readOperation({
  id: "aiFindings.read",
  tag: "AI Governance",
  path: PATH,
  summary: "Read one finding",
  access,
  collection: findings,
  schema: Finding,
});
