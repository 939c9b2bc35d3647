import { canonical } from "#kernel/events/canonical.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { sha256 } from "#store/chain.js";
import { MOST_KINDS } from "./note-call.js";
import { openKeyOf, type Watch, type WatchedCall, watchedCalls, watches } from "./schema.js";

/** The watch under which an installation of this team asks: of the team, or of the whole tenant. */
export async function watchOver(ctx: ReadContext, team: string | null): Promise<Watch | undefined> {
  const keys = [...(team === null ? [] : [team]), null].map((one) => ({ openKey: openKeyOf(one) }));
  const rows = await ctx.db.lookupMany(watches, "open", keys);
  return rows.flatMap((row) => (row ? [ctx.derived(watches, row)] : [])).find(({ status }) => status === "watching");
}

export const WatchSummary = z
  .object({
    digest: z.string().meta({ description: "Of the kinds of calls. Turning to enforcing names it." }),
    kinds: z.int().min(0).meta({ description: "How many kinds of calls there are: of a tool, with the same reasons." }),
    denied: z.int().min(0).meta({ description: "Calls that would have been denied." }),
    waiting: z.int().min(0).meta({ description: "Calls that would have waited for approval." }),
    lastAt: Time.nullable().meta({ description: "When the last of them was made; `null`: none was." }),
  })
  .meta({ id: "EnforcementWatchSummary" });
export type WatchSummary = z.output<typeof WatchSummary>;

/** What enforcing would have denied in a watch. Further calls of the same kinds leave the digest as it is. */
export async function summaryOf(ctx: ReadContext, watchId: string): Promise<WatchSummary> {
  // One more for the calls of all other kinds, denied and waiting.
  const { rows } = await ctx.db.find(watchedCalls, { where: { watchId }, size: MOST_KINDS + 100 });
  const kinds = rows.map(({ value }) => value);
  const sum = (status: WatchedCall["status"]) =>
    kinds.filter((kind) => kind.status === status).reduce((total, { calls }) => total + calls, 0);
  const [lastAt = null] = kinds
    .map((kind) => kind.lastAt)
    .sort()
    .reverse();
  const digest = sha256(canonical([watchId, ...kinds.map(({ kindHash }) => kindHash).sort()]));
  return { digest, kinds: kinds.length, denied: sum("deny"), waiting: sum("require_approval"), lastAt };
}
