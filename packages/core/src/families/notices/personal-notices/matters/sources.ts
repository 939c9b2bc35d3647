import type { ReadContext } from "#kernel/operation/read-context.js";
import { findReviews } from "./find-reviews.js";
import type { Matter, MatterSource } from "./matter.js";

/** Everything that people are told of. A new kind of matter is one entry here. */
const SOURCES: readonly MatterSource[] = [findReviews];

/** What people are to be told of these records now. */
export async function mattersOf(ctx: ReadContext, ids: readonly string[]): Promise<readonly Matter[]> {
  return (await Promise.all(SOURCES.map((find) => find(ctx, ids)))).flat();
}
