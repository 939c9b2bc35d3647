import { policiesInForce, policyEdits } from "#families/access/index.js";
import { refusedDeciders } from "#families/accountability/index.js";
import { users } from "#families/identity/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { timestamp } from "#ports/clock.js";
import type { Vote } from "../schema.js";

/**
 * Ids of who has approved and has changed or removed a policy of access requests after that, by themselves or by a
 * machine. At the time of the vote itself an edit is a later one, because no editor votes.
 */
export async function editedSince(ctx: ReadContext, votes: readonly Vote[]): Promise<ReadonlySet<string>> {
  const counted = votes.filter(({ stale, decision }) => !stale && decision === "approve");
  const [first] = counted.map(({ at }) => at).sort();
  if (first === undefined) return new Set();
  const edits = await policyEdits(ctx, await policiesInForce(ctx), timestamp(Date.parse(first) - 1));
  const found = new Set<string>();
  for (const { by, at } of counted) {
    const editors = [...edits].filter(([, last]) => last >= at).map(([id]) => id);
    if (editors.length === 0) continue;
    const people = (await ctx.db.getMany(users, [by])).map(({ value }) => value);
    if (editors.includes(by) || (await refusedDeciders(ctx, people, editors)).size > 0) found.add(by);
  }
  return found;
}
