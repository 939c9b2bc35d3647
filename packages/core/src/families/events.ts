import { defineExtensionPoint, type Extension, type ExtensionPoint, extend } from "../kernel/config/extension.js";

/** Types of events that handlers write themselves, beside those that follow from collections and machines, and when. */
export type OwnEvents = Readonly<Record<string, string>>;

/** Every type of event that a handler writes itself; each area declares its own. */
export const declaredEvents: ExtensionPoint<OwnEvents> = defineExtensionPoint<OwnEvents>("events");

/** Declares the types of events of an area; it lists them among what it extends. */
export function defineEvents(events: OwnEvents): Extension {
  return extend(declaredEvents, events);
}

/** What areas have declared as one; two that declare the same type are a mistake in the code. */
export function joinedEvents(declared: readonly OwnEvents[]): OwnEvents {
  const entries = declared.flatMap((events) => Object.entries(events));
  const all = new Map(entries);
  if (all.size < entries.length) throw new Error("Two areas declare the same type of event.");
  return Object.freeze(Object.fromEntries(all));
}
