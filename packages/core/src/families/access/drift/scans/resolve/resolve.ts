import type { OutsideContext } from "../../../../../kernel/operation/outside-context.js";
import { endDrift } from "../../note/note.js";
import { accessDrift } from "../../schema.js";
import { concludes } from "../rules.js";
import type { DriftScanRun } from "../schema.js";
import { afterChunk, continueScan, counted, nextChunk } from "../step/continue.js";

/** Ends differences that a scan would have seen and has not, some at a time. */
export function resolveUnseen(ctx: OutsideContext, run: DriftScanRun): Promise<DriftScanRun> {
  return ctx.write((inner) =>
    continueScan(inner, run, async (scan, lease) => {
      const kinds = concludes(scan);
      const where = { standingOf: scan.connectorInstanceId };
      const found = await inner.db.find(accessDrift, { where, ...nextChunk(run) });
      let resolved = 0;
      for (const row of found.rows) {
        const one = await inner.current(accessDrift, row);
        if (one.scanId === scan.id || !kinds.has(one.kind) || one.lastSeenAt >= scan.startedAt) continue;
        await endDrift(inner, one);
        resolved += 1;
      }
      return afterChunk(inner, await counted(inner, scan, { resolved }), run, lease, found);
    }),
  );
}
