import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import { leaseDue } from "#kernel/operation/lease-due.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { report } from "./certification-report.js";
import { type CertificationRun, certificationRuns } from "./schema.js";
import { assignReviewers } from "./work/assign.js";
import { resolveRest } from "./work/cancel.js";
import { settleUndecided } from "./work/close.js";
import { LEASE } from "./work/continue.js";
import { outdateProfile } from "./work/outdate.js";
import { prepare } from "./work/prepare.js";
import { remediate } from "./work/remediate.js";
import { attend } from "./work/review.js";
import { start } from "./work/start.js";

/** The most steps of a tenant in one `tick`. The rest is left to the next one. */
const STEPS = 64;
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 300_000;

type Step = typeof prepare;
const over: Step = async (_ctx, run) => ({ ...run, dueAt: null });

const STEP_OF: Readonly<Record<CertificationRun["phase"], Step>> = {
  preparing: prepare,
  waiting: start,
  assigning: assignReviewers,
  reviewing: attend,
  closing: settleUndecided,
  remediating: remediate,
  reporting: report,
  cancelling: resolveRest,
  outdating: outdateProfile,
  over,
};

/** Goes on with campaigns of a tenant that are due. One process works on each. Returns how many steps were made. */
export async function runCertificationJobs(env: Environment, tenantId: string): Promise<number> {
  let steps = 0;
  while (steps < STEPS) {
    const leased = await lease(env, tenantId);
    if (!leased) break;
    steps += await goOnWith(env, tenantId, leased, STEPS - steps);
  }
  return steps;
}

/** The run that is due first, reserved for this process. */
async function lease(env: Environment, tenantId: string): Promise<CertificationRun | undefined> {
  const ctx = systemContext(env, tenantId, "certification");
  const [leased] = await leaseDue(ctx, certificationRuns, "dueAt", 1, (inner, run) =>
    inner.update(certificationRuns, run, { dueAt: timestamp(inner.request.nowMs + LEASE) }),
  );
  return leased;
}

/** Makes steps until the run waits or fails, or the budget is used up. */
async function goOnWith(env: Environment, tenantId: string, leased: CertificationRun, budget: number) {
  let run = leased;
  for (let steps = 1; ; steps += 1) {
    const ctx = systemContext(env, tenantId, "certification");
    const leaseEnd = timestamp(ctx.request.nowMs + LEASE);
    try {
      run = await STEP_OF[run.phase](ctx, run);
    } catch (error) {
      await settleFailure(env, tenantId, run, error);
      return steps;
    }
    if (run.dueAt !== leaseEnd) return steps;
    if (steps === budget) {
      await pause(env, tenantId, run, 0, 0);
      return steps;
    }
  }
}

async function settleFailure(env: Environment, tenantId: string, run: CertificationRun, error: unknown): Promise<void> {
  if (ReeveError.is(error) && error.code === "concurrent_modification") return;
  const facts = { tenantId, certificationId: run.certificationId, error: String(error) };
  env.logger.warn(facts, "a step of a certification failed");
  const attempts = run.attempts + 1;
  await pause(env, tenantId, run, Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(attempts, 10)), attempts);
}

async function pause(env: Environment, tenantId: string, run: CertificationRun, ms: number, attempts: number) {
  await systemContext(env, tenantId, "certification").write(async (ctx) => {
    const held = await ctx.db.get(certificationRuns, run.id);
    if (held?.value.version !== run.version) return;
    await ctx.update(certificationRuns, held.value, { attempts, dueAt: timestamp(ctx.request.nowMs + ms) });
  });
}
