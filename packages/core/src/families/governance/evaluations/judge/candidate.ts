import { type Asset, assets } from "#families/estate/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Row } from "#store/row.js";
import type { Subject } from "../../snapshots/take/snapshots.js";
import type { EvaluationMark } from "../results/marks.js";

/** An asset that a run looks at. Its record is parsed once something needs it, which is nothing for most that are settled. */
export class Candidate implements Subject {
  #asset: Asset | undefined;

  constructor(
    private readonly ctx: Pick<ReadContext, "now" | "derived">,
    private readonly row: Row<Asset>,
    readonly mark: EvaluationMark | undefined,
  ) {}

  get id(): string {
    return this.row.id;
  }

  get version(): number {
    return this.row.version;
  }

  get asset(): Asset {
    this.#asset ??= this.ctx.derived(assets, this.row);
    return this.#asset;
  }

  /** Whether the record is the one that its mark was made of, and time has not changed it since. */
  get isAsMarked(): boolean {
    const { row, mark, ctx } = this;
    return mark?.assetVersion === row.version && (row.staleAt === null || row.staleAt > ctx.now);
  }

  get assetType(): Asset["assetType"] {
    return this.mark && this.isAsMarked ? this.mark.assetType : this.asset.assetType;
  }

  /** Retired assets are not evaluated. They have no mark. */
  get isAlive(): boolean {
    return this.isAsMarked || this.asset.status !== "retired";
  }
}
