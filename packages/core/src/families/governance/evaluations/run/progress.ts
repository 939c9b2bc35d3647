import { assets } from "#families/estate/index.js";
import { slaDaysOf } from "#families/findings/index.js";
import type { Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import { everyRow } from "#kernel/operation/every-page.js";
import { countsNow } from "#kernel/operation/numbers.js";
import { type Policy, policies } from "../../policies/schema.js";
import type { RunCounts } from "../fields.js";
import { type Judges, judgesService, policySetDigest } from "../judge/judge.js";
import { judgePart } from "../judge/judge-part.js";
import { askedInTime } from "../judge/timely.js";
import { runStatus } from "../machine.js";
import { coversAll, markCovered } from "../results/coverage.js";
import { type EvaluationRun, evaluationRuns } from "../schema.js";
import { Parts } from "./parts.js";

/** The most pairs and assets of one part, because other writes of the tenant wait for it. */
const PART_PAIRS = 5_000;
const PART_ASSETS = 200;
const FEWEST_ASSETS = 10;
/** How long one transaction goes on with assets of which nothing is evaluated, in milliseconds. */
const QUIET_MS = 200;
const MOST_ERRORS = 100;

/** The steps of a run from start to end. Each works in a given transaction. */
export class Progress {
  readonly #judges: Judges;

  constructor(env: Environment) {
    this.#judges = env.use(judgesService);
  }

  async start(ctx: Context, run: EvaluationRun): Promise<EvaluationRun> {
    const judges = await this.#judges.of(await evaluatedPolicies(ctx, run));
    const patch = {
      startedAt: ctx.now,
      policySetDigest: policySetDigest(judges),
      engine: this.#judges.engine,
      progress: { done: 0, total: await assetsAtMost(ctx, run) },
    };
    return ctx.transition(evaluationRuns, runStatus, run, { event: "start" }, { patch, triggeredBy: "system" });
  }

  /**
   * Evaluates the next assets after `cursor`, and those behind them for as long as nothing is to be evaluated. The new
   * cursor is `null` at the end.
   */
  async step(ctx: Context, run: EvaluationRun, cursor: string | null) {
    const [asked, slaDays] = await Promise.all([evaluatedPolicies(ctx, run), slaDaysOf(ctx)]);
    const judges = await askedInTime(ctx, await this.#judges.of(asked));
    const parts = new Parts(ctx, run, cursor);
    const fitting = Math.floor(PART_PAIRS / Math.max(1, judges.length));
    const begun = oneSet(run, policySetDigest(judges));
    const end = performance.now() + QUIET_MS;
    let size = Math.max(FEWEST_ASSETS, Math.min(PART_ASSETS, fitting));
    let [done, counts, errors] = [run.progress.done, run.counts, begun.errors];
    let [place, isQuiet] = [cursor, true];
    let began = performance.now();
    let took = Number.POSITIVE_INFINITY;
    do {
      // What is read ahead is in vain when no part follows, as behind one of which something is evaluated.
      const part = await parts.next(size, began + 2 * took < end);
      const judged = await judgePart(ctx, run, { judges, slaDays }, part);
      const reached = part.after(judged.looked);
      done += reached.looked;
      counts = sumOf(counts, judged.counts);
      errors = [...errors, ...judged.errors].slice(0, MOST_ERRORS);
      place = reached.cursor;
      isQuiet = judged.counts.evaluated === 0 && judged.looked === part.list.length;
      size = PART_ASSETS;
      [took, began] = [performance.now() - began, performance.now()];
    } while (isQuiet && place !== null && began < end);
    await parts.close();
    const { policySetDigest: digest } = begun;
    const patch = { progress: { ...run.progress, done }, counts, policySetDigest: digest, errors };
    // Progress has no event. Only the start and the end of a run have one.
    const after = await ctx.update(evaluationRuns, run, patch, { event: false });
    return { run: after, cursor: place };
  }

  async finish(ctx: Context, run: EvaluationRun, problem?: string): Promise<EvaluationRun> {
    const ended = run.counts.error > 0 ? "complete_with_errors" : "complete";
    const reported = problem === undefined ? [] : [{ assetId: null, policyKey: null, message: problem }];
    const patch = { finishedAt: ctx.now, errors: [...reported, ...run.errors].slice(0, MOST_ERRORS) };
    const event = problem === undefined ? ended : "fail";
    if (problem === undefined && coversAll(run)) await this.#cover(ctx, run);
    const data = { counts: run.counts, progress: run.progress };
    return ctx.transition(evaluationRuns, runStatus, run, { event }, { patch, data, triggeredBy: "system" });
  }

  /** Notes what the run has covered, unless policies changed while it ran. */
  async #cover(ctx: Context, run: EvaluationRun): Promise<void> {
    const policies = await evaluatedPolicies(ctx, run);
    if (run.startedAt === null || run.policySetDigest !== policySetDigest(await this.#judges.of(policies))) return;
    await markCovered(ctx, policies, run.startedAt);
  }
}

/** The digest of the policies of a run. When policies changed during the run, it is `null` and the run has an error. */
function oneSet(run: EvaluationRun, digest: string): Pick<EvaluationRun, "policySetDigest" | "errors"> {
  const { policySetDigest: begun, errors } = run;
  if (begun === null || begun === digest) return { policySetDigest: begun, errors };
  const message =
    "Policies changed while it ran: assets that were looked at before met others. A run over what changed follows.";
  return { policySetDigest: null, errors: [{ assetId: null, policyKey: null, message }, ...errors] };
}

/** The most pairs of policy and asset that a run can have. */
export async function pairsAtMost(ctx: Context, run: EvaluationRun): Promise<number> {
  const [judging, count] = [await evaluatedPolicies(ctx, run), await assetsAtMost(ctx, run)];
  return count * Math.max(1, judging.length);
}

/** The most assets that a run can have, from counters. */
async function assetsAtMost(ctx: Context, { scope }: EvaluationRun): Promise<number> {
  const { assetIds, assetTypes, environments } = scope;
  if (assetIds.length > 0) return assetIds.length;
  const counted = async (field: "assetType" | "environment", values: readonly string[]) => {
    if (values.length === 0) return Number.POSITIVE_INFINITY;
    const counts = await countsNow(ctx, assets, field);
    return values.reduce((sum, value) => sum + (counts.get(value) ?? 0), 0);
  };
  const bounds = await Promise.all([
    ctx.db.count(assets).then(({ count }) => count),
    counted("assetType", assetTypes),
    counted("environment", environments),
  ]);
  return Math.min(...bounds);
}

async function evaluatedPolicies(ctx: Context, { scope: { policyIds } }: EvaluationRun): Promise<Policy[]> {
  const rows = await everyRow(ctx.db, policies, { where: { kind: "posture", evaluated: true } });
  const found: Policy[] = rows.map(({ value }) => value);
  return found.filter(({ id }) => policyIds.length === 0 || policyIds.includes(id));
}

function sumOf(one: RunCounts, other: RunCounts): RunCounts {
  const names = Object.keys(one) as (keyof RunCounts)[];
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as RunCounts;
}
