import { z } from "zod";
import { readOperation } from "../../kernel/crud.js";
import { defineOperation } from "../../kernel/operation.js";
import { pageOf, pageQuery } from "../../kernel/page.js";
import { pageAsSeen } from "../../kernel/seen-page.js";
import type { Where } from "../../store/store.js";
import { Finding } from "./fields.js";
import { MOVING } from "./reading.js";
import { findings } from "./schema.js";
import { FINDING_STATUSES, SEVERITIES } from "./vocabulary.js";

const PATH = "/api/v1/ai-governance/findings";
const access = { permission: "ai-finding:read", capability: "ai_governance" } as const;

const FindingQuery = z.strictObject({
  ...pageQuery,
  search: z
    .string()
    .max(200)
    .optional()
    .meta({ description: "Text in title, message, keys of policy and rule, asset or locus; case is ignored." }),
  status: z.enum(FINDING_STATUSES).optional(),
  severity: z.enum(SEVERITIES).optional().meta({ description: "The effective one." }),
  policyId: z.string().max(200).optional(),
  assetId: z.string().max(200).optional(),
});

export const listFindings = defineOperation({
  id: "aiFindings.list",
  method: "GET",
  path: PATH,
  tag: "AI Governance",
  summary: "List findings, newest first",
  description:
    "Each as it is at this moment, and in or out of the filter by that: an exemption that has run out exempts nothing.",
  access,
  query: FindingQuery,
  success: { status: 200, schema: pageOf(Finding) },
  handler: (ctx, { query: { search, status, severity, policyId, assetId, ...page } }) =>
    pageAsSeen(ctx, findings, MOVING, page, {
      where: Object.fromEntries(
        Object.entries({ status, severity, policyId, assetId }).filter(([, value]) => value !== undefined),
      ) as Where,
      ...(search === undefined || search === "" ? {} : { search }),
    }),
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
