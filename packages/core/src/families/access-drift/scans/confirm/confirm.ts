import type { VerifyResult } from "#connectors/index.js";
import { type AccessAssignment, accessAssignments, believedOf, holdingOf } from "#families/access-grants/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { confirmDrift, endDrift } from "../../drift/note-drift.js";
import { contradicts, isAskable } from "../../drift/rules.js";
import { type AccessDrift, accessDrift, type DriftKind } from "../../drift/schema.js";
import { afterChunk, continueScan, counted, nextChunk } from "../continue-scan.js";
import type { ScanTarget } from "../grants/grants.js";
import { accessDriftScans, type DriftScanRun } from "../schema.js";
import { lookAtEach, lookAtGrant } from "./look.js";

/** Differences that one step asks about. */
const SOME = 40;

/** What a second look makes of a difference. */
export type Verdict = "confirm" | "dismiss" | "wait";

type Answer = Pick<VerifyResult, "presence" | "authoritative">;

/**
 * What a second look makes of a difference. Only the target itself settles it at once; otherwise a second scan has to
 * see it too.
 */
export function verdictOn(one: Pick<AccessDrift, "kind" | "recurrence">, answer: Answer | undefined): Verdict {
  if (answer?.presence === "unknown") return "wait";
  if (answer?.authoritative) return contradicts(one.kind, answer.presence) ? "dismiss" : "confirm";
  return one.recurrence > 1 ? "confirm" : "wait";
}

/** Looks again at what is suspected of a target, some at a time. */
export async function confirmSuspected(
  ctx: OutsideContext,
  run: DriftScanRun,
  { instanceId, connector }: ScanTarget,
): Promise<DriftScanRun> {
  const scan = await ctx.getOrThrow(accessDriftScans, run.scanId);
  const where = { suspectedOf: scan.connectorInstanceId };
  const found = await ctx.db.find(accessDrift, { where, ...nextChunk(run, SOME) });
  const seen = found.rows.map(({ value }) => value).filter(({ scanId }) => scanId === scan.id);
  const askable = connector.verify ? seen.filter(({ kind }) => isAskable(kind)) : [];
  const answers = await lookAtEach(askable, (one) => lookAtGrant(ctx, instanceId, one.id, one));
  const answerOf = new Map(askable.map(({ id }, at) => [id, answers[at]]));
  return ctx.write((inner) =>
    continueScan(inner, run, async (now, lease) => {
      const counts = { confirmed: 0, dismissed: 0 };
      for (const { id } of seen) {
        const verdict = await settle(inner, id, answerOf.get(id));
        if (verdict === "confirm") counts.confirmed += 1;
        if (verdict === "dismiss") counts.dismissed += 1;
      }
      return afterChunk(inner, await counted(inner, now, counts), run, lease, found);
    }),
  );
}

const SEEN: Readonly<Partial<Record<DriftKind, AccessAssignment["targetState"]>>> = {
  missing_in_target: "absent",
  over_privileged: "mismatch",
  under_privileged: "mismatch",
};

/** An assignment shows what was last seen of it. */
async function showOnAssignment(ctx: Context, { kind, assignmentId }: AccessDrift): Promise<void> {
  const targetState = SEEN[kind];
  const row = assignmentId === null || !targetState ? undefined : await ctx.db.get(accessAssignments, assignmentId);
  if (!row || !targetState || !holdingOf(row.value)) return;
  const seen = { targetState, observedAt: ctx.now, observedBy: "sync" } as const;
  await ctx.update(accessAssignments, row.value, seen, { event: false, stamp: false, involves: false });
}

async function settle(ctx: Context, id: string, answer: Answer | undefined): Promise<Verdict> {
  const one = await ctx.getOrThrow(accessDrift, id);
  if (one.status !== "suspected") return "wait";
  const verdict = verdictOn(one, answer && { ...answer, presence: await believedOf(ctx, one, answer.presence) });
  if (verdict === "confirm") {
    await confirmDrift(ctx, one);
    await showOnAssignment(ctx, one);
  }
  if (verdict === "dismiss") await endDrift(ctx, one);
  return verdict;
}
