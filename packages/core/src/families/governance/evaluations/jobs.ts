import { changeFindings, type Finding, findings } from "#families/findings/index.js";
import type { Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import { type Due, dueBy, NEVER } from "#kernel/operation/dues.js";
import { isQuiet } from "#kernel/operation/first-dues.js";
import { dropAged, dueByAge } from "#kernel/operation/retention.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { hoursMs } from "#ports/durations.js";
import type { Reader } from "#store/store.js";
import { policies } from "../policies/schema.js";
import { EVERYTHING } from "./fields.js";
import { queueRun } from "./run/start.js";
import { workOn } from "./run/work.js";
import { equalityKey, evaluationRuns } from "./schema.js";

/** How long one `tick` works on the runs of a tenant, in milliseconds. The next one continues. */
const WORK_MS = 10_000;
const MOST_ASKED = 200;

/** When runs are to be queued or continued. */
export const evaluationDues: readonly Due[] = [
  dueBy(evaluationRuns, "createdAt", { where: { active: true } }),
  dueByAge("evaluationRuns", evaluationRuns, "finishedAt"),
  dueBy(findings, "reevaluationRequestedAt"),
  { watches: [policies], next: (_env, reader, now) => nextScheduled(reader, now) },
];

/** Drops old runs, queues due ones and continues waiting ones. Returns how many it worked on. */
export async function runEvaluationJobs(env: Environment, tenantId: string): Promise<number> {
  const reader = env.store.forTenant(tenantId);
  const old = { kind: "evaluationRuns", collection: evaluationRuns, by: "finishedAt" } as const;
  const dropped = await dropAged(env, tenantId, old);
  await queueDue(env, tenantId, reader);
  const active = { where: { active: true }, by: "createdAt", through: NEVER };
  if (isQuiet(env, tenantId, evaluationRuns, active)) return dropped;
  const end = performance.now() + WORK_MS;
  let done = 0;
  const { rows } = await reader.find(evaluationRuns, {
    where: { active: true },
    order: { direction: "asc" },
    size: 100,
  });
  for (const { id } of rows) {
    const left = end - performance.now();
    if (left <= 0) break;
    await workOn(env, tenantId, id, left);
    done += 1;
  }
  return done + dropped;
}

/**
 * Queues a run over everything when the last one was long ago, and one over assets whose re-evaluation was requested.
 */
async function queueDue(env: Environment, tenantId: string, reader: Reader): Promise<void> {
  const nowMs = env.clock.now();
  const nobodyAsks = isQuiet(env, tenantId, findings, { by: "reevaluationRequestedAt", through: NEVER });
  const { asked, futile } = nobodyAsks ? NOBODY : await askedFor(reader);
  const isDue = await isScheduleDue(reader, nowMs);
  if (asked.length + futile.length === 0 && !isDue) return;
  await systemContext(env, tenantId, "tick").write(async (inner) => {
    await takeBack(inner, futile);
    if (asked.length > 0) await queueUnlessWaiting(inner, "request", { ...EVERYTHING, assetIds: asked });
    if (isDue) await queueUnlessWaiting(inner, "schedule", EVERYTHING);
  });
}

async function queueUnlessWaiting(ctx: Context, trigger: "request" | "schedule", scope: typeof EVERYTHING) {
  const mode = trigger === "request" ? "full" : "incremental";
  const waiting = equalityKey({ trigger, scope, mode, dryRun: false });
  if (await ctx.db.lookup(evaluationRuns, "waiting", { waiting })) return;
  await queueRun(ctx, trigger, { mode, scope });
}

/** No evaluation looks at findings of no policy. Older versions let their claims ask for one. */
const isFutile = ({ policyId, reevaluationRequestedAt }: Finding) =>
  policyId === null && reevaluationRequestedAt !== null;

/** Assets with findings whose re-evaluation was requested, and ids of the findings that asked in vain. */
interface Asked {
  readonly asked: string[];
  readonly futile: string[];
}

const NOBODY: Asked = { asked: [], futile: [] };

async function askedFor(reader: Reader): Promise<Asked> {
  const order = { by: "reevaluationRequestedAt", direction: "asc" } as const;
  const { rows } = await reader.find(findings, { order, range: { from: timestamp(0) }, size: MOST_ASKED });
  const found: Finding[] = rows.map(({ value }) => value);
  const asked = found.filter((finding) => !isFutile(finding)).map(({ assetId }) => assetId);
  return { asked: [...new Set(asked)].sort(), futile: found.filter(isFutile).map(({ id }) => id) };
}

/** Takes back requests that no run answers, as they would be due for ever. */
async function takeBack(ctx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const held: Finding[] = (await ctx.db.getMany(findings, ids)).map(({ value }) => value);
  const changes = held.filter(isFutile).map((before) => ({ before, patch: { reevaluationRequestedAt: null } }));
  await changeFindings(ctx, changes);
}

/** Whether any policy is evaluated and the last scheduled run began at least an hour ago. */
async function isScheduleDue(reader: Reader, nowMs: number): Promise<boolean> {
  const now = timestamp(nowMs);
  return ((await nextScheduled(reader, now)) ?? "~") <= now;
}

/** When the next run is to be queued: an hour after the last one. `null` when no policy is evaluated. */
async function nextScheduled(reader: Reader, now: string): Promise<string | null> {
  const one = { size: 1 } as const;
  const [{ rows: some }, { rows: last }] = await Promise.all([
    reader.find(policies, { where: { kind: "posture", evaluated: true }, ...one }),
    reader.find(evaluationRuns, { where: { trigger: "schedule" }, ...one }),
  ]);
  if (some.length === 0) return null;
  const latest = last[0]?.value.createdAt;
  return latest === undefined ? now : timestamp(Date.parse(latest) + hoursMs(1));
}
