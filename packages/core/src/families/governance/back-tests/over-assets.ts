import { type Asset, assets } from "#families/estate/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { EventLoopYielder } from "#store/event-loop.js";
import type { CompiledPolicy } from "../policies/compile/compile.js";
import { evaluatePosture, type Outcome, type PostureResult, Prepared, summed } from "../policies/evaluate-policy.js";
import type { Policy } from "../policies/schema.js";
import { snapshotsOfAssets } from "../snapshots/take/snapshots.js";
import { type History, LOOKING_MS } from "./past/history.js";
import { Past } from "./past/past.js";
import { KeptAnswers, pastSource } from "./past/past-source.js";
import type { OverAssets } from "./schema.js";

/** The most assets evaluated together at all moments, and how many at first, before their cost is known. */
const PART = 50;
const FIRST_PART = 5;
/** The most pairs of asset and moment. */
const MOST_LOOKS = 350_000;
const MOST_FAILING = 100;

/** A moment, with the past states of records. */
interface Moment {
  readonly at: string;
  readonly past: Past;
}

type Tried = Pick<Policy, "params"> & { readonly compiled: CompiledPolicy };
type Failing = OverAssets["failing"][number];

/** The results for an asset at a moment. `unknown` when its events were erased. */
interface Judged {
  readonly asset: Asset | undefined;
  readonly outcome: Outcome | "unknown";
  readonly results: readonly PostureResult[];
}

/** Evaluates a policy over the assets at some moments, newest first, as far as the history reaches. */
export async function backTestOverAssets(
  ctx: ReadContext,
  tried: Tried,
  history: History,
  times: readonly string[],
): Promise<{ readonly found: OverAssets; readonly complete: boolean }> {
  const end = performance.now() + LOOKING_MS;
  const left = () => end - performance.now();
  const moments = await momentsOf(history, times);
  const sums = moments.map(({ at }) => ({ at, assets: 0, pass: 0, fail: 0, skip: 0, error: 0, unknown: 0 }));
  const failing = new Map<string, Failing>();
  const most = Math.floor(MOST_LOOKS / moments.length);
  // The oldest moment includes all later removals.
  const gone = moments.at(-1)?.past.removedIds(assets) ?? [];
  const total = (await ctx.db.count(assets)).count + gone.length;
  const yielder = new EventLoopYielder();
  const start = performance.now();
  let looked = 0;
  const size = () => {
    const each = (performance.now() - start) / looked;
    return looked === 0 ? FIRST_PART : Math.max(1, Math.min(PART, Math.floor(left() / each)));
  };
  for await (const ids of partsOf(ctx, gone, size)) {
    if (looked >= most || left() <= 0) break;
    looked += ids.length;
    const answers = new KeptAnswers(ctx.db);
    for (const [index, moment] of moments.entries()) {
      const sum = sums[index] as (typeof sums)[number];
      for (const { asset, outcome, results } of await judgedAt(answers, moment, ids, tried, yielder)) {
        sum.assets += 1;
        sum[outcome] += 1;
        if (asset && outcome === "fail") note(failing, asset, results, moment, index === 0);
      }
      await yielder.pass();
    }
  }
  const mostOften = [...failing.values()].sort((a, b) => b.moments - a.moments || (a.assetId < b.assetId ? -1 : 1));
  return {
    found: {
      assets: { looked, total },
      moments: sums.reverse(),
      failing: mostOften.slice(0, MOST_FAILING),
      failingTotal: failing.size,
    },
    complete: looked >= total,
  };
}

/** The moments within the reach of the history, each with its past states. */
async function momentsOf(history: History, times: readonly string[]): Promise<Moment[]> {
  const [now = "", ...earlier] = times;
  const moments: Moment[] = [{ at: now, past: new Past() }];
  let past = new Past();
  const passTo = (time: string) => {
    for (let at = earlier[moments.length - 1]; at !== undefined && time < at; at = earlier[moments.length - 1]) {
      moments.push({ at, past });
      past = new Past(past);
    }
  };
  for await (const batch of history.batches())
    for (const { event, envelope } of batch) {
      passTo(envelope.time);
      past.undo(envelope, event);
    }
  passTo("");
  return moments.filter(({ at }) => at >= history.since);
}

