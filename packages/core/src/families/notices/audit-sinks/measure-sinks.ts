import { headOf } from "#families/activity/index.js";
import { optionsOf } from "#families/options.js";
import type { Environment } from "#kernel/config/environment.js";
import type { Reader } from "#store/store.js";
import { attributesOf } from "../webhooks/delivery/sign-message.js";
import { auditPositions } from "./schema.js";

/** What waits for each sink of the host that has not got every event of a tenant. */
export async function sinksBehind(env: Environment, reader: Reader) {
  const names = optionsOf(env).auditSinks.map(({ name }) => name);
  const rows = await reader.lookupMany(
    auditPositions,
    "sink",
    names.map((sink) => ({ sink })),
  );
  const head = names.length > 0 ? await headOf(reader) : 0;
  const waiting = names.map(async (target, at) => {
    const after = rows[at]?.value.position ?? 0;
    const [oldest] = after < head ? await reader.scanEvents({ after, size: 1 }) : [];
    return oldest ? [{ target, events: head - oldest.sequence + 1, oldestAt: attributesOf(oldest).time }] : [];
  });
  return (await Promise.all(waiting)).flat();
}
