import { timestamp } from "#ports/clock.js";
import { hoursMs } from "#ports/durations.js";
import type { StoredEvent } from "#store/event-log.js";
import type { Reader } from "#store/store.js";

/**
 * Events carry the start time of their request, so a long request puts them out of order by less than this, in
 * milliseconds.
 */
export const DISORDER = hoursMs(1);

/**
 * The sequence of the first event that is not before a moment (epoch milliseconds), `undefined` where none is known. Binary
 * search works because events are almost in order of time; see `DISORDER`.
 */
export async function firstOfMoment(reader: Reader, moment: number | undefined): Promise<number | undefined> {
  if (moment === undefined) return undefined;
  const bound = timestamp(moment);
  const [newest] = (await reader.events({ size: 1 })).events;
  const [oldest] = await reader.scanEvents({ size: 1 });
  if (!newest || !oldest || timeOf(newest) < bound) return undefined;
  let [low, high] = [oldest.sequence, newest.sequence];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [event] = await reader.scanEvents({ after: middle - 1, size: 1 });
    if (event && timeOf(event) < bound) low = middle + 1;
    else high = middle;
  }
  return high;
}

/** When the request of an event began. */
export function timeOf({ attributes }: StoredEvent): string {
  return (JSON.parse(attributes) as { readonly time: string }).time;
}
