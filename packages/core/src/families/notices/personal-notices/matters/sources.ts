import type { ReadContext } from "#kernel/operation/read-context.js";
import { standInsNow } from "../../delegations/queries.js";
import { findChangedServers, findCriticalFindings, findDrift, findHalts } from "./find-harm.js";
import { findOwnAssets } from "./find-own-assets.js";
import { findReviews } from "./find-reviews.js";
import type { Matter, MatterSource, StandIns } from "./matter.js";

/** Everything that people are told of. A new kind of matter is one entry here. */
const SOURCES: readonly MatterSource[] = [
  findReviews,
  findOwnAssets,
  findCriticalFindings,
  findDrift,
  findChangedServers,
  findHalts,
];

/** What people are to be told of some records now, and who stands in for whom. */
export interface Found {
  readonly matters: readonly Matter[];
  readonly standIns: StandIns;
}

/** What people are to be told of these records now. */
export async function mattersOf(ctx: ReadContext, ids: readonly string[]): Promise<Found> {
  const standIns = await standInsNow(ctx);
  const found = await Promise.all(SOURCES.map((find) => find({ ctx, ids, standIns })));
  return { matters: found.flat(), standIns };
}
