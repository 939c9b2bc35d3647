import { randomFillSync } from "node:crypto";
import { monotonicFactory } from "ulid";

/** Makes the unique part of ids: 26 characters that rise with time, so that new rows go to the end of every index. */
export interface IdSource {
  next(milliseconds: number): string;
}

const pool = new Uint32Array(256);
let used = pool.length;

function random(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const value = pool[used] as number;
  used += 1;
  return value / 0x1_0000_0000;
}

/** ULIDs from the system's random source, monotonic within this process. */
export function ulidSource(): IdSource {
  const next = monotonicFactory(random);
  return { next: (milliseconds) => next(milliseconds) };
}
