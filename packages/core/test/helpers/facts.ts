import type { Scene } from "@reeve/testkit";
import { type DescribedOperation, effectOf } from "#kernel/operation/operation.js";
import { collections } from "#reference/index.js";
import type { StoredEvent } from "#store/index.js";

/** All of a tenant's events, oldest first. */
export async function eventsOf(scene: Pick<Scene, "store" | "tenantId">): Promise<StoredEvent[]> {
  const reader = scene.store.forTenant(scene.tenantId);
  const events: StoredEvent[] = [];
  for (;;) {
    const batch = await reader.scanEvents({ after: events.at(-1)?.sequence ?? 0, size: 1_000 });
    events.push(...batch);
    if (batch.length < 1_000) return events;
  }
}

/** The sequence number of a tenant's newest event. Equal results mean that nothing happened. */
export async function headOf(scene: Pick<Scene, "store" | "tenantId">): Promise<number> {
  const { events } = await scene.store.forTenant(scene.tenantId).events({ size: 1 });
  return events[0]?.sequence ?? 0;
}

/** The types of a tenant's events after the first `after`, without prefix and version. */
export async function eventTypes(scene: Pick<Scene, "store" | "tenantId">, after = 0): Promise<string[]> {
  const events = (await eventsOf(scene)).slice(after);
  return events.map((event) => (JSON.parse(event.attributes) as { type: string }).type.replace(/^reeve\.|\.v1$/g, ""));
}

/** What moves on by itself with every event, whatever is asked: how far webhooks are. */
const GOES_ON = new Set(["webhook_queues"]);

/** All records of a tenant as text, by collection. Equal results mean that nothing was written. */
export async function recordsOf(scene: Pick<Scene, "store" | "tenantId">): Promise<Record<string, string[]>> {
  const reader = scene.store.forTenant(scene.tenantId);
  const all: Record<string, string[]> = {};
  for (const collection of collections) {
    if (GOES_ON.has(collection.name)) continue;
    all[collection.name] = (await reader.scan(collection, { size: 1_000 })).map((row) => row.text);
  }
  return all;
}

export const mutates = (operation: DescribedOperation): boolean => effectOf(operation) !== "read";

/** The response text without its request id. */
export function withoutRequestId(text: string): string {
  return text.replace(/"requestId":"[^"]*"/, "");
}

/** Whether only the provider's people may call it. */
export const isProviders = ({ access }: DescribedOperation): boolean =>
  typeof access === "object" && access.provider === true;

/** Collections of resources whose rows belong to the platform. */
export const OF_THE_PLATFORM: readonly string[] = ["kill_switches"];
