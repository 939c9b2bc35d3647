import { defineOperation } from "#kernel/operation/operation.js";
import { PageQuery, pageOf } from "#kernel/operation/page.js";
import { z } from "#schema/z.js";
import { checkpointKey } from "./checkpoints/make.js";
import { AT_ONCE, after, limit } from "./fields.js";
import { ChainTimeline, checkpoints, StoredCheckpoint, Verification } from "./schema.js";
import { chainTimeline } from "./verify/timeline.js";
import { verifyChain } from "./verify/verify.js";

const shared = { method: "GET", tag: "AI Activity", extension: true } as const;
const verifying = { permission: "ai-audit:verify", capability: "ai_registry" } as const;

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

export const readTimeline = defineOperation({
  ...shared,
  id: "aiGovernance.readChainTimeline",
  path: "/api/v1/ai-governance/audit/timeline",
  summary: "Show the event chain as a timeline: what is whole, missing, broken, pruned and erased",
  description: `Looks at up to ${AT_ONCE} events after \`after\`, as the verification does, and goes on behind each fault. Go on from \`to\` until \`complete\`.`,
  access: verifying,
  query: z.strictObject({ after, limit }),
  expensive: true,
  success: { status: 200, schema: ChainTimeline },
  handler: (ctx, { query }) =>
    chainTimeline(ctx.db, {
      after: query.after ?? 0,
      limit: query.limit ?? AT_ONCE,
      key: checkpointKey(ctx.env),
    }),
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
