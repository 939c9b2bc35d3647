import { compareText } from "../compare.js";
import type { Purged } from "../purge.js";
import { dropEvents } from "./event-log.js";
import type { Entry, Layer } from "./layer.js";

type Held = readonly [collection: string, entry: Entry];

/** Deletes at most `size` rows of a tenant for good: its own records, its events, then its records of platform scope. */
export function purgeTenant(layer: Layer, tenantId: string, size: number): Purged {
  const counts: Record<string, number> = {};
  const count = (name: string, some: number) => {
    if (some > 0) counts[name] = (counts[name] ?? 0) + some;
    return some;
  };
  const held = layer.entriesOf(tenantId);
  const isShared = ([name, { id }]: Held) => layer.holder(JSON.stringify(["id", name, null, id])) !== undefined;
  const own = held.filter((one) => !isShared(one)).slice(0, size);
  dropEntries(layer, tenantId, own);
  for (const [name] of own) count(name, 1);
  let left = size - own.length;
  left -= count("events", dropEvents(layer, tenantId, left));
  const shared = held.filter(isShared).slice(0, left);
  dropEntries(layer, tenantId, shared);
  for (const [name] of shared) count(name, 1);
  const done = left > shared.length;
  if (done) layer.changeDues((dues) => dues.forget(tenantId));
  return { counts, done };
}

/** Deletes at most `size` removed rows for good that were removed by then, the first ones first. */
export function purgeRemoved(layer: Layer, tenantId: string, through: string, size: number): Purged {
  const held = layer
    .entriesOf(tenantId)
    .filter(([, { removedAt }]) => removedAt !== null && removedAt <= through)
    .sort(([, one], [, other]) => compareText(one.removedAt as string, other.removedAt as string));
  const dropped = held.slice(0, size);
  dropEntries(layer, tenantId, dropped);
  const counts: Record<string, number> = {};
  for (const [name] of dropped) counts[name] = (counts[name] ?? 0) + 1;
  return { counts, done: held.length < size };
}

function dropEntries(layer: Layer, tenantId: string, dropped: readonly Held[]): void {
  const names = new Set(dropped.map(([name, { id }]) => JSON.stringify([name, id])));
  for (const [key, { id }] of layer.heldBy(tenantId)) {
    const [, name] = JSON.parse(key) as [string, string];
    if (names.has(JSON.stringify([name, id]))) layer.hold(key, null);
  }
  for (const [name, entry] of dropped)
    layer.put(name, { ...entry, removedAt: entry.removedAt ?? entry.createdAt, gone: true });
}
