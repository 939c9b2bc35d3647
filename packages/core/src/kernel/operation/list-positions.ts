import type { FieldValue } from "#store/collection.js";
import type { Key } from "#store/find-plan.js";
import type { Position, Run } from "#store/find-query.js";
import { byKeys } from "#store/gather.js";

/** Where a record stands in a list: its id, and its values of the fields of the order. */
export interface ListPlace {
  readonly id: string;
  readonly values: readonly FieldValue[];
}

/** The order of a list, whose cursors are positions of the store. */
export class ListPositions {
  /** The whole order. */
  readonly compare: (one: ListPlace, other: ListPlace) => number;
  readonly #byFirst: (one: ListPlace, other: ListPlace) => number;

  constructor(keys: readonly Key[]) {
    this.compare = byKeys(keys);
    this.#byFirst = byKeys(keys.slice(0, 1));
  }

  /** Whether a place comes after a position. Runs come one after the other, and each is in the whole order. */
  isBehind(place: ListPlace, position: Position): boolean {
    const { run } = position;
    if (isRunStart(position)) return this.#byFirst(place, placeOf(position)) > 0;
    if (run?.to && this.#byFirst(place, placeOf(run.to)) > 0) return true;
    if (run?.from && this.#byFirst(place, placeOf(run.from)) <= 0) return false;
    return this.compare(place, placeOf(position)) > 0;
  }

  /** The position of a place between the start and the end of what one request has read. */
  at({ id, values }: ListPlace, start: Position | undefined, end: Position | undefined): Position {
    const [by = null, ...then] = values as Position["by"][];
    const run = runBetween(start, end);
    return { by, id, ...(then.length > 0 ? { then } : {}), ...(run ? { run } : {}) };
  }
}

/** Whether a position is the start of the next run, which names a row of the one before. */
export function isRunStart({ run, then }: Position): boolean {
  return run !== undefined && then === undefined;
}

function runBetween(start: Position | undefined, end: Position | undefined): Run | undefined {
  if (end?.run && !isRunStart(end)) return end.run;
  const from = start?.run?.from;
  if (!end?.run) return start?.run;
  return { ...(from ? { from } : {}), to: { by: end.by, id: end.id } };
}

function placeOf({ by, id, then = [] }: Position): ListPlace {
  return { id, values: [by, ...then] };
}
