import { assessmentsOf } from "#families/assessments/index.js";
import { type Asset, assets } from "#families/estate/index.js";
import type { Context } from "#kernel/operation/context.js";
import { yieldToEventLoop } from "#store/event-loop.js";
import type { Row } from "#store/row.js";
import { type Snapshot, snapshotsOfSubjects } from "../../snapshots/take/snapshots.js";
import { Candidate } from "../judge/candidate.js";
import { evaluationMarks } from "../results/marks.js";
import type { EvaluationRun } from "../schema.js";

/** How far a run got: how many places of its scope, and the cursor behind them, `null` at the end. */
interface Reached {
  readonly cursor: string | null;
  readonly looked: number;
}

interface Page {
  readonly rows: readonly Row<Asset>[];
  /** What is reached with everything before an asset, or with the whole page. */
  before(next: string | undefined): Reached;
}

/** Assets of a run's scope, and what their results are judged by. */
export interface Part {
  readonly list: readonly Candidate[];
  /** Of the assets that are not retired. */
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  /** What is reached with the first `count` assets. */
  after(count: number): Reached;
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
    this.cursor = page.before(undefined).cursor;
    this.#page = isAhead && this.cursor !== null ? handled(pageOf(ctx, run, this.cursor, size)) : undefined;
    const ids = page.rows.map(({ id }) => id);
    const assessed = handled(assessmentsOf(ctx, ids));
    const marks = new Map((await ctx.db.getMany(evaluationMarks, ids)).map(({ id, value }) => [id, value]));
    const meant = meantBy(run);
    const list = page.rows.map((row) => new Candidate(ctx, row, marks.get(row.id))).filter(meant);
    const alive = list.filter(({ isAlive }) => isAlive);
    const snapshots = await snapshotsOfSubjects(ctx, alive, assessed);
    clearImmediate(turn);
    return { list, snapshots, after: (count) => page.before(list[count]?.id) };
  }
}

/** Its failure is for those who wait for it, and nobody may. */
function handled<T>(reading: Promise<T>): Promise<T> {
  reading.catch(() => undefined);
  return reading;
}

/** Whether an asset is one of those that the scope of a run names by type and environment. */
function meantBy({ scope: { assetTypes, environments } }: EvaluationRun): (candidate: Candidate) => boolean {
  return (candidate) =>
    (assetTypes.length === 0 || assetTypes.includes(candidate.assetType)) &&
    (environments.length === 0 || environments.includes(candidate.asset.environment));
}

/** The next assets of a run's scope. */
async function pageOf(ctx: Context, { scope }: EvaluationRun, cursor: string | null, size: number): Promise<Page> {
  const { assetIds } = scope;
  const from = Number(cursor ?? 0);
  const named = assetIds.slice(from, from + size);
  const rows =
    assetIds.length > 0
      ? await ctx.db.getMany(assets, named)
      : await ctx.db.scan(assets, { ...(cursor === null ? {} : { after: cursor }), size });
  const places = assetIds.length > 0 ? named : rows.map(({ id }) => id);
  const isLast = assetIds.length > 0 ? from + named.length >= assetIds.length : rows.length < size;
  return {
    rows,
    before(next) {
      const looked = next === undefined ? places.length : places.indexOf(next);
      if (isLast && looked === places.length) return { cursor: null, looked };
      return { cursor: assetIds.length > 0 ? String(from + looked) : (places[looked - 1] ?? null), looked };
    },
  };
}
