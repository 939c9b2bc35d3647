import { keepPosture } from "#families/estate/index.js";
import type { ClosedReason, SlaDays } from "#families/findings/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import type { Context } from "#kernel/operation/context.js";
import { EventLoopYielder } from "#store/event-loop.js";
import { exemptionsOver } from "../../exemptions/request/selected.js";
import { selecting } from "../../policies/compile/selectors.js";
import { Budget } from "../../policies/evaluation-budget.js";
import { policies } from "../../policies/schema.js";
import type { Snapshot } from "../../snapshots/take/snapshots.js";
import { NOTHING_DONE, type RunCounts, scopeSelector } from "../fields.js";
import { coversAll } from "../results/coverage.js";
import { type Moved, moveMarks } from "../results/marks.js";
import { type AssetResults, assetResults } from "../results/results.js";
import { storeResults } from "../results/store-results.js";
import { planFindings, storeFindings } from "../results/update-findings.js";
import type { Part } from "../run/parts.js";
import type { EvaluationRun } from "../schema.js";
import type { Candidate } from "./candidate.js";
import { CurrentMarks, type Settled } from "./current-marks.js";
import type { Judge } from "./judge.js";
import { judgeAsset } from "./judge-asset.js";
import type { PairChange } from "./pair.js";

/**
 * Limits of a part, in milliseconds and findings, because other writes of the tenant wait for it. At least one asset is
 * evaluated.
 */
const PART_MS = 2_000;
const PART_FOUND = 5_000;

/** The result of a part of a run. */
export interface PartDone {
  /** How many of the assets were evaluated, from the first on. */
  readonly looked: number;
  readonly counts: RunCounts;
  readonly errors: EvaluationRun["errors"];
}

/** What assets are judged by. */
interface Bench {
  readonly judges: readonly Judge[];
  readonly slaDays: SlaDays;
}

/** Evaluates the policies of a run for some assets, and stores the changes within the transaction. */
export async function judgePart(
  ctx: Context,
  run: EvaluationRun,
  { judges, slaDays }: Bench,
  { list, snapshots }: Part,
): Promise<PartDone> {
  const alive = list.filter(({ id }) => snapshots.has(id));
  const overAll = coversAll(run) && run.scope.policyIds.length === 0;
  const current = new CurrentMarks(ctx, judges, snapshots);
  const timely = judges.filter(({ compiled }) => compiled.readsTime);
  const settled = overAll && run.mode === "incremental" ? current.settled(alive) : new Map<string, Settled>();
  // Results are long, so those of settled assets are read only when time can have changed some of them.
  const open = alive.flatMap(({ id }) => (timely.length > 0 || !settled.has(id) ? [id] : []));
  const rows = open.length > 0 ? await ctx.db.getMany(assetResults, open) : [];
  const stored = new Map(rows.map(({ id, value }) => [id, value]));
  const policyIds = new Set(judges.map(({ policy }) => policy.id));
  const bench = { judges, policyIds, closing: await closingOf(ctx, policyIds, [...stored.values()]) };
  const counts: Mutable<RunCounts> = { ...NOTHING_DONE };
  const errors: EvaluationRun["errors"] = [];
  const pairs: PairChange[] = [];
  const judgedAssets: Candidate[] = [];
  const moved: Moved[] = [];
  const unchanged = new Map<string, readonly string[]>();
  const isInScope = scopeOf(ctx, run);
  const [end, yielder, nextBudget] = [performance.now() + PART_MS, new EventLoopYielder(), Budget.maker()];
  let looked = 0;
  for (const candidate of list) {
    const { id, mark } = candidate;
    if (looked > 0 && (performance.now() > end || counts.fail > PART_FOUND)) break;
    if (yielder.isDue) await yielder.pass();
    looked += 1;
    const snapshot = snapshots.get(id);
    const within = snapshot === undefined || isInScope(snapshot);
    if (typeof within === "string") {
      counts.error += 1;
      errors.push({ assetId: id, policyKey: null, message: `Scope: ${within}` });
    }
    if (within !== true) continue;
    counts.assets += 1;
    if (!snapshot) continue;
    const isSettled = settled.has(id);
    if (isSettled) counts.skippedUnchanged += mark?.pairs ?? 0;
    if (isSettled && timely.length === 0) {
      if (mark && settled.get(id) === "same values") moved.push({ mark, to: current.readFrom(candidate) });
      continue;
    }
    judgedAssets.push(candidate);
    const before = stored.get(id)?.pairs ?? {};
    const asked = isSettled ? { ...bench, judges: timely } : bench;
    const judged = await judgeAsset(run, asked, candidate.asset, snapshot, before, ctx.now, nextBudget());
    unchanged.set(id, judged.unchanged);
    counts.skippedUnchanged += judged.unchanged.length;
    for (const { change, results } of judged.changes) {
      pairs.push(change);
      if (change.after) counts.evaluated += 1;
      for (const { outcome, message } of results) {
        counts[outcome] += 1;
        if (outcome === "error") errors.push({ assetId: id, policyKey: change.after?.policyKey ?? null, message });
      }
    }
  }
  counts.pairs = counts.evaluated + counts.skippedUnchanged;
  const exemptions = pairs.length > 0 ? await exemptionsOver(ctx, snapshots) : [];
  const circumstances = { now: ctx.now, slaDays, exemptions };
  const plan = await planFindings(ctx, pairs, circumstances, run.mode === "full");
  if (!run.dryRun) {
    const counted = await storeFindings(ctx, plan, run.id);
    const complete = run.scope.policyIds.length === 0;
    const scores = await storeResults(ctx, {
      list: judgedAssets,
      complete,
      stored,
      pairs,
      unchanged,
      standing: plan.standing,
      // A run of some policies does not know what the results of the others rest on.
      basisOf: (candidate) => (complete ? current.of(candidate) : undefined),
      lasting: judges.filter(({ compiled }) => !compiled.readsTime).map(({ policy }) => policy.id),
    });
    await keepPosture(ctx, counted, scores);
    await moveMarks(ctx, moved);
  }
  return { looked, counts: { ...counts, ...plan.counts }, errors };
}

/** Whether an asset matches the expression of a run's scope. A text tells why that is unknown. */
function scopeOf(ctx: Context, { scope }: EvaluationRun): (snapshot: Snapshot) => boolean | string {
  return scope.expression === null ? () => true : selecting(ctx, scopeSelector(scope));
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Why policies with stored results for these assets are not evaluated any more. */
async function closingOf(
  ctx: Context,
  known: ReadonlySet<string>,
  stored: readonly AssetResults[],
): Promise<(policyId: string) => ClosedReason> {
  const others = new Set<string>();
  for (const { pairs } of stored) for (const id of Object.keys(pairs)) if (!known.has(id)) others.add(id);
  const rows = await inChunks([...others], (some) => ctx.db.getMany(policies, some));
  const there = new Set(rows.map(({ id }) => id));
  return (policyId) => (there.has(policyId) ? "policy_disabled" : "policy_deleted");
}
