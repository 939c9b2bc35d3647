import type { Environment } from "#kernel/config/environment.js";
import { systemPrincipal } from "#kernel/config/principal.js";
import type { Context } from "#kernel/operation/context.js";
import { processContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import { yieldToEventLoop } from "#store/event-loop.js";
import { type EvaluationRun, evaluationRuns, type RunWork, runWork } from "../schema.js";
import { Progress } from "./progress.js";

/** The lease of a worker, in milliseconds. It is longer than any part may take. */
const LEASE = minutesMs(1);
/** How often a run may be resumed without progress. */
const MOST_ATTEMPTS = 5;

/** Runs the whole evaluation within the transaction, as the system principal. */
export async function workWithin(ctx: Context, queued: EvaluationRun): Promise<EvaluationRun> {
  const { tenantId } = ctx.principal;
  const inner = ctx.as(systemPrincipal(tenantId));
  const progress = new Progress(ctx.env);
  let run = await progress.start(inner, queued);
  let cursor: string | null = null;
  do ({ run, cursor } = await progress.step(inner, run, cursor));
  while (cursor !== null);
  return progress.finish(inner, run);
}

/**
 * Works on a waiting or abandoned run, one transaction per part, until the run ends, another worker has it, or time is
 * up. Rejects when the store fails. The next worker continues.
 */
export async function workOn(env: Environment, tenantId: string, runId: string, forMs: number): Promise<void> {
  const worker = new Worker(env, tenantId, runId);
  const end = performance.now() + forMs;
  let goesOn = await worker.claim();
  while (goesOn && performance.now() < end) {
    goesOn = await worker.step();
    // Yields to other work of this process and to other writes.
    await yieldToEventLoop();
  }
  if (goesOn) await worker.release();
}

class Worker {
  readonly #name: string;
  readonly #progress: Progress;

  constructor(
    private readonly env: Environment,
    private readonly tenantId: string,
    private readonly runId: string,
  ) {
    this.#name = env.ids.next(env.clock.now());
    this.#progress = new Progress(env);
  }

  /** Claims the run. False when another worker has it, or it failed too often. */
  claim(): Promise<boolean> {
    return this.#write(async (ctx, run, work) => {
      if (work.claimedBy !== null && (work.claimExpiresAt ?? "") > ctx.now) return false;
      if (work.attempts >= MOST_ATTEMPTS) {
        await this.#progress.finish(ctx, run, `Given up after ${MOST_ATTEMPTS} attempts without coming further.`);
        await ctx.remove(runWork, work);
        return false;
      }
      if (run.status === "queued") await this.#progress.start(ctx, run);
      await this.#hold(ctx, work, { attempts: work.attempts + 1 });
      return true;
    });
  }

  /** Evaluates the next part. True when this worker has more to do. */
  step(): Promise<boolean> {
    return this.#write(async (ctx, before, work) => {
      if (work.claimedBy !== this.#name) return false;
      const { run, cursor } = await this.#progress.step(ctx, before, work.cursor);
      if (cursor !== null) {
        await this.#hold(ctx, work, { cursor, attempts: 0 });
        return true;
      }
      await this.#progress.finish(ctx, run);
      await ctx.remove(runWork, work);
      return false;
    });
  }

  /** Releases the run for the next worker. */
  async release(): Promise<void> {
    await this.#write(async (ctx, _run, work) => {
      if (work.claimedBy !== this.#name) return false;
      await ctx.update(runWork, work, { claimedBy: null, claimExpiresAt: null, attempts: 0 });
      return true;
    });
  }

  /**
   * Runs a step in one transaction as the system principal, unless the run is over. All events of a run share a request
   * id.
   */
  #write(step: (ctx: Context, run: EvaluationRun, work: RunWork) => Promise<boolean>): Promise<boolean> {
    const { env, tenantId, runId } = this;
    const facts = { requestId: `run_${this.#name}`, nowMs: env.clock.now(), mountPath: "" };
    return processContext(env, systemPrincipal(tenantId), facts).write(async (inner) => {
      const [run, work] = await Promise.all([inner.db.get(evaluationRuns, runId), inner.db.get(runWork, runId)]);
      return run && work ? step(inner, run.value, work.value) : false;
    });
  }

  async #hold(ctx: Context, work: RunWork, patch: Partial<RunWork>): Promise<void> {
    const claim = { claimedBy: this.#name, claimExpiresAt: timestamp(ctx.request.nowMs + LEASE) };
    await ctx.update(runWork, work, { ...patch, ...claim });
  }
}
