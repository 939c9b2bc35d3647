import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { endDrift } from "../drift/note-drift.js";
import { type AccessDrift, accessDrift } from "../drift/schema.js";
import { afterChunk, continueScan, counted, nextChunk } from "./continue-scan.js";
import { unclearGrants } from "./resolve-unseen.js";
import { concludes, isOfGrant } from "./rules.js";
import type { DriftScanRun } from "./schema.js";

/** Ends differences that a scan would have seen and has not, some at a time. */
export function resolveUnseen(ctx: OutsideContext, run: DriftScanRun): Promise<DriftScanRun> {
  return ctx.write((inner) =>
    continueScan(inner, run, async (scan, lease) => {
      const kinds = concludes(scan);
      const where = { standingOf: scan.connectorInstanceId };
      const found = await inner.db.find(accessDrift, { where, ...nextChunk(run) });
      const unseen: AccessDrift[] = [];
      for (const row of found.rows) {
        const one = await inner.current(accessDrift, row);
        if (one.scanId !== scan.id && kinds.has(one.kind) && one.lastSeenAt < scan.startedAt) unseen.push(one);
      }
      const ofGrants = unseen.filter(({ kind }) => isOfGrant(kind));
      const unclear = await unclearGrants(inner, scan, ofGrants);
      let resolved = 0;
      for (const one of unseen) {
        if (isOfGrant(one.kind) && unclear.has(one.grantKey)) continue;
        await endDrift(inner, one);
        resolved += 1;
      }
      return afterChunk(inner, await counted(inner, scan, { resolved }), run, lease, found);
    }),
  );
}
