import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import { DAY_MS, timestamp } from "../../../../ports/clock.js";
import { type AccessPolicy, POLICY_CHANGES } from "../schema.js";

const PAGE = 100;

/**
 * Ids of who has made, changed or removed any policy of access requests within a day. The events tell, because a policy
 * that was removed or covers less by now says nothing of who did that. Those in force tell what an older version, which
 * puts no events in this stream, has changed.
 */
export async function policyEditors(ctx: ReadContext, inForce: readonly AccessPolicy[]): Promise<string[]> {
  const since = timestamp(ctx.request.nowMs - DAY_MS);
  const known = inForce.flatMap(({ editedBy }) => editedBy.filter(({ at }) => at > since).map(({ by }) => by));
  const editors = new Set(known);
  let before: number | undefined;
  do {
    const query = { stream: POLICY_CHANGES, size: PAGE, ...(before === undefined ? {} : { before }) };
    const page: Awaited<ReturnType<typeof ctx.db.events>> = await ctx.db.events(query);
    before = page.next;
    for (const { attributes } of page.events) {
      const { authid, authtype, time } = JSON.parse(attributes) as Record<"authid" | "authtype" | "time", string>;
      if (time <= since) return [...editors];
      if (authtype !== "system") editors.add(authid);
    }
  } while (before !== undefined);
  return [...editors];
}
