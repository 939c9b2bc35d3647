import { headOf } from "#families/activity/index.js";
import { platformGates, switchOfTenant } from "#families/platform/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import type { Reader } from "#store/store.js";
import { tenantsBehind } from "../../backlog/tenants-behind.js";
import { MOST_WEBHOOKS } from "../fields.js";
import { type Webhook, type WebhookQueue, webhookQueues, webhooks } from "../schema.js";
import { noteSent } from "./note-sent.js";
import { sendPage, waitingIn } from "./send-page.js";

/** How long a process reserves a webhook: longer than a page and its last message may take. */
const LEASE = minutesMs(3);
/** The most pages of one webhook in one run. */
const MOST_PAGES = 50;

/**
 * Sends the events that webhooks of a tenant have not got yet, each webhook apart from the others, so that one that does not
 * answer holds up none. Returns how many messages were taken.
 */
export async function sendToWebhooks(env: Environment, tenantId: string, isOpen: () => boolean): Promise<number> {
  const keys = ["connectors.outbound", switchOfTenant(tenantId)];
  const mayGoOn = async () => isOpen() && (await env.use(platformGates).engagedSwitch(keys)) === undefined;
  if (!(await mayGoOn())) return 0;
  const reader = env.store.forTenant(tenantId);
  const { rows } = await reader.find(webhooks, { where: { status: "active" }, size: MOST_WEBHOOKS });
  const active = rows.map(({ value }) => value);
  const asked = active.map(({ id }) => ({ webhookId: id }));
  const [head, queues] = await Promise.all([headOf(reader), reader.lookupMany(webhookQueues, "webhook", asked)]);
  const now = timestamp(env.clock.now());
  if (queues.some((row) => row && isBehind(row.value, head))) env.use(tenantsBehind).add(tenantId);
  const waiting = active.flatMap((webhook, at) => {
    const queue = queues[at]?.value;
    return queue && isWaiting(queue, head, now) ? [{ webhook, queue }] : [];
  });
  const sent = await Promise.all(waiting.map(({ webhook, queue }) => sendTo(env, reader, webhook, queue, mayGoOn)));
  return sent.reduce((sum, one) => sum + one, 0);
}

const isBehind = ({ position, again }: WebhookQueue, head: number): boolean => position < head || again.length > 0;

/** Whether there may be something to send, or a rest to end that is over. */
const isWaiting = (queue: WebhookQueue, head: number, now: string): boolean =>
  queue.restsUntil === null ? isBehind(queue, head) : queue.restsUntil <= now;

/** Sends page after page until one fails, or the webhook has everything. */
async function sendTo(
  env: Environment,
  reader: Reader,
  webhook: Webhook,
  queue: WebhookQueue,
  mayGoOn: () => Promise<boolean>,
): Promise<number> {
  const { waiting, isFull } = await waitingIn(env, reader, webhook, queue);
  if (waiting === 0 && !isFull) {
    if (queue.restsUntil !== null) await endRest(env, reader.tenantId, queue);
    return 0;
  }
  let sent = 0;
  let leased = await lease(env, reader.tenantId, queue);
  for (let page = 1; leased; page += 1) {
    const result = await sendPage(env, reader, webhook, leased, mayGoOn);
    sent += result.attempts.filter(({ outcome }) => outcome === "delivered").length;
    const goesOn = page < MOST_PAGES && (await mayGoOn());
    leased = await noteSent(env, reader.tenantId, leased, result, goesOn ? LEASE : undefined);
  }
  return sent;
}

/** A webhook that has everything is due no more. */
async function endRest(env: Environment, tenantId: string, seen: WebhookQueue): Promise<void> {
  await systemContext(env, tenantId, "webhook").write(async (ctx) => {
    const queue = (await ctx.db.get(webhookQueues, seen.id))?.value;
    if (queue?.version === seen.version) await ctx.update(webhookQueues, queue, { restsUntil: null });
  });
}

/** Reserves a webhook for this process. `undefined` when another one has been faster. */
function lease(env: Environment, tenantId: string, seen: WebhookQueue): Promise<WebhookQueue | undefined> {
  return systemContext(env, tenantId, "webhook").write(async (ctx) => {
    const queue = (await ctx.db.get(webhookQueues, seen.id))?.value;
    if (queue?.version !== seen.version) return undefined;
    return ctx.update(webhookQueues, queue, { restsUntil: timestamp(ctx.request.nowMs + LEASE) });
  });
}
