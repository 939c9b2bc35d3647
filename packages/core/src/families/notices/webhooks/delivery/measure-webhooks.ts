import { headOf } from "#families/activity/index.js";
import type { Environment } from "#kernel/config/environment.js";
import type { Reader } from "#store/store.js";
import { MOST_WEBHOOKS } from "../fields.js";
import { webhookQueues, webhooks } from "../schema.js";
import { waitingIn } from "./send-page.js";

/** What waits for each active webhook of a tenant that has not got every event that it wants. */
export async function webhooksBehind(env: Environment, reader: Reader) {
  const { rows } = await reader.find(webhooks, { where: { status: "active" }, size: MOST_WEBHOOKS });
  const asked = rows.map(({ id }) => ({ webhookId: id }));
  const [head, queues] = await Promise.all([headOf(reader), reader.lookupMany(webhookQueues, "webhook", asked)]);
  const waiting = rows.map(async ({ value: webhook }, at) => {
    const queue = queues[at]?.value;
    if (!queue || (queue.position >= head && queue.again.length === 0)) return [];
    const { waiting, isFull, oldestAt } = await waitingIn(env, reader, webhook, queue);
    // Which of the events behind a full page are wanted is not known, so all of them are counted.
    const events = isFull ? head - queue.position - queue.done.length : waiting;
    return events > 0 ? [{ target: undefined, events, oldestAt }] : [];
  });
  return (await Promise.all(waiting)).flat();
}
