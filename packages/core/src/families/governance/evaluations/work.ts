import { Context } from "../../../kernel/context.js";
import type { Environment } from "../../../kernel/environment.js";
import { systemPrincipal } from "../../../kernel/principal.js";
import { timestamp } from "../../../ports/clock.js";
import { SIZE_LIMIT } from "../../../store/query.js";
import type { Position } from "../../../store/store.js";
import { type Asset, assets } from "../../estate/index.js";
import { type Policy, policies } from "../policies/schema.js";
import type { RunCounts } from "./fields.js";
import { Judges, policySetDigest } from "./judge.js";
import { runStatus } from "./machine.js";
import { evaluatePart } from "./part.js";
import { type EvaluationRun, evaluationRuns, type RunWork, runWork } from "./schema.js";

/** How long a worker that is silent keeps others from its run, in ms: longer than any part may take. */
const LEASE = 60_000;
/** How often a run is taken up without coming further before it is given up. */
const MOST_ATTEMPTS = 5;
/** Pairs and assets of one part, which is one transaction: other writes of the tenant wait for it. */
const PART_PAIRS = 2_000;
const PART_ASSETS = 200;
const MOST_ERRORS = 100;

/** Takes up a run and goes on with it until it is over, someone else has it, or the time given is up. Rejects when the store does. */
export async function workOn(
  env: Environment,
  tenantId: string,
  runId: string,
  forMs = Number.POSITIVE_INFINITY,
): Promise<void> {
  const worker = new Worker(env, tenantId, runId);
  if (!(await worker.claim())) return;
  const end = performance.now() + forMs;
  let more = true;
  while (more && performance.now() < end) {
    more = await worker.step();
    // Whoever else lives in this process gets a turn, and the next write of another caller.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (more) await worker.release();
}

/** How many policies judge assets by now, and how many pairs with assets a run over all would have at most. */
export async function pairsAtMost(ctx: Context, { scope }: Pick<EvaluationRun, "scope">): Promise<number> {
  const list = await evaluatedPolicies(ctx, scope.policyIds);
  const count = scope.assetIds.length > 0 ? scope.assetIds.length : (await ctx.db.count(assets)).count;
  return count * Math.max(1, list.length);
}

async function evaluatedPolicies(ctx: Context, only: readonly string[]): Promise<Policy[]> {
  const query = { where: { kind: "posture", evaluated: true }, size: SIZE_LIMIT } as const;
  const found: Policy[] = [];
  let after: Position | undefined;
  do {
    const { rows, next } = await ctx.db.find(policies, after ? { ...query, after } : query);
    found.push(...rows.map(({ value }) => value));
    after = next;
  } while (after);
  return found.filter(({ id }) => only.length === 0 || only.includes(id));
}

class Worker {
  readonly #name: string;
  readonly #judges: Judges;

  constructor(
    private readonly env: Environment,
    private readonly tenantId: string,
    private readonly runId: string,
  ) {
    this.#name = env.ids.next(env.clock.now());
    this.#judges = new Judges(env);
  }

  /** Whether the run is this worker's now. */
  claim(): Promise<boolean> {
    return this.#write(async (ctx, run, work) => {
      if (work.claimedBy !== null && (work.claimExpiresAt ?? "") > ctx.now) return false;
      if (work.attempts >= MOST_ATTEMPTS) {
        await this.#finish(ctx, run, work, "fail");
        return false;
      }
      await this.#hold(ctx, work, { attempts: work.attempts + 1 });
      if (run.status === "queued") await this.#start(ctx, run);
      return true;
    });
  }

  /** Does the next part; whether there may be more to do for this worker. */
  step(): Promise<boolean> {
    return this.#write(async (ctx, run, work) => {
      if (work.claimedBy !== this.#name) return false;
      const judges = this.#judges.of(await evaluatedPolicies(ctx, run.scope.policyIds));
      const size = Math.max(10, Math.min(PART_ASSETS, Math.floor(PART_PAIRS / Math.max(1, judges.length))));
      const { list, cursor, looked } = await nextAssets(ctx, run, work.cursor, size);
      const { counts, errors } = await evaluatePart(ctx, run, judges, this.#judges.engine, list);
      const next = {
        ...run,
        version: run.version + 1,
        updatedAt: ctx.now,
        progress: { ...run.progress, done: run.progress.done + looked },
        counts: sumOf(run.counts, counts),
        errors: [...run.errors, ...errors].slice(0, MOST_ERRORS),
      };
      await ctx.tx.replace(evaluationRuns, next, run);
      if (cursor !== null) {
        await this.#hold(ctx, work, { cursor, attempts: 0 });
        return true;
      }
      await this.#finish(ctx, next, work, next.counts.error > 0 ? "complete_with_errors" : "complete");
      return false;
    });
  }

  /** Leaves the run to whoever takes it up next. */
  async release(): Promise<void> {
    await this.#write(async (ctx, _run, work) => {
      if (work.claimedBy !== this.#name) return false;
      const next = { ...work, version: work.version + 1, claimedBy: null, claimExpiresAt: null, attempts: 0 };
      await ctx.tx.replace(runWork, next, work);
      return true;
    });
  }

  /** Works on the run in one transaction, as Reeve itself; not at all when it is over. */
  async #write(step: (ctx: Context, run: EvaluationRun, work: RunWork) => Promise<boolean>): Promise<boolean> {
    const nowMs = this.env.clock.now();
    const request = { requestId: `run_${this.#name}`, nowMs, mountPath: "" };
    const ctx = new Context(this.env, request, systemPrincipal(this.tenantId), this.env.store.forTenant(this.tenantId));
    return ctx.write(async (inner) => {
      const [run, work] = await Promise.all([
        inner.db.get(evaluationRuns, this.runId),
        inner.db.get(runWork, this.runId),
      ]);
      return run && work ? step(inner, run.value, work.value) : false;
    });
  }

  async #start(ctx: Context, run: EvaluationRun): Promise<void> {
    const judges = this.#judges.of(await evaluatedPolicies(ctx, run.scope.policyIds));
    const { assetIds } = run.scope;
    const total = assetIds.length > 0 ? assetIds.length : (await ctx.db.count(assets)).count;
    const patch = {
      startedAt: ctx.now,
      policySetDigest: policySetDigest(judges),
      engine: this.#judges.engine,
      progress: { done: 0, total },
    };
    await ctx.transition(evaluationRuns, runStatus, run, { event: "start" }, { patch, triggeredBy: "sweeper" });
  }

  #hold(ctx: Context, work: RunWork, patch: Partial<RunWork>): Promise<void> {
    const claim = { claimedBy: this.#name, claimExpiresAt: timestamp(ctx.request.nowMs + LEASE) };
    return ctx.tx.replace(runWork, { ...work, ...patch, ...claim, version: work.version + 1 }, work);
  }

  async #finish(
    ctx: Context,
    run: EvaluationRun,
    work: RunWork,
    event: "complete" | "complete_with_errors" | "fail",
  ): Promise<void> {
    const given = { assetId: null, policyKey: null, message: `Given up after ${MOST_ATTEMPTS} attempts.` };
    const errors = event === "fail" ? [...run.errors, given].slice(-MOST_ERRORS) : run.errors;
    const patch = { finishedAt: ctx.now, errors };
    const data = { counts: run.counts, progress: run.progress };
    await ctx.transition(evaluationRuns, runStatus, run, { event }, { patch, data, triggeredBy: "sweeper" });
    await ctx.tx.remove(runWork, work, ctx.now);
  }
}

