import type { Collection } from "../records/collection.js";
import { isSame } from "../records/is-same.js";
import type { EventSpec } from "./events.js";

/** An event in place of a write's usual one. Its subject is the record by default. */
export type OwnEvent = Omit<EventSpec, "subject"> & Partial<Pick<EventSpec, "subject">>;

/** The event of a write: `false` for none, or one of its own. */
export type EventOption<R> = false | OwnEvent | ((record: R) => OwnEvent);

/** A record as the subject of an event. */
export function subjectOf(collection: Pick<Collection, "name" | "resource">, id: string): EventSpec["subject"] {
  const { resource } = collection;
  if (!resource) throw new Error(`collection ${collection.name} is not a resource`);
  return { id, type: resource.type, path: `${resource.path}/${id}` };
}

/** A record as the data of an event name it. */
export function entityOf(collection: Pick<Collection, "resource">, record: object): Record<string, unknown> {
  const { id, name } = record as { id: string; name?: string };
  return { type: collection.resource?.type, id, ...(name === undefined ? {} : { name }) };
}

/** The value of a machine-owned field. */
export function stateOf(record: object, field: string): string {
  return (record as Record<string, string>)[field] as string;
}

/** The fields that a patch changes, with old and new value. */
export function differences(previous: object, patch: object): { field: string; from: unknown; to: unknown }[] {
  const before = previous as Record<string, unknown>;
  return Object.entries(patch)
    .filter(([field, value]) => !isSame(before[field], value))
    .map(([field, value]) => ({ field, from: before[field] ?? null, to: value ?? null }));
}
