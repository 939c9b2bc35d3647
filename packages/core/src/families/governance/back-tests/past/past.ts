import { assessments } from "#families/assessments/index.js";
import { assets, RECORD_KINDS } from "#families/estate/index.js";
import type { Collection } from "#kernel/records/collection.js";
import { fieldValue, type StoredRecord } from "#store/collection.js";
import type { StoredEvent } from "#store/event-log.js";
import type { Where } from "#store/find-query.js";
import { Row } from "#store/row.js";
import { type Before, isRemoved, RevertLog } from "./revert-log.js";

/** The collections whose records can be reverted, by the type of their events' subjects. */
const REPORTED: ReadonlyMap<string, Collection> = new Map(
  [assets, assessments, ...RECORD_KINDS.map(({ collection }) => collection)].map((collection) => [
    (collection as Collection).resource?.type ?? "",
    collection as Collection,
  ]),
);

interface Change {
  readonly field: string;
  readonly from: unknown;
}

/** The data of events about records. Which members are set depends on the event. */
interface EventData {
  readonly before?: StoredRecord;
  readonly changes?: readonly Change[];
  readonly from?: string;
}

/** The parts of an event's envelope that name its subject. */
export interface Envelope {
  readonly type: string;
  readonly subject: string;
  readonly subjecttype: string;
  readonly time: string;
  readonly machine?: string;
}

/** Past states of records, by reverting events, newest first. */
export class Past {
  readonly #revertLog: RevertLog;
  readonly #step: number;

  /** `later`: a later moment to continue from. It is not changed. */
  constructor(later?: Past) {
    this.#revertLog = later ? later.#revertLog : new RevertLog();
    this.#step = later ? later.#step + 1 : 0;
  }

  /** Reverts an event. If its data was erased, the record is unknown before it. */
  undo(envelope: Envelope, { data }: StoredEvent): void {
    const { type, subject: id, subjecttype } = envelope;
    const collection = REPORTED.get(subjecttype);
    if (!collection) return;
    const [revertLog, step] = [this.#revertLog, this.#step];
    if (type.endsWith(`.${collection.resource?.event}.created.v1`)) {
      revertLog.add(collection, id, { step, before: "absent" });
      return;
    }
    if (type.endsWith(`.${collection.resource?.event}.deleted.v1`)) revertLog.addRemoved(collection, id, step);
    const known = this.#before(id);
    const before = known === "unknown" || data === null ? "unknown" : undone(collection, envelope, known, data);
    if (before) revertLog.add(collection, id, { step, before });
  }

  /** A record as of this moment, from its stored row. `undefined` when it did not exist. */
  of<R extends StoredRecord>(collection: Collection<R>, row: Row<R>): Row<R> | undefined {
    const before = this.#before(row.id);
    if (before === undefined || before === "unknown") return row;
    if (before === "absent" || isRemoved(before)) return undefined;
    return rowOf(collection, row.tenantId, { ...row.value, ...before.fields });
  }

  /** Whether the state of this record is unknown at this moment. */
  isUnknown(id: string): boolean {
    return this.#before(id) === "unknown";
  }

  /** The records with these ids that existed at this moment and were removed later. */
  removed<R extends StoredRecord>(collection: Collection<R>, tenantId: string, ids: Iterable<string>): Row<R>[] {
    const { ids: gone } = this.#revertLog.removals(collection);
    if (gone.size === 0) return [];
    return [...ids].flatMap((id) => {
      const before = gone.has(id) ? this.#before(id) : undefined;
      return isRemoved(before) ? [rowOf(collection, tenantId, before.removed as R)] : [];
    });
  }

  /** The records of a collection that had these field values at this moment and were removed later. */
  removedWith<R extends StoredRecord>(collection: Collection<R>, tenantId: string, where: Where): Row<R>[] {
    const once = this.#revertLog.removedOnceWith(collection as unknown as Collection, where);
    const holds = ({ value }: Row<R>) =>
      Object.entries(where).every(([field, wanted]) => fieldValue(collection, value, field) === wanted);
    return this.removed(collection, tenantId, once).filter(holds);
  }

  /** Whether a record of a collection existed at this moment, was removed later, and its state is unknown. */
  hasLost(collection: { readonly name: string }): boolean {
    const { lost } = this.#revertLog.removals(collection);
    for (const [id, step] of lost) if (step <= this.#step && this.isUnknown(id)) return true;
    return false;
  }

  /** The ids of records removed after this moment, including unknown ones. */
  removedIds(collection: { readonly name: string }): readonly string[] {
    const { ids } = this.#revertLog.removals(collection);
    return [...ids].flatMap(([id, step]) => (step <= this.#step ? [id] : []));
  }

  #before(id: string): Before | undefined {
    return this.#revertLog.beforeAt(this.#step, id);
  }
}

/** The state of a record before an event. `undefined` when the event changed nothing. */
function undone(
  collection: Collection,
  { machine }: Envelope,
  known: Exclude<Before, "unknown"> | undefined,
  data: string,
): Before | undefined {
  const { before, changes = [], from } = JSON.parse(data) as EventData;
  if (before) return { removed: before };
  const fields = Object.fromEntries(changes.map((change) => [change.field, change.from]));
  const moved = Object.entries(collection.machines ?? {}).find(([, { name }]) => name === machine);
  if (moved && from !== undefined) fields[moved[0]] = from;
  if (Object.keys(fields).length === 0) return undefined;
  if (!known || known === "absent") return { fields };
  return isRemoved(known) ? { removed: { ...known.removed, ...fields } } : { fields: { ...known.fields, ...fields } };
}

function rowOf<R extends StoredRecord>(collection: Collection<R>, tenantId: string, record: R): Row<R> {
  return Row.of(tenantId, record, collection.staleAt?.(record) ?? null);
}
