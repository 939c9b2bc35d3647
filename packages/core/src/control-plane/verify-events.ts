import { verifyChain } from "../families/activity/index.js";
import type { ReadStore } from "../kernel/config/read-store.js";
import { everyTenant } from "./every-tenant.js";

/** The result of verifying the event chains of all tenants. */
export interface EventsVerification {
  readonly tenants: number;
  readonly events: number;
  /** The first fault of each invalid chain. */
  readonly faults: readonly { readonly tenantId: string; readonly sequence: number; readonly reason: string }[];
}

/** Verifies the event chain of every tenant from its beginning. `onProgress` is called after each tenant. */
export async function verifyEvents(
  store: ReadStore,
  onProgress: (progress: EventsVerification) => void = () => {},
): Promise<EventsVerification> {
  const faults: EventsVerification["faults"][number][] = [];
  let [tenants, events] = [0, 0];
  for await (const tenantId of everyTenant(store)) {
    const { checked, fault } = await verifyChain(store.forTenant(tenantId));
    tenants += 1;
    events += checked;
    if (fault) faults.push({ tenantId, ...fault });
    onProgress({ tenants, events, faults });
  }
  return { tenants, events, faults };
}
