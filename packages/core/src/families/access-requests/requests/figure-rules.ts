import { minutesMs } from "#ports/durations.js";

/** The value that a part of all do not exceed: the nearest rank, so that it is one of them. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0;
}

/** Whole minutes from one moment to another, rounded up; `undefined` where the other has not come, or came before. */
export function waitedMinutes(from: string, to: string | null | undefined): number | undefined {
  const waited = to == null ? -1 : Date.parse(to) - Date.parse(from);
  return waited < 0 ? undefined : Math.ceil(waited / minutesMs(1));
}
