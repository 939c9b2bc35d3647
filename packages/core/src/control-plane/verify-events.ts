import { compareCheckpoint, headOf, verifyChain } from "../families/activity/index.js";
import type { Checkpoint } from "../families/options.js";
import { PLATFORM_TENANT, tenantRegistry } from "../families/platform/index.js";
import type { ReadStore } from "../kernel/config/read-store.js";
import { everyTenant } from "./every-tenant.js";

/** The result of verifying the event chains of all tenants. */
export interface EventsVerification {
  readonly tenants: number;
  readonly events: number;
  /** The first fault of each invalid chain. */
  readonly faults: readonly { readonly tenantId: string; readonly sequence: number; readonly reason: string }[];
  /**
   * Chains that end before a checkpoint that was given, as after a restore: the highest sequence that one knows, and the
   * last one stored.
   */
  readonly beyond: readonly { readonly tenantId: string; readonly sequence: number; readonly head: number }[];
}

/** What to compare the chains with. */
export interface EventsVerificationOptions {
  /** Checkpoints kept elsewhere, of any tenants in any order. They are read once, one at a time. */
  readonly checkpoints?: Iterable<Checkpoint> | AsyncIterable<Checkpoint>;
}

/**
 * Verifies the event chain of every tenant from its beginning, then compares it with checkpoints. `onProgress` is called
 * after each tenant.
 */
export async function verifyEvents(
  store: ReadStore,
  onProgress: (progress: EventsVerification) => void = () => {},
  { checkpoints = [] }: EventsVerificationOptions = {},
): Promise<EventsVerification> {
  const faults = new Map<string, EventsVerification["faults"][number]>();
  const beyond = new Map<string, EventsVerification["beyond"][number]>();
  let [tenants, events] = [0, 0];
  const found = () => ({ tenants, events, faults: [...faults.values()], beyond: [...beyond.values()] });
  for await (const tenantId of everyTenant(store)) {
    const { checked, fault } = await verifyChain(store.forTenant(tenantId));
    tenants += 1;
    events += checked;
    if (fault) faults.set(tenantId, { tenantId, ...fault });
    onProgress(found());
  }
  for await (const checkpoint of checkpoints) {
    const { chainid: tenantId, toSeq: sequence, at } = checkpoint;
    const reader = store.forTenant(tenantId);
    const outcome = await compareCheckpoint(reader, checkpoint);
    if (outcome === "other" && !faults.has(tenantId))
      faults.set(tenantId, { tenantId, sequence, reason: `a checkpoint of ${at} knows another event here` });
    const before = beyond.get(tenantId);
    if (outcome === "beyond" && (await wasErased(store, checkpoint))) continue;
    if (outcome === "beyond" && sequence > (before?.sequence ?? 0))
      beyond.set(tenantId, { tenantId, sequence, head: before?.head ?? (await headOf(reader)) });
  }
  return found();
}

/** Whether the events up to a checkpoint were erased with their tenant. */
async function wasErased(store: ReadStore, { chainid, toSeq }: Checkpoint): Promise<boolean> {
  const registered = await store.forTenant(PLATFORM_TENANT).get(tenantRegistry, chainid);
  return toSeq <= (registered?.value.erasure?.lastSequence ?? 0);
}
