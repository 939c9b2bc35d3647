import { daysMs } from "#ports/durations.js";
import { z } from "#schema/z.js";

const STORED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const READABLE = z.regexes.datetime({ offset: true });
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The moment that a plain date stands for, in UTC. */
type DateAs = "start" | "end";

/**
 * The text of a time as it is stored: UTC with milliseconds, so that text order is time order. Other texts stay as they
 * are.
 */
export function readTime(text: string, dateAs?: DateAs): string {
  if (STORED.test(text)) return text;
  if (dateAs && DAY.test(text)) return `${text}T${dateAs === "end" ? "23:59:59.999" : "00:00:00.000"}Z`;
  const given = text.toUpperCase();
  const isLeap = given.slice(17, 19) === "60";
  const regular = isLeap ? `${given.slice(0, 17)}59${given.slice(19)}` : given;
  if (!READABLE.test(regular)) return text;
  const milliseconds = Date.parse(regular.replace(/(\.\d{3})\d+/, "$1")) + (isLeap ? 1_000 : 0);
  // A leap second ends a day in UTC. It is stored as the second after it.
  if (isLeap && milliseconds % daysMs(1) >= 1_000) return text;
  const read = new Date(milliseconds).toISOString();
  // Offsets may lead out of the years 0 to 9999.
  return STORED.test(read) ? read : text;
}

/** A time of a request in any form of RFC 3339, read as it is stored. */
export function timeSchema(dateAs?: DateAs) {
  const error = `Must be a time like "2027-03-01T10:00:00Z" or "2027-03-01T12:00:00+02:00"${dateAs ? `, or a date like "2027-03-01"` : ""}.`;
  return z
    .string({ error })
    .overwrite((text) => readTime(text, dateAs))
    .check(z.iso.datetime({ precision: 3, error }))
    .meta({ example: "2026-11-21T10:00:00.000Z", ...(dateAs ? { "x-date": dateAs } : {}) });
}
