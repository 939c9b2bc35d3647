import type { IdSource } from "@reeve/core";

/** Ids that count up, so that two runs get the same ones. `minted` is their number so far. */
export interface CountingIds extends IdSource {
  readonly minted: number;
}

/** Starts after the first `minted` ids. */
export function countingIds(minted = 0): CountingIds {
  return {
    get minted() {
      return minted;
    },
    next() {
      minted += 1;
      return String(minted).padStart(26, "0");
    },
  };
}
