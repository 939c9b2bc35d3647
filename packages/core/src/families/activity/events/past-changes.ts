import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Collection } from "#kernel/records/collection.js";

/** The most events that are gone back through, and how many are read at a time. */
export const UNDONE_EVENTS = 5_000;
const BATCH = 500;

/** A field that an event has changed, and what it held before. */
export interface FieldChange {
  readonly field: string;
  readonly from: unknown;
}

/** An event as one step back in the life of a record. */
export interface PastChange {
  readonly id: string;
  /** Type with prefix and version. */
  readonly type: string;
  /** Id of the record. */
  readonly subject: string;
  readonly at: string;
  readonly by: string;
  /** The transition that it tells of; `null` for other events. */
  readonly move: string | null;
  readonly reason: string | null;
  /** Whether the record begins with it. */
  readonly isFirst: boolean;
  /** What undoes it; `null` where its data is erased, so that nothing before it is known. */
  readonly changes: readonly FieldChange[] | null;
}

interface Envelope {
  readonly type: string;
  readonly subject: string;
  readonly time: string;
  readonly authid: string;
  readonly machine?: string;
  readonly fromstate?: string;
}

interface Data {
  readonly event?: string;
  readonly reason?: string | null;
  readonly changes?: readonly FieldChange[];
}

/** A record by its id, and the collection that it is in. */
export type Subject = readonly [id: string, collection: Pick<Collection, "machines" | "resource">];

/**
 * The events of records, of all of them together the newest first. They end with the first event whose data is erased, and
 * after 5,000 events; what was pruned is not there. Events that concern the records and are about others are left out.
 */
export async function* pastChanges(ctx: ReadContext, subjects: readonly Subject[]): AsyncGenerator<PastChange> {
  const collections = new Map(subjects);
  const stream = [...collections.keys()];
  let [before, read] = [undefined as number | undefined, 0];
  do {
    const page = await ctx.db.events({ stream, size: BATCH, ...(before === undefined ? {} : { before }) });
    for (const { id, attributes, data } of page.events) {
      const envelope = JSON.parse(attributes) as Envelope;
      const collection = collections.get(envelope.subject);
      if (!collection) continue;
      const { type, subject, time: at, authid: by } = envelope;
      const isFirst = type.endsWith(`.${collection.resource?.event}.created.v1`);
      const said = { id, type, subject, at, by, isFirst };
      if (data === null) {
        yield { ...said, move: null, reason: null, changes: null };
        return;
      }
      const { event = null, reason = null, changes = [] } = JSON.parse(data) as Data;
      yield { ...said, move: event, reason, changes: [...movedBy(envelope, collection), ...changes] };
    }
    read += page.events.length;
    before = page.next;
  } while (before !== undefined && read < UNDONE_EVENTS);
}

/** The field of the machine that an event has moved. */
function movedBy({ machine, fromstate }: Envelope, { machines = {} }: Subject[1]): FieldChange[] {
  const [field] = Object.entries(machines).find(([, { name }]) => name === machine) ?? [];
  return field !== undefined && fromstate ? [{ field, from: fromstate }] : [];
}

/** A record as it was before these changes. */
export function undone<R extends object>(record: R, changes: readonly FieldChange[]): R {
  return { ...record, ...Object.fromEntries(changes.map(({ field, from }) => [field, from])) };
}
