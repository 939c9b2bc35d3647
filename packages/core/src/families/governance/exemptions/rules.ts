import type { Severity } from "#families/findings/index.js";
import { invalidProperty } from "#kernel/http/errors.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import type { ExemptionFields } from "./fields.js";

/** Days an exemption lasts by default and at most, and at most when it covers critical findings. */
export const EXEMPTION_DAYS = { default: 90, most: 365, mostCritical: 30 } as const;
/** Days before the end of an exemption at which it is announced. */
export const NOTICE_DAYS = [14, 3] as const;
/** The most findings of one exemption when it is requested and approved, because they change in one transaction. */
export const MOST_MATCHED = 5_000;

type Period = Pick<ExemptionFields, "startsAt" | "expiresAt">;

/**
 * Start and end of an exemption. The defaults are now and the default length. 400 unless the end is in the future and
 * within the limit.
 */
export function periodOf(given: Partial<Period>, maxSeverity: Severity, now: string): Period {
  const critical = maxSeverity === "critical";
  const most = critical ? EXEMPTION_DAYS.mostCritical : EXEMPTION_DAYS.most;
  const startsAt = given.startsAt ?? now;
  const latest = timestamp(Date.parse(startsAt) + daysMs(most));
  const usual = timestamp(Date.parse(startsAt) + daysMs(Math.min(EXEMPTION_DAYS.default, most)));
  const expiresAt = given.expiresAt ?? usual;
  if (expiresAt <= now) throw invalidProperty("/expiresAt", "Must lie in the future.");
  if (expiresAt <= startsAt) throw invalidProperty("/expiresAt", "Must lie after `startsAt`.");
  if (expiresAt > latest) {
    const why = critical ? " where it may exempt critical findings" : "";
    throw invalidProperty("/expiresAt", `An exemption lasts ${most} days at most${why}.`);
  }
  if (startsAt > timestamp(Date.parse(now) + daysMs(EXEMPTION_DAYS.most)))
    throw invalidProperty("/startsAt", `Must lie within ${EXEMPTION_DAYS.most} days.`);
  return { startsAt, expiresAt };
}

interface Noticed {
  readonly status: string;
  readonly expiresAt: string;
  readonly notices: number;
}

/** When the end of an exemption is announced next. `null` for never. */
export function noticeAt({ status, expiresAt, notices }: Noticed): string | null {
  const days = NOTICE_DAYS[notices];
  return status !== "approved" || days === undefined ? null : timestamp(Date.parse(expiresAt) - daysMs(days));
}

/** How many announcements of an end are due at a moment. */
export function noticesBy(expiresAt: string, now: string): number {
  return NOTICE_DAYS.filter((days) => timestamp(Date.parse(expiresAt) - daysMs(days)) <= now).length;
}
