import type { Environment } from "#kernel/config/environment.js";
import { deliverDue, outbox } from "#kernel/events/outbox.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import { type Due, dueBy } from "#kernel/operation/dues.js";
import { dropRemoved, removedDue } from "#kernel/operation/removed.js";
import { idempotencyKeys } from "#kernel/pipeline/idempotency.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { settings } from "./settings/queries.js";
import { subdomains } from "./subdomains/schema.js";
import { aliasDue, runDomainJobs } from "./tenant-domain/jobs.js";

const failedKept = (env: Environment) => daysMs(env.use(settings).get("retention.failedDeliveryDays"));

/** When the platform has timed work. */
export const platformDues: readonly Due[] = [
  dueBy(idempotencyKeys, "expiresAt"),
  dueBy(outbox, "nextAttemptAt", { where: { state: "failed" }, after: failedKept }),
  dueBy(outbox, "nextAttemptAt", {
    where: { state: "due" },
    after: ({ options }) => (options.onEvent ? 0 : undefined),
  }),
  dueBy(subdomains, "heldUntil"),
  aliasDue,
  removedDue,
];

/** Timed work of the platform for one tenant. Returns how many records it changed. */
export async function runPlatformJobs(env: Environment, tenantId: string, now: string): Promise<number> {
  const dropped = (await dropExpiredAnswers(env, tenantId, now)) + (await dropRemoved(env, tenantId));
  return dropped + (await runDomainJobs(env, tenantId, now));
}

/** Deletes expired idempotency keys and old failed deliveries, and sends due deliveries. Returns how many of all. */
async function dropExpiredAnswers(env: Environment, tenantId: string, now: string): Promise<number> {
  const expired = { by: "expiresAt", before: now };
  const dropped = await forEachDue(env, idempotencyKeys, expired, tenantId, (ctx, kept) =>
    ctx.remove(idempotencyKeys, kept),
  );
  const before = timestamp(Date.parse(now) - failedKept(env));
  const failed = { where: { state: "failed" }, by: "nextAttemptAt", before };
  const given = await forEachDue(env, outbox, failed, tenantId, (ctx, delivery) => ctx.remove(outbox, delivery));
  return dropped + given + (await deliverDue(env, tenantId));
}
