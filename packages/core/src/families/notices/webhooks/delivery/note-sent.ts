import type { Environment } from "#kernel/config/environment.js";
import { subjectOf } from "#kernel/events/record-events.js";
import type { Context } from "#kernel/operation/context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { daysMs, hoursMs } from "#ports/durations.js";
import { isAlarming } from "../../backlog/raise-alarm.js";
import { webhookStatus } from "../machine.js";
import { type WebhookQueue, webhookAttempts, webhookQueues, webhooks } from "../schema.js";
import type { Attempt, SentPage } from "./send-page.js";
import { attributesOf } from "./sign-message.js";

/** The pause after the first failure. Each further one is four times as long, up to the longest. */
const FIRST_PAUSE = 5_000;
const LONGEST_PAUSE = hoursMs(6);
/** After failures for so long a webhook is disabled. */
const GIVEN_UP_AFTER = daysMs(3);
/** By HTTP the address is gone for good. */
const GONE = 410;

/**
 * Notes what was sent to a webhook. Returns its queue, reserved for another `leaseMs`, where more may wait and nothing
 * failed. Without `leaseMs` it is due again at once.
 */
export function noteSent(
  env: Environment,
  tenantId: string,
  leased: WebhookQueue,
  sent: SentPage,
  leaseMs: number | undefined,
): Promise<WebhookQueue | undefined> {
  return systemContext(env, tenantId, "webhook").write(async (ctx) => {
    const queue = (await ctx.db.get(webhookQueues, leased.id))?.value;
    // It was removed meanwhile.
    if (!queue) return undefined;
    await storeAttempts(ctx, queue.webhookId, sent.attempts);
    // Somebody has it begin elsewhere meanwhile. How far this process came counts no more.
    if (queue.position !== leased.position || queue.done.join() !== leased.done.join()) {
      await ctx.update(webhookQueues, queue, { again: leftOf(queue, sent.attempts), restsUntil: ctx.now });
      return undefined;
    }
    const failed = sent.attempts.find(({ outcome }) => outcome === "failed");
    if (failed) return noteFailure(ctx, queue, sent, failed);
    const isAll = sent.events.length === 0 && sent.attempts.length === 0;
    const rest = isAll ? null : timestamp(ctx.request.nowMs + (leaseMs ?? 0));
    const next = await ctx.update(webhookQueues, queue, { ...progress(ctx, queue, sent), restsUntil: rest });
    return isAll || leaseMs === undefined ? undefined : next;
  });
}

async function noteFailure(ctx: Context, queue: WebhookQueue, sent: SentPage, failed: Attempt): Promise<undefined> {
  const failures = queue.failures + 1;
  const failingSince = queue.failingSince ?? ctx.now;
  const pause = Math.min(FIRST_PAUSE * 4 ** (failures - 1), LONGEST_PAUSE);
  const isOver = failed.httpStatus === GONE || Date.parse(failingSince) + GIVEN_UP_AFTER <= ctx.request.nowMs;
  const before = progress(ctx, queue, sent);
  const alarms = isAlarming(ctx, { ...queue, ...before }, failingSince);
  await ctx.update(webhookQueues, queue, {
    ...before,
    failures,
    failingSince,
    ...(alarms ? { alarmedAt: ctx.now } : {}),
    lastFailure: failed.failure,
    restsUntil: isOver ? null : timestamp(ctx.request.nowMs + pause),
  });
  if (alarms) await alarm(ctx, queue.webhookId, { failingSince, failures, lastFailure: failed.failure });
  const webhook = isOver ? (await ctx.db.get(webhooks, queue.webhookId))?.value : undefined;
  if (webhook?.status === "active")
    await ctx.transition(
      webhooks,
      webhookStatus,
      webhook,
      { event: "give_up" },
      { triggeredBy: "system", reason: reasonOf(failed) },
    );
  return undefined;
}

async function alarm(ctx: Context, webhookId: string, data: Readonly<Record<string, unknown>>): Promise<void> {
  ctx.env.logger.warn({ webhookId, tenantId: ctx.db.tenantId, ...data }, "a webhook is behind for long");
  await ctx.emit({ type: "webhook.behind", severity: "WARN", subject: subjectOf(webhooks, webhookId), data });
}

const reasonOf = ({ failure, httpStatus }: Attempt): string =>
  httpStatus === GONE ? "The receiver said that it is gone." : `No message was taken for three days: ${failure}.`;

/** How far the queue is after what was sent. */
function progress(ctx: Context, queue: WebhookQueue, { attempts, events }: SentPage) {
  const taken = attempts.filter(({ outcome }) => outcome === "delivered");
  const done = new Set([...queue.done, ...taken.map(({ event }) => event.sequence)]);
  const isOpen = ({ sequence, isWanted }: SentPage["events"][number]) => isWanted && !done.has(sequence);
  const open = events.findIndex(isOpen);
  const passed = open < 0 ? events : events.slice(0, open);
  const position = passed.at(-1)?.sequence ?? queue.position;
  return {
    position,
    done: [...done].filter((sequence) => sequence > position).sort((a, b) => a - b),
    again: leftOf(queue, attempts),
    ...(taken.length > 0
      ? { failures: 0, failingSince: null, alarmedAt: null, lastFailure: null, lastDeliveredAt: ctx.now }
      : {}),
  };
}

/** The single events that still wait to be sent once more. */
function leftOf({ again }: WebhookQueue, attempts: readonly Attempt[]): string[] {
  const taken = new Set(attempts.filter(({ outcome }) => outcome === "delivered").map(({ event }) => event.id));
  return again.filter((id) => !taken.has(id));
}

async function storeAttempts(ctx: Context, webhookId: string, attempts: readonly Attempt[]): Promise<void> {
  const drafts = attempts.map(({ event, ...posted }) => {
    const { id: eventId, type } = attributesOf(event);
    return { webhookId, eventId, sequence: event.sequence, type, ...posted };
  });
  await ctx.insertMany(webhookAttempts, drafts, { event: false });
}