/** The next assets of a run's scope, where to go on after them (`null` at the end), and how many were looked at for them. */
async function nextAssets(ctx: Context, { scope }: EvaluationRun, cursor: string | null, size: number) {
  const { assetIds, assetTypes, environments } = scope;
  const isMeant = ({ assetType, environment }: Asset) =>
    (assetTypes.length === 0 || assetTypes.includes(assetType)) &&
    (environments.length === 0 || environments.includes(environment));
  if (assetIds.length > 0) {
    const from = Number(cursor ?? 0);
    const ids = assetIds.slice(from, from + size);
    const list = (await ctx.db.getMany(assets, ids)).map((row) => ctx.derived(assets, row)).filter(isMeant);
    const end = from + ids.length;
    return { list, cursor: end < assetIds.length ? String(end) : null, looked: ids.length };
  }
  const rows = await ctx.db.scan(assets, { ...(cursor === null ? {} : { after: cursor }), size });
  const list = rows.map((row) => ctx.derived(assets, row)).filter(isMeant);
  return { list, cursor: rows.length < size ? null : (rows.at(-1)?.id ?? null), looked: rows.length };
}

function sumOf(one: RunCounts, other: RunCounts): RunCounts {
  const names = Object.keys(one) as (keyof RunCounts)[];
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as RunCounts;
}
