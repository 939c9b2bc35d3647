import type { IdSource } from "@reeve/core";

/** Ids that count up, so that two runs mint the same ones; how many were minted can be asked and set. */
export interface CountingIds extends IdSource {
  readonly minted: number;
}

/** Begins after the first `minted` ids. */
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
