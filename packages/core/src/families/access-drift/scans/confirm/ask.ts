import { accessReconciliations, believed, noteHidden, noteShown } from "#families/access-grants/index.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { type DriftObservation, noteDrift, observationOf } from "../../drift/note-drift.js";
import { afterChunk, continueScan, counted, nextChunk } from "../continue-scan.js";
import type { ScanTarget } from "../grants/grants.js";
import { holdersNow } from "../grants/match.js";
import { accessDriftScans, type DriftScanRun } from "../schema.js";
import { lookAtEach, lookAtGrant } from "./look.js";

/** Grants that one step asks for. */
const SOME = 40;

const KINDS = { absent: "missing_in_target", mismatch: "over_privileged" } as const;

/** Asks a target that lists no grants for each that should be there, some at a time. */
export async function ask(ctx: OutsideContext, run: DriftScanRun, { instanceId }: ScanTarget): Promise<DriftScanRun> {
  const scan = await ctx.getOrThrow(accessDriftScans, run.scanId);
  const where = { connectorInstanceId: scan.connectorInstanceId };
  const found = await ctx.db.find(accessReconciliations, { where, ...nextChunk(run, SOME) });
  const idle = found.rows.map(({ value }) => value).filter((reconciliation) => reconciliation.phase === "idle");
  const before = await holdersNow(
    ctx,
    idle.map(({ grantKey }) => grantKey),
  );
  const reconciliations = idle.filter(({ grantKey }) => before.has(grantKey));
  const answers = await lookAtEach(reconciliations, (reconciliation) =>
    lookAtGrant(ctx, instanceId, run.scanId, reconciliation),
  );
  return ctx.write((inner) =>
    continueScan(inner, run, async (now, lease) => {
      // Who holds a grant may have changed while the target was asked.
      const rows = await inner.db.getMany(
        accessReconciliations,
        reconciliations.map(({ id }) => id),
      );
      const current = new Map(rows.map(({ value }) => [value.id, value]));
      const holders = await holdersNow(
        inner,
        reconciliations.map(({ grantKey }) => grantKey),
      );
      const reported = reconciliations.flatMap(({ id, fence, settledUntil }, at) => {
        const [reconciliation, answer] = [current.get(id), answers[at]];
        if (reconciliation?.fence !== fence || !answer) return [];
        const isOld = !answer.authoritative && (settledUntil ?? "") > inner.now;
        return isOld ? [] : [{ reconciliation, answer }];
      });
      const observations: DriftObservation[] = [];
      let unknown = 0;
      for (const { reconciliation, answer } of reported) {
        const presence = await believed(inner, reconciliation, answer.presence);
        const [holder] = holders.get(reconciliation.grantKey) ?? [];
        const seen =
          presence === "unknown"
            ? reconciliation
            : await inner.update(accessReconciliations, reconciliation, { listedBy: now.id });
        if (presence === "present") await noteShown(inner, seen, "sync");
        else if (presence === "unknown") unknown += 1;
        else if (holder) observations.push(observationOf(holder, KINDS[presence], { certain: answer.authoritative }));
        if (presence === "unknown" && holder) await noteHidden(inner, seen, "sync");
      }
      const noted = await noteDrift(inner, observations, { scanId: now.id, detectedBy: "scan" });
      const missing = observations.filter(({ kind }) => kind === "missing_in_target").length;
      const unanswered = answers.filter((answer) => answer === undefined).length;
      const more = { known: reconciliations.length, missing, found: noted.length, unanswered, unknown };
      return afterChunk(inner, await counted(inner, now, more), run, lease, found);
    }),
  );
}
