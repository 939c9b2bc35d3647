import {
  type Circumstances,
  changeFindings,
  closedBecause,
  type Finding,
  type FindingChange,
  type FindingVerb,
  findingAt,
  findings,
  notSeen,
  OpenChanges,
  opened,
  openFindings,
  seenAbsent,
  seenAgain,
  verbOf,
} from "#families/findings/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import type { Context } from "#kernel/operation/context.js";
import { daysMs } from "#ports/durations.js";
import type { RunCounts } from "../fields.js";
import type { PairChange } from "../judge/pair.js";

type FindingCounts = Pick<
  RunCounts,
  "created" | "updated" | "reopened" | "refuted" | "resolved" | "exempted" | "voided" | "closed"
>;

/** The planned changes of findings, before any is stored. */
export interface FindingPlan {
  readonly opened: readonly Finding[];
  readonly changes: readonly FindingChange[];
  readonly counts: FindingCounts;
  /** For each changed pair with findings, the ids of those that are present or unknown. */
  readonly standing: ReadonlyMap<PairChange, string[]>;
}

/** Plans the changes of findings from evaluated pairs. Only findings of these pairs are read. */
export async function planFindings(
  ctx: Context,
  pairs: readonly PairChange[],
  circumstances: Circumstances,
  touchAll: boolean,
): Promise<FindingPlan> {
  const held = await findingsOf(ctx, pairs);
  const detected = new Set(pairs.flatMap((pair) => [...pair.detected.keys()]));
  const plan = {
    opened: [] as Finding[],
    changes: [] as FindingChange[],
    counts: { created: 0, updated: 0, reopened: 0, refuted: 0, resolved: 0, exempted: 0, voided: 0, closed: 0 },
    standing: new Map<PairChange, string[]>(),
  };
  const change = (before: Finding, patch: FindingChange["patch"], known?: FindingVerb) => {
    if (Object.keys(patch).length === 0) return;
    const verb = known ?? verbOf(before, findingAt({ ...before, ...patch }, ctx.now), ctx.now);
    if (verb !== "touched") plan.counts[verb] += 1;
    else if (
      !touchAll &&
      !patch.covers &&
      Date.parse(ctx.now) - Date.parse(before.lastSeenAt) < daysMs(1) &&
      !isAskedFor(before)
    )
      return;
    plan.changes.push({ before, patch });
  };
  for (const pair of pairs) {
    // Most pairs have found nothing, now or before.
    if (pair.detected.size === 0 && !pair.before?.findingIds.length) continue;
    const standing: string[] = [];
    for (const [fingerprint, found] of pair.detected) {
      const before = held.byPrint.get(fingerprint);
      const finding = before ?? opened(ctx.stamp(findings), found, circumstances, fingerprint);
      standing.push(finding.id);
      if (before) {
        const { next, verb } = seenAgain(before, found, circumstances);
        change(before, next, verb);
      } else {
        plan.opened.push(finding);
        plan.counts.created += 1;
      }
    }
    for (const id of pair.before?.findingIds ?? []) {
      const before = held.byId.get(id);
      // A finding that another policy with the same key has taken over belongs to that policy.
      if (!before || detected.has(before.fingerprint) || before.policyId !== pair.policyId) continue;
      const status = pair.after ? pair.statusWhenAbsent(before) : "gone";
      if (status === "gone") change(before, closedBecause(before, pair.closing, circumstances));
      else if (status === "absent") change(before, seenAbsent(before, circumstances));
      else {
        change(before, { ...notSeen(before, circumstances), reevaluationRequestedAt: null });
        standing.push(id);
      }
    }
    plan.standing.set(pair, standing);
  }
  return plan;
}

const isAskedFor = ({ reevaluationRequestedAt, stale }: Finding) => reevaluationRequestedAt !== null || stale;

/** Stores the plan within the transaction. Returns how the numbers of open findings change. */
export async function storeFindings(ctx: Context, plan: FindingPlan, runId: string): Promise<OpenChanges> {
  const counted = new OpenChanges();
  await openFindings(ctx, plan.opened, counted);
  await changeFindings(ctx, plan.changes, { evaluationRunId: runId }, counted);
  return counted;
}

/** The earlier findings of pairs, and the stored findings of what was detected now. */
async function findingsOf(ctx: Context, pairs: readonly PairChange[]) {
  const ids = pairs.flatMap(({ before }) => before?.findingIds ?? []);
  const held = (await inChunks(ids, (some) => ctx.db.getMany<Finding>(findings, some))).map(({ value }) => value);
  const byPrint = new Map(held.map((finding) => [finding.fingerprint, finding]));
  const wanted = pairs.flatMap(({ detected }) => [...detected.keys()]).filter((print) => !byPrint.has(print));
  const found = await inChunks(wanted, (some) => {
    const keys = some.map((fingerprint) => ({ fingerprint }));
    return ctx.db.lookupMany(findings, "fingerprint", keys);
  });
  for (const row of found) if (row) byPrint.set(row.value.fingerprint, row.value);
  return { byId: new Map(held.map((finding) => [finding.id, finding])), byPrint };
}
