import { z } from "#schema/z.js";

const FORM = /^P(?:(\d{1,4})W|(?:(\d{1,4})D)?(?:T(?=\d)(?:(\d{1,4})H)?(?:(\d{1,4})M)?(?:(\d{1,4})S)?)?)$/;
const UNITS = [604_800_000, 86_400_000, 3_600_000, 60_000, 1_000] as const;

/** The milliseconds of a duration such as `P30D` or `PT4H`; `undefined` for any other text. Zero is none. */
function parsed(text: string): number | undefined {
  const match = FORM.exec(text);
  if (!match) return undefined;
  const total = UNITS.reduce((sum, unit, at) => sum + unit * Number(match[at + 1] ?? 0), 0);
  return total > 0 ? total : undefined;
}

/** A length of time as ISO 8601 in weeks, days, hours, minutes and seconds. Months and years have no fixed length. */
export const Duration = z
  .string()
  .max(40)
  .refine((text) => parsed(text) !== undefined, "Give a duration such as P30D or PT4H, without months and years.");

/** A `Duration` from `least` to `most`. */
export function durationBetween(least: string, most: string) {
  const [from, to] = [millisecondsOf(least), millisecondsOf(most)];
  const isBetween = (milliseconds = 0) => milliseconds >= from && milliseconds <= to;
  const message = `Give a duration from ${least} to ${most}, without months and years.`;
  return z
    .string()
    .max(40)
    .refine((text) => isBetween(parsed(text)), message);
}

/** The milliseconds of a checked duration. */
export function millisecondsOf(duration: string): number {
  const milliseconds = parsed(duration);
  if (milliseconds === undefined) throw new Error(`not a duration: ${duration}`);
  return milliseconds;
}
