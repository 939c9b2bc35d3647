import { accessAssignments } from "#families/access-grants/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { factsOf } from "../certification-facts.js";
import type { CertificationItem } from "../items/schema.js";
import type { Weighed } from "../rules.js";
import { snapshotOf } from "../take-snapshot.js";

type Reviewed = Pick<CertificationItem, "assignmentId">;

/** How the access of some items is at this moment, with a few queries for all of them. */
export async function presentOf(
  ctx: ReadContext,
  items: readonly Reviewed[],
): Promise<(item: Reviewed) => Weighed | undefined> {
  const rows = await ctx.db.getMany(accessAssignments, [...new Set(items.map(({ assignmentId }) => assignmentId))]);
  const assignments = rows.map((row) => ctx.derived(accessAssignments, row));
  const facts = await factsOf(ctx, assignments);
  const present = new Map(assignments.map((one) => [one.id, snapshotOf(one, undefined, facts(one), ctx.now)] as const));
  return ({ assignmentId }) => present.get(assignmentId);
}
