import { optionsOf } from "#families/options.js";
import type { Environment } from "#kernel/config/environment.js";
import { sinksBehind } from "../audit-sinks/measure-sinks.js";
import { webhooksBehind } from "../webhooks/delivery/measure-webhooks.js";
import { tenantsBehind } from "./tenants-behind.js";

/** Events that wait to be sent to a sink of the host, or to webhooks: of all tenants together. */
export interface DeliveryBacklog {
  /** `webhooks`, or the name of a sink. */
  readonly target: string;
  readonly events: number;
  /** When the oldest of them happened; `null` where none waits. */
  readonly oldestAt: string | null;
}

const WEBHOOKS = "webhooks";

/** What waits of some tenants. Those of which nothing waits are forgotten as behind. */
export async function measureBacklog(
  env: Environment,
  tenantIds: AsyncIterable<string> | Iterable<string>,
): Promise<DeliveryBacklog[]> {
  const targets = [WEBHOOKS, ...optionsOf(env).auditSinks.map(({ name }) => name)];
  const found = new Map<string, DeliveryBacklog>(
    targets.map((target) => [target, { target, events: 0, oldestAt: null }]),
  );
  for await (const tenantId of tenantIds) {
    const reader = env.store.forTenant(tenantId);
    const waiting = [...(await sinksBehind(env, reader)), ...(await webhooksBehind(env, reader))];
    if (waiting.length === 0) env.use(tenantsBehind).delete(tenantId);
    for (const { target = WEBHOOKS, events, oldestAt } of waiting) {
      const before = found.get(target) ?? { target, events: 0, oldestAt: null };
      const [first = null] = [before.oldestAt, oldestAt].filter((time) => time !== null).sort();
      found.set(target, { target, events: before.events + events, oldestAt: first });
    }
  }
  return [...found.values()];
}
