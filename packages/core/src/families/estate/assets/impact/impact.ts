import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Asset } from "../schema.js";
import { type User, usersOf } from "./users.js";

/** The most assets that an impact lists, and the most steps it follows. */
const MOST_USERS = 500;
const MOST_STEPS = 10;

/** An asset that uses another one directly or through others. */
export interface Affected extends User {
  /** Steps from the asset in question: 1 for a direct user. */
  readonly distance: number;
}

/** Who uses an asset, nearest first, what of it would stop with the asset, and whether the list is complete. */
export async function impactOf(
  ctx: ReadContext,
  root: Asset,
): Promise<{ readonly affected: readonly Affected[]; readonly complete: boolean }> {
  const affected = new Map<string, Affected>();
  // Those that stop with the asset. A user of what goes on is not stopped.
  const stopping = new Set([root.id]);
  let level: readonly Asset[] = [root];
  let complete = true;
  for (let distance = 1; level.length > 0; distance += 1) {
    if (distance > MOST_STEPS) return { affected: [...affected.values()], complete: false };
    const found = await usersOf(ctx, level);
    complete &&= found.complete;
    const next: Asset[] = [];
    for (const user of found.users) {
      const { id } = user.asset;
      const stops = user.stops && stopping.has(user.usedId);
      const known = affected.get(id);
      if (id === root.id || (known && (known.stops || !stops))) continue;
      if (!known && affected.size === MOST_USERS) return { affected: [...affected.values()], complete: false };
      affected.set(id, { ...user, stops, distance });
      if (stops) stopping.add(id);
      next.push(user.asset);
    }
    level = next;
  }
  return { affected: [...affected.values()], complete };
}
