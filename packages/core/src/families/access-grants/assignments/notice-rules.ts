import { timestamp } from "#ports/clock.js";
import { daysMs, hoursMs } from "#ports/durations.js";

/** How long before the end of access people are told, the longest first, in milliseconds. */
export const NOTICES = { P7D: daysMs(7), P1D: daysMs(1), PT1H: hoursMs(1) } as const;
export const LEFT = Object.keys(NOTICES) as [keyof typeof NOTICES, ...(keyof typeof NOTICES)[]];

/** What of access says when people are told that it ends. */
interface Ending {
  readonly status: string;
  readonly expiresAt: string | null;
  readonly activatedAt: string | null;
  /** The last notice, and the end that it was about. */
  readonly noticed: { readonly left: keyof typeof NOTICES; readonly expiresAt: string } | null;
}

/** The notices that are still to be given of access, each with its moment. One that is as long as the access is none. */
function toGive({ status, expiresAt, activatedAt, noticed }: Ending) {
  if (status !== "active" || expiresAt === null || activatedAt === null) return [];
  const end = Date.parse(expiresAt);
  const given = noticed?.expiresAt === expiresAt ? NOTICES[noticed.left] : Number.POSITIVE_INFINITY;
  return LEFT.filter((left) => NOTICES[left] < given && NOTICES[left] < end - Date.parse(activatedAt)).map((left) => ({
    left,
    at: end - NOTICES[left],
  }));
}

/** When people are told next that access ends; `null` when they are not. */
export function noticeAt(one: Ending): string | null {
  const [next] = toGive(one);
  return next ? timestamp(next.at) : null;
}

/** What is told now: of several that are due, the one that leaves least. */
export const noticeDue = (one: Ending, nowMs: number) =>
  toGive(one)
    .filter(({ at }) => at <= nowMs)
    .at(-1)?.left;