/** The ids of all assets in chunks, then those of removed assets. */
async function* partsOf(
  ctx: ReadContext,
  gone: readonly string[],
  sizeOfNext: () => number,
): AsyncGenerator<readonly string[]> {
  let after: string | undefined;
  do {
    const size = sizeOfNext();
    const rows = await ctx.db.scan(assets, { size, ...(after === undefined ? {} : { after }) });
    if (rows.length > 0) yield rows.map(({ id }) => id);
    after = rows.length < size ? undefined : rows.at(-1)?.id;
  } while (after !== undefined);
  for (let from = 0, size = 0; from < gone.length; from += size) {
    size = sizeOfNext();
    yield gone.slice(from, from + size);
  }
}

/** The results of a policy at a moment for the assets that existed then. */
async function judgedAt(
  answers: KeptAnswers,
  moment: Moment,
  ids: readonly string[],
  { compiled, params }: Tried,
  yielder: EventLoopYielder,
) {
  const { at, past } = moment;
  const source = pastSource(answers, past, at);
  const rows = await source.db.getMany(assets, ids);
  const there = rows
    .map((row) => source.derived(assets, row))
    .filter(({ createdAt, status }) => createdAt <= at && status !== "retired");
  const readsSpec = compiled.reads.some((path) => path.startsWith("spec"));
  const { snapshots, guessed } = await snapshotsAt(answers, moment, there);
  const judged: Judged[] = [];
  for (const asset of there) {
    if (yielder.isDue) await yielder.pass();
    const snapshot = snapshots.get(asset.id);
    const isGuess = past.isUnknown(asset.id) || (guessed.has(asset.id) && readsSpec);
    if (!snapshot || isGuess) {
      judged.push({ asset, outcome: "unknown", results: [] });
      continue;
    }
    const spec = snapshot.spec ? { spec: snapshot.spec } : {};
    const values = new Prepared({ asset: snapshot.asset, ...spec, params, now: at });
    const results = evaluatePosture(compiled, values) ?? [];
    judged.push({ asset, outcome: summed(results), results });
  }
  const found = new Set(rows.map(({ id }) => id));
  const lost = ids.filter((id) => !found.has(id) && past.isUnknown(id));
  return [...judged, ...lost.map((): Judged => ({ asset: undefined, outcome: "unknown", results: [] }))];
}

/** Snapshots of assets, and the ids of assets whose snapshot depends on an unknown record. */
async function snapshotsAt(answers: KeptAnswers, { at, past }: Moment, list: readonly Asset[]) {
  const guessed = new Set<string>();
  const take = async (some: readonly Asset[], onGuess: () => void) =>
    snapshotsOfAssets(pastSource(answers, past, at, onGuess), some);
  let isGuess = false;
  const snapshots = await take(list, () => {
    isGuess = true;
  });
  // If any record is unknown, assets are read one by one to find which depend on it. The reads are cached.
  if (isGuess) for (const asset of list) await take([asset], () => guessed.add(asset.id));
  return { snapshots, guessed };
}

function note(
  failing: Map<string, Failing>,
  { id, name }: Asset,
  results: readonly PostureResult[],
  { at }: Moment,
  now: boolean,
): void {
  const failed = results.flatMap(({ ruleKey, outcome }) => (outcome === "fail" ? [ruleKey] : []));
  const known = failing.get(id) ?? {
    assetId: id,
    assetName: name,
    ruleKeys: [],
    moments: 0,
    firstAt: at,
    lastAt: at,
    now,
  };
  const ruleKeys = [...new Set([...known.ruleKeys, ...failed])].sort();
  failing.set(id, { ...known, ruleKeys, moments: known.moments + 1, firstAt: at });
}
