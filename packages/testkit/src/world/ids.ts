import type { IdSource } from "@reeve/core";

/** Ids that count up, so that two runs mint the same ones. */
export function countingIds(): IdSource {
  let minted = 0;
  return {
    next() {
      minted += 1;
      return String(minted).padStart(26, "0");
    },
  };
}
