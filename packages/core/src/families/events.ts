import { defineExtensionPoint, type ExtensionPoint } from "../kernel/config/extension.js";

/**
 * Types of events that handlers emit themselves, each with when it is emitted. Types of collections and machines are
 * not among them.
 */
export type OwnEvents = Readonly<Record<string, string>>;

/** Extension point: every type of event that handlers emit themselves. */
export const declaredEvents: ExtensionPoint<OwnEvents> = defineExtensionPoint<OwnEvents>("events");

/** The declarations of all areas as one. Throws when two declare the same type. */
export function joinedEvents(declared: readonly OwnEvents[]): OwnEvents {
  const entries = declared.flatMap((events) => Object.entries(events));
  const all = new Map(entries);
  if (all.size < entries.length) throw new Error("Two areas declare the same type of event.");
  return Object.freeze(Object.fromEntries(all));
}
