import { type PastChange, pastChanges, type Subject, undone } from "#families/activity/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isSame } from "#kernel/records/is-same.js";
import type { StoredRecord } from "#store/collection.js";
import type { Told } from "./subjects.js";

/** What differs from an earlier moment. */
export interface ChangesSince {
  /** The event that it is compared with; `undefined` where none was found. */
  readonly since: PastChange | undefined;
  /** Whether the record of changes reaches back so far, or to the beginning. */
  readonly complete: boolean;
  readonly items: readonly {
    readonly type: string;
    readonly id: string;
    readonly field: string;
    readonly from: unknown;
    readonly to: unknown;
  }[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Undoes the events of records, back to the first one that `isReached` names, and tells what differs from then. */
export async function changesSince(
  ctx: ReadContext,
  told: readonly Told[],
  isReached: (event: PastChange) => boolean,
): Promise<ChangesSince> {
  const states = new Map<string, StoredRecord>(told.map(({ record }) => [record.id, record]));
  const subjects = told.map(({ record, collection }): Subject => [record.id, collection]);
  const [first] = subjects;
  let [since, isWhole] = [undefined as PastChange | undefined, false];
  for await (const event of pastChanges(ctx, subjects)) {
    const { subject, changes, isFirst } = event;
    if (isReached(event)) since = event;
    if (since || changes === null) break;
    if (isFirst && subject === first?.[0]) isWhole = true;
    states.set(subject, undone(states.get(subject) as StoredRecord, changes));
  }
  const items = told.flatMap(({ record, collection, tells }) => {
    const now: Fields = { ...record };
    const then: Fields = { ...states.get(record.id) };
    return Object.keys(then)
      .filter((field) => tells(field) && !isSame(then[field], now[field]))
      .map((field) => ({
        ...{ type: collection.resource?.type ?? "", id: record.id, field },
        ...{ from: then[field] ?? null, to: now[field] ?? null },
      }));
  });
  return { since, complete: since !== undefined || isWhole, items };
}
