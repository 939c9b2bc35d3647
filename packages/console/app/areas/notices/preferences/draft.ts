import type { Preferences } from "../terms.js";

/** What one has changed on the page and not saved yet. */
export interface Changes extends Partial<Omit<Preferences, "mail" | "changedAt">> {
  readonly mail?: Partial<Preferences["mail"]>;
}

/** The preferences with these changes. What was changed elsewhere meanwhile, as by a link of a mail, stays. */
export function changed({ changedAt: _changedAt, ...held }: Preferences, changes: Changes) {
  return { ...held, ...changes, mail: { ...held.mail, ...changes.mail } };
}

/** What working hours begin with, when one has had none. */
export const OFFICE_HOURS = { days: [1, 2, 3, 4, 5], from: 8, to: 18 };

/** The zones of the browser, with the one that is chosen, which the server may know alone. */
export const timeZones = (chosen: string): readonly string[] =>
  [...new Set(["UTC", chosen, ...Intl.supportedValuesOf("timeZone")])].sort();
