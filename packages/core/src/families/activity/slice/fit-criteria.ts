import { type Envelope, keysOf } from "../chain/checkpoints/index-tree.js";

/** Which events a slice holds: those that fit each of these, by any of its values. Without any it holds all. */
export interface Criteria {
  /** Ids that the event names as its subject or among `related`. */
  readonly subject?: readonly string[];
  /** Ids of who did it. */
  readonly actor?: readonly string[];
  /** Kinds of the record that it happened to. */
  readonly kind?: readonly string[];
  /** Types of event. */
  readonly type?: readonly string[];
}

/** The keys of each criterion in the order of their names, as the index of a checkpoint has them. */
export function keysAsked(criteria: Criteria): string[][] {
  const named: [string, readonly string[]][] = Object.entries(criteria);
  return named.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, values]) => values.map((value) => `${name}:${value}`));
}

/** Whether an event fits all criteria. */
export function fits(event: Envelope, asked: readonly (readonly string[])[]): boolean {
  if (asked.length === 0) return true;
  const keys = new Set(keysOf(event));
  return asked.every((some) => some.some((key) => keys.has(key)));
}
