import type { Collection } from "#kernel/records/collection.js";
import { type FieldValue, fieldValue, type StoredRecord } from "#store/collection.js";
import type { Where } from "#store/find-query.js";

/** The earlier state of a record: absent, unknown, removed since, or with other field values. */
export type Before =
  | "absent"
  | "unknown"
  | { readonly removed: StoredRecord }
  | { readonly fields: Readonly<Record<string, unknown>> };

export function isRemoved(before: Before | undefined): before is { readonly removed: StoredRecord } {
  return typeof before === "object" && "removed" in before;
}

/** The earlier state of a record from this step until the next known one. */
interface Stage {
  readonly step: number;
  readonly before: Before;
}

/**
 * Removed records of one collection, by id: the step that reverts the removal, and the step from which the state is
 * unknown.
 */
interface Removals {
  readonly ids: ReadonlyMap<string, number>;
  readonly lost: ReadonlyMap<string, number>;
}

/** The log of reverted changes, shared by all moments of a history. Each moment reads up to its own step. */
export class RevertLog {
  readonly #stages = new Map<string, Stage[]>();
  readonly #removals = new Map<string, { readonly ids: Map<string, number>; readonly lost: Map<string, number> }>();
  readonly #indexes = new Map<string, Map<string, Set<string>>>();

  add({ name }: Collection, id: string, stage: Stage): void {
    const stages = this.#stages.get(id);
    if (!stages) this.#stages.set(id, [stage]);
    else if (stages.at(-1)?.step === stage.step) stages[stages.length - 1] = stage;
    else stages.push(stage);
    const removals = this.#removals.get(name);
    if (stage.before === "unknown" && removals?.ids.has(id) && !removals.lost.has(id))
      removals.lost.set(id, stage.step);
    this.#indexes.clear();
  }

  addRemoved({ name }: Collection, id: string, step: number): void {
    const removals = this.#removals.get(name) ?? { ids: new Map(), lost: new Map() };
    this.#removals.set(name, removals);
    removals.ids.set(id, step);
  }

  beforeAt(step: number, id: string): Before | undefined {
    return this.#stages.get(id)?.findLast((stage) => stage.step <= step)?.before;
  }

  removals({ name }: { readonly name: string }): Removals {
    return this.#removals.get(name) ?? NO_REMOVALS;
  }

  /** The ids of removed records that held these values in their declared fields at some step. */
  removedOnceWith(collection: Collection, where: Where): ReadonlySet<string> {
    const fields = Object.keys(where);
    const name = `${collection.name} ${fields.join(" ")}`;
    const index = this.#indexes.get(name) ?? this.#indexed(collection, fields);
    this.#indexes.set(name, index);
    return index.get(valuesOf(fields, (field) => where[field])) ?? NONE;
  }

  #indexed(collection: Collection, fields: readonly string[]): Map<string, Set<string>> {
    const index = new Map<string, Set<string>>();
    for (const id of this.removals(collection).ids.keys())
      for (const { before } of this.#stages.get(id) ?? []) {
        if (!isRemoved(before)) continue;
        const values = valuesOf(fields, (field) => fieldValue(collection, before.removed, field));
        const known = index.get(values);
        if (known) known.add(id);
        else index.set(values, new Set([id]));
      }
    return index;
  }
}

const NO_REMOVALS: Removals = { ids: new Map(), lost: new Map() };
const NONE: ReadonlySet<string> = new Set();

/** Values of fields as one text. */
function valuesOf(fields: readonly string[], of: (field: string) => FieldValue | undefined): string {
  return JSON.stringify(fields.map(of));
}
