import type { Collection } from "../../../../kernel/records/collection.js";
import { fieldValue, type StoredRecord } from "../../../../store/collection.js";
import type { StoredEvent } from "../../../../store/event-log.js";
import { Row } from "../../../../store/row.js";
import type { Where } from "../../../../store/store.js";
import { assets, RECORD_KINDS } from "../../../estate/index.js";
import { type Before, isRemoved, RevertLog } from "./revert-log.js";

/** The collections whose records can be reverted, by the type of their events' subjects. */
const TOLD: ReadonlyMap<string, Collection> = new Map(
  [assets, ...RECORD_KINDS.map(({ collection }) => collection)].map((collection) => [
    (collection as Collection).resource?.type ?? "",
    collection as Collection,
  ]),
);

interface Change {
  readonly field: string;
  readonly from: unknown;
}

/** What events of records say; which of it is there depends on the event. */
interface Told {
  readonly before?: StoredRecord;
  readonly changes?: readonly Change[];
  readonly from?: string;
}

/** What an event's envelope says of whom it is about. */
export interface Envelope {
  readonly type: string;
  readonly subject: string;
  readonly subjecttype: string;
  readonly time: string;
  readonly machine?: string;
}

/** Records as they were, by undoing one event after the other, the newest first. */
export class Past {
  readonly #revertLog: RevertLog;
  readonly #step: number;

  /** `later`: the same at a later moment, which this one goes on from and does not change. */
  constructor(later?: Past) {
    this.#revertLog = later ? later.#revertLog : new RevertLog();
    this.#step = later ? later.#step + 1 : 0;
  }

  /** Reverts an event. Erased data make the record unknown from here on. */
  undo(envelope: Envelope, { data }: StoredEvent): void {
    const { type, subject: id, subjecttype } = envelope;
    const collection = TOLD.get(subjecttype);
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

  /** A record as it was, from the row as it is stored now. `undefined` when it was not there. */
  of<R extends StoredRecord>(collection: Collection<R>, row: Row<R>): Row<R> | undefined {
    const before = this.#before(row.id);
    if (before === undefined || before === "unknown") return row;
    if (before === "absent" || isRemoved(before)) return undefined;
    return rowOf(collection, row.tenantId, { ...row.value, ...before.fields });
  }

  /** Whether it cannot be told what this record was. */
  isUnknown(id: string): boolean {
    return this.#before(id) === "unknown";
  }

  /** Of these records of a collection, those that were there and have been removed since. */
  removed<R extends StoredRecord>(collection: Collection<R>, tenantId: string, ids: Iterable<string>): Row<R>[] {
    const { ids: gone } = this.#revertLog.removals(collection);
    if (gone.size === 0) return [];
    return [...ids].flatMap((id) => {
      const before = gone.has(id) ? this.#before(id) : undefined;
      return isRemoved(before) ? [rowOf(collection, tenantId, before.removed as R)] : [];
    });
  }

  /** Records of a collection that were there with these values in declared fields, and have been removed since. */
  removedWith<R extends StoredRecord>(collection: Collection<R>, tenantId: string, where: Where): Row<R>[] {
    const once = this.#revertLog.removedOnceWith(collection as unknown as Collection, where);
    const holds = ({ value }: Row<R>) =>
      Object.entries(where).every(([field, wanted]) => fieldValue(collection, value, field) === wanted);
    return this.removed(collection, tenantId, once).filter(holds);
  }

  /** Whether a record of a collection was there, is no more, and nobody knows what it was. */
  hasLost(collection: { readonly name: string }): boolean {
    const { lost } = this.#revertLog.removals(collection);
    for (const [id, step] of lost) if (step <= this.#step && this.isUnknown(id)) return true;
    return false;
  }

  /** The ids of records that have been removed since, known or not. */
  removedIds(collection: { readonly name: string }): readonly string[] {
    const { ids } = this.#revertLog.removals(collection);
    return [...ids].flatMap(([id, step]) => (step <= this.#step ? [id] : []));
  }

  #before(id: string): Before | undefined {
    return this.#revertLog.beforeAt(this.#step, id);
  }
}

/** What a record was before what an event tells of it; `undefined` when it tells of no change. */
function undone(
  collection: Collection,
  { machine }: Envelope,
  known: Exclude<Before, "unknown"> | undefined,
  data: string,
): Before | undefined {
  const { before, changes = [], from } = JSON.parse(data) as Told;
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
