import type { ReadContext } from "#kernel/operation/read-context.js";
import { everyDue } from "#kernel/operation/seen-records.js";
import { type AccessDrift, accessDrift } from "./schema.js";

/** Open differences of one assignment that are read, one of each kind at most. */
const MOST = 20;

/** The open differences of each of some assignments, with those whose time to be let be is over. */
export async function openDriftOf(
  ctx: ReadContext,
  assignmentIds: readonly string[],
): Promise<ReadonlyMap<string, readonly AccessDrift[]>> {
  const values = [...new Set(assignmentIds)];
  const found = await ctx.db.findTopPerKey(accessDrift, { field: "openFor", values, size: MOST });
  const open = new Map(values.map((id) => [id, (found.get(id) ?? []).map(({ value }) => value)] as const));
  for await (const turned of everyDue(ctx.db, accessDrift, "acceptedUntil", ctx.now))
    for (const { seen } of turned) open.get(seen.assignmentId ?? "")?.push(seen);
  return open;
}
