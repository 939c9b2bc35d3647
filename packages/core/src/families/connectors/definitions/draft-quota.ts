import { settings } from "#families/platform/index.js";
import { defineService } from "#kernel/config/environment.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { RateLimiter, requireQuota } from "#kernel/pipeline/rate-limit/limiter.js";

/** Tests of settings that are not stored, for each tenant and minute. */
export const DRAFT_TESTS = 5;
const LIMITS = { tenant: 0, principal: 0, address: 0, rejected: 0, credential: 0, expensive: DRAFT_TESTS };

const limiter = defineService("connectors.draftTests", (env) => new RateLimiter(env));

/** 429 when the tenant has had its tests of this minute, in whatever process. None without a limit of what costs much. */
export async function spendDraftTest({ env, principal: { tenantId } }: ReadContext): Promise<void> {
  if (env.use(settings).get("rateLimits.expensive") === 0) return;
  const spending = { tenantId, keys: [["expensive", `connector drafts of ${tenantId}`]] } as const;
  requireQuota(await env.use(limiter).spend(LIMITS, spending));
}
