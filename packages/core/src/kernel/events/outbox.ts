import { timestamp } from "#ports/clock.js";
import { hoursMs } from "#ports/durations.js";
import { z } from "#schema/z.js";
import type { Change, Transaction } from "#store/store.js";
import { inTime, TookTooLong } from "../async/in-time.js";
import { defineService, type Environment } from "../config/environment.js";
import type { EventDocument } from "../config/options.js";
import { storeOf } from "../config/store-access.js";
import { defineCollection } from "../records/collection.js";
import { advanced, type Patch } from "../records/stamps.js";
import { Deliveries } from "./deliveries.js";
import { eventText } from "./events.js";
import { Settlements } from "./settlements.js";

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
  while ((await deliver(env, tenantId)).goesOn);
}

/**
 * Sends up to 100 due deliveries of one tenant and returns how many succeeded. Failures are retried with growing
 * delays. After the last try they are kept as `failed`. One that the host does not answer in time ends the run.
 */
export async function deliverDue(env: Environment, tenantId: string): Promise<number> {
  const { sent } = await deliver(env, tenantId);
  await env.use(settlements).now(tenantId);
  return sent;
}

/** How many a run sent, and whether another one at once may send more. */
interface Run {
  readonly sent: number;
  readonly goesOn: boolean;
}

const NOTHING: Run = { sent: 0, goesOn: false };

/** The same, but what was delivered may stay in the outbox for a moment, so that it is removed together with others. */
async function deliver(env: Environment, tenantId: string): Promise<Run> {
  const { onEvent } = env.options;
  if (!onEvent) return NOTHING;
  return env.use(deliveries).run(tenantId, (isOpen) => sendDue(env, tenantId, onEvent, isOpen));
}

/** The runs of this process. */
export const deliveries = defineService("outbox.deliveries", () => new Deliveries(NOTHING));

/** What was attempted and is still in the outbox. */
export const settlements = defineService(
  "outbox.settlements",
  (env) =>
    new Settlements<Attempt>({
      settle: (tenantId, attempts) => settle(env, tenantId, attempts),
      failed: (error) => env.logger.warn({ error: String(error) }, "what was delivered is delivered again"),
    }),
);

/** One attempt at a delivery. */
interface Attempt {
  readonly id: string;
  readonly delivery: Delivery;
  readonly failed: boolean;
}

async function sendDue(
  env: Environment,
  tenantId: string,
  onEvent: (event: EventDocument) => Promise<void> | void,
  isOpen: () => boolean,
): Promise<Run> {
  const store = storeOf(env).forTenant(tenantId);
  const unsettled = env.use(settlements);
  // What is being removed may still be found.
  const done = new Set(unsettled.ids(tenantId));
  const found = await store.find(outbox, {
    where: { state: "due" },
    order: { by: "nextAttemptAt", direction: "asc" },
    range: { through: timestamp(env.clock.now()) },
    size: BATCH + done.size,
  });
  const due = found.rows.filter(({ id }) => !done.has(id)).slice(0, BATCH);
  if (due.length === 0) return NOTHING;
  const events = new Map((await store.getEvents(due.map((row) => row.value.eventId))).map((one) => [one.id, one]));
  let sent = 0;
  let attempted = 0;
  let isLate = false;
  for (const { id, value: delivery } of due) {
    if (!isOpen()) break;
    const event = events.get(delivery.eventId);
    const send = () => event && onEvent(JSON.parse(eventText(event)) as EventDocument);
    const failure = await failureOf(() => inTime(env.options.hostCallTimeoutMs, async () => send()));
    if (failure === undefined) sent += 1;
    else env.logger.warn({ delivery: delivery.id, error: String(failure) }, "event delivery failed");
    attempted += 1;
    await unsettled.add(tenantId, { id, delivery, failed: failure !== undefined });
    isLate = failure instanceof TookTooLong;
    if (isLate) break;
  }
  // One that failed is due again by what is stored.
  if (sent < attempted) await unsettled.now(tenantId);
  // A host that takes nothing is asked again by the next tick.
  return { sent, goesOn: attempted === BATCH && sent > 0 && !isLate };
}

/** Removes what was delivered and postpones the rest, but for what another process has settled meanwhile. */
async function settle(env: Environment, tenantId: string, attempts: readonly Attempt[]): Promise<void> {
  const now = env.clock.now();
  const work = async (tx: Transaction) => {
    const held = await tx.getMany(
      outbox,
      attempts.map(({ delivery }) => delivery.id),
    );
    const versions = new Map(held.map(({ id, value }) => [id, value.version]));
    for (const { delivery, failed } of attempts) {
      if (versions.get(delivery.id) !== delivery.version) continue;
      if (!failed) {
        await tx.remove(outbox, delivery, timestamp(now));
        continue;
      }
      const next = advanced(delivery, retried(delivery, now), undefined);
      await tx.replace(outbox, next, delivery);
      await tx.due(next.nextAttemptAt);
    }
  };
  await storeOf(env).transaction(tenantId, work, "outbox.settle");
}

async function failureOf(work: () => unknown): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error ?? new Error("no reason given");
  }
}

function retried(delivery: Delivery, now: number): Patch<Delivery> {
  const attempts = delivery.attempts + 1;
  const delay = Math.min(1_000 * 4 ** attempts, hoursMs(12));
  const state = attempts >= ATTEMPTS ? "failed" : "due";
  return { attempts, state, nextAttemptAt: timestamp(now + delay) };
}
