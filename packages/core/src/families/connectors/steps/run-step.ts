import { ConnectorError } from "#connectors/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { leaseDue } from "#kernel/operation/lease-due.js";
import { systemContext } from "#kernel/operation/system-context.js";
import type { Collection } from "#kernel/records/collection.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import type { StoredRecord } from "#store/collection.js";
import { jobFailure } from "./step-failure.js";

/** The most steps of a tenant in one `tick`. The rest is left to the next one. */
const STEPS = 64;
/** How long they may take together, in milliseconds. The step under way then is the last one. */
const WORK_MS = 20_000;
/** Attempts at a step before the work fails. */
const ATTEMPTS = 5;
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 300_000;
/** Codes of failures that count as no attempt, and the pause after one. */
const UNTRIED: ReadonlySet<string> = new Set(["kill_switch_active", "storage_unavailable"]);
const PAUSE_UNTRIED = minutesMs(1);
const AGAIN: ReadonlySet<string> = new Set(["transient", "rate_limited", "outcome_unknown"]);

/** How far work has come that calls a connected system step by step. */
export interface StepRun extends StoredRecord {
  /** Failed attempts in a row. */
  readonly attempts: number;
  /** When it is to go on, or the lease of the process that works on it ends; `null` when it waits for nothing. */
  readonly dueAt: string | null;
}

/** One kind of such work. */
export interface SteppedWork<R extends StepRun> {
  /** What the ids of its requests begin with. */
  readonly label: string;
  /** Needs an index by `dueAt`. */
  readonly runs: Collection<R>;
  /** How long a process reserves a run between two writes, in milliseconds. It is longer than a call may take. */
  readonly lease: number;
  /** Begins what has not begun. `false` when the work has ended otherwise. */
  begin(ctx: Context, run: R): Promise<boolean>;
  /** Does the next step, and returns the run after it. Rejects with `ConnectorError` when it cannot be done. */
  step(env: Environment, tenantId: string, run: R): Promise<R>;
  /** Ends the work for good, or until the time that it returns. */
  fail(ctx: Context, run: R, failure: ConnectorError): Promise<unknown>;
}

/** Goes on with the work of a tenant that is due. One process works on each run. Returns how many steps were made. */
export async function runSteps<R extends StepRun>(
  env: Environment,
  tenantId: string,
  work: SteppedWork<R>,
): Promise<number> {
  const tenant = new TenantWork(env, tenantId, work);
  const end = performance.now() + WORK_MS;
  let steps = 0;
  while (steps < STEPS && performance.now() < end) {
    const leased = await tenant.lease();
    if (leased === "none") break;
    steps += leased === "over" ? 1 : await tenant.goOn(leased, STEPS - steps, end);
  }
  return steps;
}

class TenantWork<R extends StepRun> {
  constructor(
    readonly env: Environment,
    readonly tenantId: string,
    readonly work: SteppedWork<R>,
  ) {}

  /** Takes the run that is due first. One whose work has ended by now is over. */
  async lease(): Promise<R | "none" | "over"> {
    const { runs, lease } = this.work;
    const [leased] = await leaseDue(this.#context(), runs, "dueAt", 1, async (ctx, run) => {
      const goesOn = await this.work.begin(ctx, run);
      const dueAt = goesOn ? timestamp(ctx.request.nowMs + lease) : null;
      const held = await ctx.update(runs, run, { dueAt } as Partial<R>, { touch: true });
      return goesOn ? held : "over";
    });
    return leased ?? "none";
  }

  /** Makes steps until the run waits, ends or fails, or the number or the time is used up. Returns how many. */
  async goOn(leased: R, budget: number, end: number): Promise<number> {
    let run = leased;
    for (let steps = 1; ; steps += 1) {
      try {
        run = await this.work.step(this.env, this.tenantId, run);
      } catch (error) {
        await this.#settleFailure(run.id, error);
        return steps;
      }
      if (run.dueAt === null) return steps;
      if (steps === budget || performance.now() >= end) {
        await this.#pause(run, 0, run.attempts);
        return steps;
      }
    }
  }

  async #settleFailure(id: string, error: unknown): Promise<void> {
    if (ReeveError.is(error) && error.code === "concurrent_modification") return;
    const { env, tenantId, work } = this;
    // Pages that were stored before the failure have moved the run on.
    const run = (await this.#context().db.get(work.runs, id))?.value;
    if (!run) return;
    if (!ConnectorError.is(error))
      env.logger.warn({ tenantId, label: work.label, id, error: String(error) }, "a step failed");
    const failure = jobFailure(error);
    if (UNTRIED.has(failure.code ?? "")) return this.#pause(run, PAUSE_UNTRIED, run.attempts);
    const attempts = run.attempts + 1;
    if (!AGAIN.has(failure.errorClass) || attempts >= ATTEMPTS) return this.#fail(run, failure);
    const doubled = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempts - 1));
    await this.#pause(run, failure.retryAfterMs ?? doubled, attempts);
  }

  async #pause(run: R, ms: number, attempts: number): Promise<void> {
    await this.#context().write(async (ctx) => {
      const held = await ctx.db.get(this.work.runs, run.id);
      if (held?.value.version !== run.version) return;
      await ctx.update(this.work.runs, held.value, {
        attempts,
        dueAt: timestamp(ctx.request.nowMs + ms),
      } as Partial<R>);
    });
  }

  async #fail(run: R, failure: ConnectorError): Promise<void> {
    await this.#context().write(async (ctx) => {
      const again = await this.work.fail(ctx, run, failure);
      const held = await ctx.getOrThrow(this.work.runs, run.id);
      await ctx.update(this.work.runs, held, { dueAt: typeof again === "string" ? again : null } as Partial<R>);
    });
  }

  #context() {
    return systemContext(this.env, this.tenantId, this.work.label);
  }
}
