import type { Environment } from "../../kernel/config/environment.js";
import { deliverDue, outbox } from "../../kernel/events/outbox.js";
import { forEachDue } from "../../kernel/operation/due-records.js";
import { idempotencyKeys } from "../../kernel/pipeline/idempotency.js";
import { timestamp } from "../../ports/clock.js";
import { settings } from "./settings/queries.js";
import { runDomainJobs } from "./tenant-domain/jobs.js";

const DAY = 86_400_000;

/** Timed work of the platform for one tenant. Returns how many records it changed. */
export async function runPlatformJobs(env: Environment, tenantId: string, now: string): Promise<number> {
  return (await dropExpiredAnswers(env, tenantId, now)) + (await runDomainJobs(env, tenantId, now));
}

/** Deletes expired idempotency keys and old failed deliveries, and sends due deliveries. Returns how many of all. */
async function dropExpiredAnswers(env: Environment, tenantId: string, now: string): Promise<number> {
  const expired = { by: "expiresAt", before: now };
  const dropped = await forEachDue(env, idempotencyKeys, expired, tenantId, (ctx, kept) =>
    ctx.remove(idempotencyKeys, kept),
  );
  const kept = env.use(settings).get("retention.failedDeliveryDays") * DAY;
  const failed = { where: { state: "failed" }, by: "nextAttemptAt", before: timestamp(Date.parse(now) - kept) };
  const given = await forEachDue(env, outbox, failed, tenantId, (ctx, delivery) => ctx.remove(outbox, delivery));
  return dropped + given + (await deliverDue(env, tenantId));
}
