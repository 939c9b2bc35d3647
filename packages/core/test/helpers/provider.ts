import type { Answer, World } from "@reeve/testkit";
import { eventsOf } from "./facts.js";

export const REASON = "the customer has asked for it";

/** Requests as the provider's administrator. */
export function providerOf(world: World) {
  const { token } = world.provider.owner;
  return {
    get: (path: string): Promise<Answer> => world.send("GET", `/api/v1/support/${path}`, { token }),
    post: (path: string, body: object, headers = {}): Promise<Answer> =>
      world.send("POST", `/api/v1/support/${path}`, { token, body: { reason: REASON, ...body }, headers }),
    reset: (key: string, query = `?reason=${encodeURIComponent(REASON)}`, headers = {}): Promise<Answer> =>
      world.send("DELETE", `/api/v1/support/config/${key}${query}`, { token, headers }),
    /** Changes a setting. */
    set: (key: string, value: unknown): Promise<Answer> =>
      world.send("POST", `/api/v1/support/config/${key}`, {
        token,
        body: { configuration: { value }, reason: REASON },
      }),
  };
}

/** Suspends a tenant as the provider. */
export async function suspend(world: World, tenantId: string): Promise<void> {
  const { status, text } = await providerOf(world).post(`tenants/${tenantId}/status`, { status: "suspended" });
  if (status !== 200) throw new Error(text);
}

/** A tenant's newest event, with envelope and data merged. */
export async function newestEvent(world: World, tenantId: string): Promise<Record<string, unknown>> {
  const event = (await eventsOf({ store: world.store, tenantId })).at(-1);
  return { ...JSON.parse(event?.attributes ?? "{}"), data: JSON.parse(event?.data ?? "null") };
}
