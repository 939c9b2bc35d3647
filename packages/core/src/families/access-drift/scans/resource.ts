import { defineResource } from "#families/resource.js";
import { driftScanStatus } from "./machine.js";
import { listScans, readScan, scanForDrift } from "./operations.js";
import { accessDriftScanRuns, accessDriftScans } from "./schema.js";

/** Scans compare the access in a target with assignments, in steps. */
export const scansResource = defineResource({
  collections: [accessDriftScans, accessDriftScanRuns],
  machines: [driftScanStatus],
  operations: [scanForDrift, listScans, readScan],
  aged: [
    {
      kind: "driftScans",
      collection: accessDriftScans,
      by: "followedAt",
      async also(ctx, { id }) {
        const run = await ctx.db.lookup(accessDriftScanRuns, "scan", { scanId: id });
        if (run) await ctx.remove(accessDriftScanRuns, run.value, { event: false });
      },
    },
  ],
});
