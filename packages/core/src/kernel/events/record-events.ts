import type { Collection } from "../records/collection.js";
import type { EventSpec } from "./events.js";

/** An event that a write brings in the place of the usual one; it is about the record unless it says otherwise. */
export type OwnEvent = Omit<EventSpec, "subject"> & Partial<Pick<EventSpec, "subject">>;

/** What is told of a write: the usual event of the collection, one of its own, or nothing. */
export type Told<R> = false | OwnEvent | ((record: R) => OwnEvent);

/** A record as the subject of an event. */
export function subjectOf(collection: Pick<Collection, "name" | "resource">, id: string): EventSpec["subject"] {
  const { resource } = collection;
  if (!resource) throw new Error(`collection ${collection.name} is not a resource`);
  return { id, type: resource.type, path: `${resource.path}/${id}` };
}

/** How the data of an event name a record. */
export function entityOf(collection: Pick<Collection, "resource">, record: object): Record<string, unknown> {
  const { id, name } = record as { id: string; name?: string };
  return { type: collection.resource?.type, id, ...(name === undefined ? {} : { name }) };
}

/** The value of a machine-owned field. */
export function stateOf(record: object, field: string): string {
  return (record as Record<string, string>)[field] as string;
}

/** The fields that a patch changes, each with what it was and what it becomes. */
export function differences(previous: object, patch: object): { field: string; from: unknown; to: unknown }[] {
  const before = previous as Record<string, unknown>;
  return Object.entries(patch)
    .filter(([field, value]) => JSON.stringify(before[field]) !== JSON.stringify(value))
    .map(([field, value]) => ({ field, from: before[field] ?? null, to: value ?? null }));
}
