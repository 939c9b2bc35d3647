import { boundedCache } from "#kernel/async/bounded-cache.js";
import { daysMs } from "#ports/durations.js";

/** A day of the calendar, with its day of the week from 1 for Monday to 7 for Sunday. */
export interface LocalDay {
  readonly year: number;
  /** From 1 for January. */
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
}

const ZONES = 1_000;
const formats = boundedCache<string, Intl.DateTimeFormat>(ZONES);

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone, calendar: "iso8601", numberingSystem: "latn", hourCycle: "h23" },
    ...{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" },
  });
  formats.set(timeZone, made);
  return made;
}

/** Whether this runtime knows a time zone by this name of the IANA database. */
export function isTimeZone(name: string): boolean {
  // Offsets such as `+02:00` are taken as well, and know no summer time.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** What a clock in this zone shows at a moment, as if it showed UTC, in epoch milliseconds. */
export function shownAt(timeZone: string, ms: number): number {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The day in this zone, some days after that of a moment. */
export function dayAt(timeZone: string, ms: number, later = 0): LocalDay {
  const date = new Date(shownAt(timeZone, ms));
  date.setUTCDate(date.getUTCDate() + later);
  const weekday = ((date.getUTCDay() + 6) % 7) + 1;
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(), weekday };
}

/**
 * When a day in this zone comes to an hour. Of two such moments, when clocks are put back, it is the first. Without one, when
 * they are put forward, it is the moment that the same time would have been before.
 */
export function momentOf(timeZone: string, { year, month, day }: LocalDay, hour: number): number {
  const shown = Date.UTC(year, month - 1, day, hour);
  const offsets = [shown - daysMs(1), shown + daysMs(1)].map((near) => shownAt(timeZone, near) - near);
  const moments = offsets.map((offset) => shown - offset);
  const fitting = moments.filter((moment) => shownAt(timeZone, moment) === shown);
  return Math.min(...(fitting.length > 0 ? fitting : moments.slice(0, 1)));
}
