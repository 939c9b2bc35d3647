import { z } from "zod";
import { timestamp } from "../../ports/clock.js";
import type { Change, Writer } from "../../store/store.js";
import { StoreError } from "../../store/store-error.js";
import { KeyedCoalescer } from "../async/keyed-coalescer.js";
import { defineService, type Environment } from "../config/environment.js";
import type { EventDocument } from "../config/options.js";
import { storeOf } from "../config/store-access.js";
import { defineCollection } from "../records/collection.js";
import { advanced, type Patch } from "../records/stamps.js";
import { eventText } from "./events.js";

const ATTEMPTS = 10;
const BATCH = 100;

const Delivery = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: z.string(),
  eventId: z.string(),
  attempts: z.int().min(0),
  state: z.enum(["due", "failed"]),
  nextAttemptAt: z.string(),
});
type Delivery = z.output<typeof Delivery>;

/** Deliveries to the host, stored in the transaction of their cause. They are sent at least once, after the commit. */
export const outbox = defineCollection<Delivery>({
  name: "outbox",
  prefix: "obx",
  schema: Delivery,
  fields: { state: { type: "text" }, nextAttemptAt: { type: "time" } },
  indexes: [{ where: ["state"], by: "nextAttemptAt" }],
  secrets: [],
});

/** The pending delivery of an event. Store it in the transaction of the event. */
export function delivery(eventId: string, now: string) {
  return { eventId, attempts: 0, state: "due", nextAttemptAt: now } as const;
}

/** Notifies caches of the changes and starts the deliveries of the commit without waiting for them. */
export function notifyCommit(env: Environment, changes: readonly Change[]): void {
  for (const change of changes) {
    env.committed(change);
    if (!change.collections.has(outbox.name)) continue;
    deliverAll(env, change.tenantId).catch((error: unknown) => {
      env.logger.warn({ error: String(error) }, "deliveries wait for the next tick");
    });
  }
}

/** Repeats while a run is full, because one batch may leave thousands of deliveries. */
async function deliverAll(env: Environment, tenantId: string): Promise<void> {
  while ((await deliverDue(env, tenantId)) === BATCH);
}

/**
 * Sends up to 100 due deliveries of one tenant and returns how many succeeded. Failures are retried with growing
 * delays. After the last try they are kept as `failed`.
 */
export async function deliverDue(env: Environment, tenantId: string): Promise<number> {
  const { onEvent } = env.options;
  if (!onEvent) return 0;
  return env.use(deliveries).run(tenantId, () => sendDue(env, tenantId, onEvent));
}

/** One run per tenant at a time. Two at once would deliver the same events twice. */
const deliveries = defineService("outbox.deliveries", () => new KeyedCoalescer<number>());

async function sendDue(
  env: Environment,
  tenantId: string,
  onEvent: (event: EventDocument) => Promise<void> | void,
): Promise<number> {
  const store = storeOf(env).forTenant(tenantId);
  const now = timestamp(env.clock.now());
  const due = await store.find(outbox, {
    where: { state: "due" },
    order: { by: "nextAttemptAt", direction: "asc" },
    range: { through: now },
    size: BATCH,
  });
  let sent = 0;
  for (const { value: delivery } of due.rows) {
    const event = await store.event(delivery.eventId);
    const failure = await failureOf(async () => event && onEvent(JSON.parse(eventText(event)) as EventDocument));
    if (failure === undefined) sent += 1;
    else env.logger.warn({ delivery: delivery.id, error: String(failure) }, "event delivery failed");
    const finished = failure === undefined ? store.remove(outbox, delivery, now) : postpone(store, delivery, env);
    await finished.catch(ignoreStale);
  }
  return sent;
}

async function failureOf(work: () => unknown): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error ?? new Error("no reason given");
  }
}

function postpone(store: Writer, delivery: Delivery, env: Environment): Promise<void> {
  return store.replace(outbox, advanced(delivery, retried(delivery, env.clock.now()), undefined), delivery);
}

/** Another process has delivered the event meanwhile. At-least-once delivery allows that. */
function ignoreStale(error: unknown): void {
  if (!(StoreError.is(error) && error.code === "stale")) throw error;
}

function retried(delivery: Delivery, now: number): Patch<Delivery> {
  const attempts = delivery.attempts + 1;
  const delay = Math.min(1_000 * 4 ** attempts, 12 * 3_600_000);
  const state = attempts >= ATTEMPTS ? "failed" : "due";
  return { attempts, state, nextAttemptAt: timestamp(now + delay) };
}
