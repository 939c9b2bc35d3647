import type { ReadContext } from "#kernel/operation/read-context.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import { type AccessPolicy, POLICY_CHANGES } from "../schema.js";

const PAGE = 100;

/** Ids of who has made, changed or removed any policy of access requests within a day. */
export async function policyEditors(ctx: ReadContext, inForce: readonly AccessPolicy[]): Promise<string[]> {
  return [...(await policyEdits(ctx, inForce, timestamp(ctx.request.nowMs - daysMs(1)))).keys()];
}

/**
 * Who has made, changed or removed any policy of access requests after a time, each with when they last did. The events
 * tell, because a policy that was removed or covers less by now says nothing of who did that. Those in force tell what an
 * older version, which puts no events in this stream, has changed.
 */
export async function policyEdits(
  ctx: ReadContext,
  inForce: readonly AccessPolicy[],
  since: string,
): Promise<ReadonlyMap<string, string>> {
  const edits = new Map<string, string>();
  const add = (by: string, at: string) => {
    if (at > (edits.get(by) ?? since)) edits.set(by, at);
  };
  for (const { editedBy } of inForce) for (const { by, at } of editedBy) add(by, at);
  let before: number | undefined;
  do {
    const query = { stream: POLICY_CHANGES, size: PAGE, ...(before === undefined ? {} : { before }) };
    const page: Awaited<ReturnType<typeof ctx.db.events>> = await ctx.db.events(query);
    before = page.next;
    for (const { attributes } of page.events) {
      const { authid, authtype, time } = JSON.parse(attributes) as Record<"authid" | "authtype" | "time", string>;
      if (time <= since) return edits;
      if (authtype !== "system") add(authid, time);
    }
  } while (before !== undefined);
  return edits;
}
