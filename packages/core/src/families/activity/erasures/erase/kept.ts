import type { ReadContext } from "#kernel/operation/read-context.js";
import type { EventFacts } from "./facts.js";
import { pseudonymsOf, withoutNames } from "./names.js";

/** What stays of a decision when its event is erased. Who decided, when and what stays in its attributes. */
interface KeptDecision {
  readonly sequence: number;
  readonly subject: string;
  readonly event: string | null;
  readonly reason: string;
}

/** The stream with the erasures that keep reasons of decisions about a subject. */
export function keptStream(subjectId: string): string {
  return `${subjectId}#kept`;
}

/** The decisions among these events, with ids in place of names. What was done to accounts of people is none. */
export async function decisionsOf(ctx: ReadContext, events: readonly EventFacts[]): Promise<KeptDecision[]> {
  const decided = events.filter(({ subjectType, data }) => subjectType !== "user" && typeof data.reason === "string");
  if (decided.length === 0) return [];
  const names = await pseudonymsOf(ctx, events);
  return decided.map(({ sequence, subject, data: { event, reason } }) => ({
    sequence,
    subject,
    event: typeof event === "string" ? event : null,
    reason: withoutNames(String(reason), names),
  }));
}

/** The reasons of decisions about a subject whose events are erased, by sequence. */
export async function keptReasons(ctx: ReadContext, subjectId: string): Promise<ReadonlyMap<number, string>> {
  const reasons = new Map<number, string>();
  let before: number | undefined;
  do {
    const query = { stream: keptStream(subjectId), size: 100, ...(before === undefined ? {} : { before }) };
    const { events, next } = await ctx.db.events(query);
    for (const { data } of events) {
      const { decisions = [] } = JSON.parse(data ?? "{}") as { decisions?: readonly KeptDecision[] };
      for (const { sequence, reason } of decisions) reasons.set(sequence, reason);
    }
    before = next;
  } while (before !== undefined);
  return reasons;
}
