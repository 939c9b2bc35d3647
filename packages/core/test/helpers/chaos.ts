import type { Connector } from "@reeve/core/connectors";
import { StoreError } from "@reeve/core/store";
import { ulidSource } from "@reeve/core/testing";
import { createPlane, type World } from "@reeve/testkit";
import { failing } from "./failing-store.js";

/** Schedules that a run tries. A night run tries hundreds, an ordinary one a few. */
export const SCHEDULES = Number(process.env.REEVE_CHAOS_SCHEDULES ?? 3);

/**
 * Ticks in processes of their own that call through a disturbed connector. Those with a number die after so many
 * transactions, and what they had begun is left to the next, once their leases have ended.
 */
export async function tickThrough(
  world: World,
  connectors: readonly Connector[],
  { deaths, ticks, pause }: { readonly deaths: readonly number[]; readonly ticks: number; readonly pause: number },
): Promise<number> {
  let died = 0;
  for (let at = 0; at < ticks; at += 1) {
    const transactions = deaths[at];
    let isDead = false;
    const store =
      transactions === undefined
        ? world.store
        : failing(world.store, (attempt) => {
            isDead ||= attempt > transactions;
            return isDead ? new StoreError("unavailable", "The process is dead.") : undefined;
          });
    const { controlPlane } = createPlane({ store, clock: world.clock, ids: ulidSource(), connectors });
    await controlPlane.tick().catch(() => undefined);
    if (isDead) died += 1;
    world.clock.advance(pause);
  }
  return died;
}
