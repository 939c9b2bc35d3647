import { daysMs, hoursMs } from "#ports/durations.js";
import { type NoticeKind, URGENT } from "../personal-notices/fields.js";
import { dayAt, momentOf, shownAt } from "./local-time.js";
import type { NoticePreferences } from "./schema.js";

type Times = Pick<NoticePreferences, "timeZone" | "digestHour" | "workingHours">;

/** Days that are looked at for the next one that fits: a week, and one more for what has passed today. */
const DAYS = 8;
const HOUR = hoursMs(1);

/** When a notice of this kind that is given now is mailed, in epoch milliseconds; `undefined` for never. */
export function mailMoment(
  preferences: Times & Pick<NoticePreferences, "mail">,
  kind: NoticeKind,
  nowMs: number,
): number | undefined {
  const mode = preferences.mail[kind];
  if (mode === "off") return undefined;
  if (mode === "daily") return nextOf(preferences, nowMs, preferences.digestHour);
  return URGENT.has(kind) || isWorkingTime(preferences, nowMs)
    ? nowMs
    : nextOf(preferences, nowMs, preferences.workingHours?.from ?? 0);
}

function isWorkingTime({ workingHours, timeZone }: Times, nowMs: number): boolean {
  if (!workingHours) return true;
  const { weekday } = dayAt(timeZone, nowMs);
  const hour = Math.floor((shownAt(timeZone, nowMs) % daysMs(1)) / HOUR);
  return workingHours.days.includes(weekday) && hour >= workingHours.from && hour < workingHours.to;
}

/** The next moment at which a working day comes to this hour. */
function nextOf({ timeZone, workingHours }: Times, nowMs: number, hour: number): number {
  for (let later = 0; later <= DAYS; later += 1) {
    const day = dayAt(timeZone, nowMs, later);
    const moment = momentOf(timeZone, day, hour);
    if (moment > nowMs && (workingHours?.days.includes(day.weekday) ?? true)) return moment;
  }
  throw new Error("a week has no working day");
}
