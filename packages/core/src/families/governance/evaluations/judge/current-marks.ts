import { isScoredAnew } from "#families/estate/index.js";
import { canonical } from "#kernel/events/canonical.js";
import type { Context } from "#kernel/operation/context.js";
import { sha256 } from "#store/chain.js";
import type { RowVersion } from "#store/row.js";
import { SNAPSHOT_FORMAT, type Snapshot } from "../../snapshots/take/snapshots.js";
import type { MarkBasis, ReadFrom } from "../results/marks.js";
import type { Candidate } from "./candidate.js";
import { halfOf, type Judge } from "./judge.js";

/**
 * Why nothing but time can have changed the results of an asset: its values are read from the same rows as before
 * (`same rows`), or from others and are the same (`same values`).
 */
export type Settled = "same rows" | "same values";

/** The marks that assets would get now: of what each asset is, and of all that these judges judge by. */
export class CurrentMarks {
  readonly #bench: string;

  constructor(
    private readonly ctx: Pick<Context, "now">,
    judges: readonly Judge[],
    private readonly snapshots: ReadonlyMap<string, Snapshot>,
  ) {
    this.#bench = halfOf(sha256(canonical([SNAPSHOT_FORMAT, ...judges.map(({ digest }) => digest).sort()])));
  }

  /** The mark of an asset whose results were computed now, without its pairs. `undefined` without a snapshot of it. */
  of(candidate: Candidate): MarkBasis | undefined {
    const snapshot = this.snapshots.get(candidate.id);
    return snapshot && { key: this.#keyOf(snapshot), ...this.readFrom(candidate) };
  }

  /** What the values of an asset are read from. */
  readFrom({ id, asset, version }: Candidate): ReadFrom {
    const { assetType, postureScoredAt: scoredAt } = asset;
    return { assetType, assetVersion: version, scoredAt, rows: this.#rowsOf(this.snapshots.get(id)) };
  }

  /** The assets whose results only time can change, by id. A score due anew is none of them. */
  settled(list: readonly Candidate[]): Map<string, Settled> {
    const settled = new Map<string, Settled>();
    for (const candidate of list) {
      const why = this.#settles(candidate);
      if (why) settled.set(candidate.id, why);
    }
    return settled;
  }

  #settles(candidate: Candidate): Settled | undefined {
    const { id, mark, isAsMarked } = candidate;
    const snapshot = this.snapshots.get(id);
    if (!snapshot || !mark?.key.endsWith(this.#bench)) return undefined;
    const isDue = (postureScoredAt: string | null) => isScoredAnew({ postureScoredAt }, this.ctx.now);
    if (isAsMarked && mark.rows === this.#rowsOf(snapshot)) return isDue(mark.scoredAt) ? undefined : "same rows";
    return !isDue(candidate.asset.postureScoredAt) && mark.key === this.#keyOf(snapshot) ? "same values" : undefined;
  }

  /** The digest of an asset's values without volatile ones, and of the judges. */
  #keyOf({ digest }: Snapshot): string {
    return halfOf(digest) + this.#bench;
  }

  #rowsOf(snapshot: Snapshot | undefined): string {
    return digestOfRows(snapshot?.rows ?? [], this.ctx.now);
  }
}

/** A row that time has changed since it was stored is another one at each moment. */
function digestOfRows(rows: readonly RowVersion[], now: string): string {
  if (rows.length === 0) return "";
  const named = rows.map(({ id, version, staleAt }) =>
    staleAt !== null && staleAt <= now ? `${id} ${version} ${now}` : `${id} ${version}`,
  );
  return halfOf(sha256(named.join()));
}
