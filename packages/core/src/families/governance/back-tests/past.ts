import type { Collection, StoredRecord } from "../../../kernel/collection.js";
import type { StoredEvent } from "../../../store/event-log.js";
import { Row } from "../../../store/row.js";
import { assets, RECORD_KINDS } from "../../estate/index.js";

/** The collections whose records are told backwards, by the type of their events' subjects. */
const TOLD: ReadonlyMap<string, Collection> = new Map(
  [assets, ...RECORD_KINDS.map(({ collection }) => collection)].map((collection) => [
    (collection as Collection).resource?.type ?? "",
    collection as Collection,
  ]),
);

/** What of a record was otherwise: it was not there, nobody knows, or fields of what is stored now, or was when it was removed. */
type Before =
  | "absent"
  | "unknown"
  | { readonly removed?: StoredRecord; readonly fields: Readonly<Record<string, unknown>> };

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
  readonly #before = new Map<string, Before>();
  readonly #removed = new Map<string, string[]>();

  /** `later`: the same at a later moment, which this one goes on from and does not change. */
  constructor(private readonly later?: Past) {}

  /** Takes back what an event tells of. One whose data were erased leaves the record unknown from here on. */
  undo({ type, subject, subjecttype, machine }: Envelope, { data }: StoredEvent): void {
    const collection = TOLD.get(subjecttype);
    if (!collection) return;
    if (type.endsWith(`.${collection.resource?.event}.created.v1`)) {
      this.#before.set(subject, "absent");
      return;
    }
    if (type.endsWith(`.${collection.resource?.event}.deleted.v1`))
      this.#removed.set(collection.name, [...(this.#removed.get(collection.name) ?? []), subject]);
    const known = this.stateOf(subject);
    if (known === "unknown") return;
    if (data === null) {
      this.#before.set(subject, "unknown");
      return;
    }
    const { before, changes = [], from } = JSON.parse(data) as Told;
    if (before) {
      this.#before.set(subject, { removed: before, fields: {} });
      return;
    }
    const fields = Object.fromEntries(changes.map((change) => [change.field, change.from]));
    const moved = Object.entries(collection.machines ?? {}).find(([, { name }]) => name === machine);
    if (moved && from !== undefined) fields[moved[0]] = from;
    if (Object.keys(fields).length === 0) return;
    const { fields: already = {}, ...rest } = known === "absent" || !known ? {} : known;
    this.#before.set(subject, { ...rest, fields: { ...already, ...fields } });
  }

  /** A record as it was, from the row as it is stored now. `undefined` when it was not there. */
  of<R extends StoredRecord>(collection: Collection<R>, row: Row<R>): Row<R> | undefined {
    const before = this.stateOf(row.id);
    if (before === "absent") return undefined;
    if (before === undefined || before === "unknown") return row;
    const record = { ...row.value, ...before.fields } as R;
    return Row.of(row.tenantId, record, collection.staleAt?.(record) ?? null);
  }

  /** Whether it cannot be told what this record was. */
  isUnknown(id: string): boolean {
    return this.stateOf(id) === "unknown";
  }

  /** Records of a collection that were there and have been removed since. */
  removed<R extends StoredRecord>(collection: Collection<R>, tenantId: string): Row<R>[] {
    return this.removedIds(collection).flatMap((id) => {
      const before = this.stateOf(id);
      if (typeof before !== "object" || !before.removed) return [];
      const record = { ...before.removed, ...before.fields } as R;
      return [Row.of(tenantId, record, collection.staleAt?.(record) ?? null)];
    });
  }

  /** Whether a record of a collection was there, is no more, and nobody knows what it was. */
  hasLost(collection: { readonly name: string }): boolean {
    return this.removedIds(collection).some((id) => this.isUnknown(id));
  }

  /** The ids of records that have been removed since, known or not. */
  removedIds({ name }: { readonly name: string }): readonly string[] {
    return [...(this.later?.removedIds({ name }) ?? []), ...(this.#removed.get(name) ?? [])];
  }

  private stateOf(id: string): Before | undefined {
    return this.#before.get(id) ?? this.later?.stateOf(id);
  }
}
