import { inParallel } from "#kernel/async/in-parallel.js";
import type { Environment } from "#kernel/config/environment.js";
import { minutesMs } from "#ports/durations.js";
import type { StoredEvent } from "#store/event-log.js";
import type { Reader } from "#store/store.js";
import type { Webhook, WebhookQueue } from "../schema.js";
import { signingKeys } from "../seal-secret.js";
import { type Posted, postMessage } from "./post-message.js";
import { attributesOf, messageOf } from "./sign-message.js";

/** The most events that are looked at together, and the most messages that are under way to one webhook. */
const PAGE = 100;
const AT_ONCE = 8;
/** After so long no further message of a page is begun, so that the page ends within its lease. */
const PAGE_MS = minutesMs(2);

/** One attempt, and the event that it was about. */
export interface Attempt extends Posted {
  readonly event: StoredEvent;
}

/** What was done with a page of events. */
export interface SentPage {
  readonly attempts: readonly Attempt[];
  /** The events after the position, in order, and which of them the webhook wants. */
  readonly events: readonly { readonly sequence: number; readonly isWanted: boolean }[];
}

/** What a page holds for a webhook. */
interface Page {
  readonly toSend: readonly StoredEvent[];
  readonly events: SentPage["events"];
}

/** Reads the next events of a webhook, and those that are sent again. */
async function readPage(env: Environment, reader: Reader, { types }: Webhook, queue: WebhookQueue): Promise<Page> {
  const [page, again] = await Promise.all([
    reader.scanEvents({ after: queue.position, size: PAGE }),
    reader.getEvents(queue.again),
  ]);
  const { eventTypePrefix: prefix } = env.options;
  const wanted = new Set(types.map((type) => `${prefix}.${type}.v1`));
  const isWanted = (event: StoredEvent) => wanted.size === 0 || wanted.has(attributesOf(event).type);
  const done = new Set(queue.done);
  return {
    toSend: [...again, ...page.filter((event) => !done.has(event.sequence) && isWanted(event))],
    events: page.map((event) => ({ sequence: event.sequence, isWanted: isWanted(event) })),
  };
}

/**
 * How many events of the next page a webhook waits for, since when the oldest, and whether the page is full. Events that it does not want are not
 * worth a write until they fill a page.
 */
export async function waitingIn(env: Environment, reader: Reader, webhook: Webhook, queue: WebhookQueue) {
  const { toSend, events } = await readPage(env, reader, webhook, queue);
  const times = toSend.map((event) => attributesOf(event).time).sort();
  return { waiting: toSend.length, isFull: events.length === PAGE, oldestAt: times[0] ?? null };
}

/**
 * Sends the next events of a webhook, and those that are sent again. Events of one subject go one after another, in order;
 * those of others beside them. After a failure no further message is begun.
 */
export async function sendPage(
  env: Environment,
  reader: Reader,
  webhook: Webhook,
  queue: WebhookQueue,
  mayGoOn: () => Promise<boolean>,
): Promise<SentPage> {
  const { toSend, events } = await readPage(env, reader, webhook, queue);
  const attempts: Attempt[] = [];
  if (toSend.length > 0) {
    const keys = await signingKeys(env, reader.tenantId, webhook.id);
    const endsAt = env.clock.now() + PAGE_MS;
    let hasFailed = false;
    await inParallel(groupsOf(toSend), AT_ONCE, async (some) => {
      for (const event of some) {
        if (hasFailed || env.clock.now() >= endsAt || !(await mayGoOn())) return;
        const posted = await postMessage(env, webhook.url, messageOf(event, keys, env.clock.now()));
        attempts.push({ ...posted, event });
        if (posted.outcome === "failed") hasFailed = true;
      }
    });
  }
  return { attempts, events };
}

/** Events by their subjects, each in the order of the chain. */
async function* groupsOf(events: readonly StoredEvent[]): AsyncGenerator<readonly StoredEvent[]> {
  const groups = new Map<string, StoredEvent[]>();
  for (const event of events) {
    const { subject } = attributesOf(event);
    groups.set(subject, [...(groups.get(subject) ?? []), event]);
  }
  yield* groups.values();
}
