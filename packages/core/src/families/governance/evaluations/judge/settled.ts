import { canonical } from "../../../../kernel/events/canonical.js";
import { sha256 } from "../../../../kernel/events/chain.js";
import type { Context } from "../../../../kernel/operation/context.js";
import { type Asset, isScoredAnew } from "../../../estate/index.js";
import type { Snapshot } from "../../snapshots/take/snapshots.js";
import type { EvaluationMark } from "../results/marks.js";
import { halfOf, type Judge } from "./judge.js";

/** What results rest on: an asset's values without volatile ones, and all that these judges judge by. */
export interface MarkKeys {
  of(assetId: string): string | undefined;
}

export function markKeys(judges: readonly Judge[], snapshots: ReadonlyMap<string, Snapshot>): MarkKeys {
  const bench = halfOf(sha256(canonical(judges.map(({ digest }) => digest).sort())));
  return {
    of(assetId) {
      const snapshot = snapshots.get(assetId);
      return snapshot && halfOf(snapshot.digest) + bench;
    },
  };
}

/** The assets whose results rest on what is so now, so that only time can change them. A score due anew is none of them. */
export function settledOf(
  ctx: Context,
  list: readonly Asset[],
  marks: ReadonlyMap<string, EvaluationMark>,
  keys: MarkKeys,
): string[] {
  const settled = list.filter((asset) => {
    const mark = marks.get(asset.id);
    return mark !== undefined && !isScoredAnew(asset, ctx.now) && mark.key === keys.of(asset.id);
  });
  return settled.map(({ id }) => id);
}
