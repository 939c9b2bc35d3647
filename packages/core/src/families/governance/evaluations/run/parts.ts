import { yieldToEventLoop } from "../../../../kernel/async/event-loop.js";
import type { Context } from "../../../../kernel/operation/context.js";
import { type Asset, assets } from "../../../estate/index.js";
import { type Snapshot, snapshotsOfAssets } from "../../snapshots/take/snapshots.js";
import { type EvaluationMark, evaluationMarks } from "../results/marks.js";
import type { EvaluationRun } from "../schema.js";

/** How far a run got: how many places of its scope, and the cursor behind them, `null` at the end. */
interface Reached {
  readonly cursor: string | null;
  readonly looked: number;
}

interface Page {
  readonly list: readonly Asset[];
  /** What is reached with the first `count` assets. */
  after(count: number): Reached;
}

/** Assets of a run's scope, and what their results are judged by. */
export interface Part extends Page {
  /** The assets that are not retired. */
  readonly alive: readonly Asset[];
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  readonly marks: ReadonlyMap<string, EvaluationMark>;
}

/** The parts of a run's scope, one after another within one transaction. */
export class Parts {
  #next: Promise<Part> | undefined;
  /** The page behind the last part that was asked for. */
  #page: Promise<Page> | undefined;
  /** Whether this process waits for the store, which then can work meanwhile. */
  #isElsewhere = false;

  constructor(
    private readonly ctx: Context,
    private readonly run: EvaluationRun,
    private cursor: string | null,
  ) {}

  /**
   * The part behind the last one. Where `another` one is expected, a store in another process reads it meanwhile, as it
   * stands before anything is written about this one.
   */
  async next(size: number, another: boolean): Promise<Part> {
    const isAhead = another && this.#isElsewhere;
    const part = await (this.#next ?? this.#read(size, isAhead));
    this.#next = undefined;
    if (!isAhead || this.cursor === null) return part;
    this.#next = handled(this.#read(size, true));
    // Only the event loop sends it.
    await yieldToEventLoop();
    return part;
  }

  /** Waits for what was read ahead in vain. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#next, this.#page]);
  }

  async #read(size: number, isAhead: boolean): Promise<Part> {
    const { ctx, run } = this;
    // What this process reads by itself is there before the event loop turns.
    const turn = setImmediate(() => {
      this.#isElsewhere = true;
    });
    const page = await (this.#page ?? pageOf(ctx, run, this.cursor, size));
    this.cursor = page.after(page.list.length).cursor;
    this.#page = isAhead && this.cursor !== null ? handled(pageOf(ctx, run, this.cursor, size)) : undefined;
    const alive = page.list.filter(({ status }) => status !== "retired");
    const [snapshots, marks] = await Promise.all([
      snapshotsOfAssets(ctx, alive),
      ctx.db.getMany(
        evaluationMarks,
        alive.map(({ id }) => id),
      ),
    ]);
    clearImmediate(turn);
    return { ...page, alive, snapshots, marks: new Map(marks.map(({ id, value }) => [id, value])) };
  }
}

/** Its failure is for those who wait for it, and nobody may. */
function handled<T>(reading: Promise<T>): Promise<T> {
  reading.catch(() => undefined);
  return reading;
}

/** The next assets of a run's scope. */
async function pageOf(ctx: Context, { scope }: EvaluationRun, cursor: string | null, size: number): Promise<Page> {
  const { assetIds, assetTypes, environments } = scope;
  const isMeant = ({ assetType, environment }: Asset) =>
    (assetTypes.length === 0 || assetTypes.includes(assetType)) &&
    (environments.length === 0 || environments.includes(environment));
  const from = Number(cursor ?? 0);
  const named = assetIds.slice(from, from + size);
  const rows =
    assetIds.length > 0
      ? await ctx.db.getMany(assets, named)
      : await ctx.db.scan(assets, { ...(cursor === null ? {} : { after: cursor }), size });
  const list = rows.map((row) => ctx.derived(assets, row)).filter(isMeant);
  const places = assetIds.length > 0 ? named : rows.map(({ id }) => id);
  const isLast = assetIds.length > 0 ? from + named.length >= assetIds.length : rows.length < size;
  return {
    list,
    after(count) {
      const looked = count < list.length ? places.indexOf((list[count - 1] as Asset).id) + 1 : places.length;
      if (isLast && looked === places.length) return { cursor: null, looked };
      return { cursor: assetIds.length > 0 ? String(from + looked) : (places[looked - 1] ?? null), looked };
    },
  };
}
