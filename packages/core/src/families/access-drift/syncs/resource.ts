import { defineResource } from "#families/resource.js";
import { readTargets } from "./last-syncs.js";
import { accessSyncStatus } from "./machine.js";
import { cancelSync, listSyncs, readSync, syncResources } from "./operations.js";
import { accessSyncRuns, accessSyncs } from "./schema.js";

/** Syncs read what targets offer access to. */
export const syncsResource = defineResource({
  collections: [accessSyncs, accessSyncRuns],
  machines: [accessSyncStatus],
  operations: [syncResources, listSyncs, readSync, cancelSync],
  extends: [readTargets],
  aged: [
    {
      kind: "syncs",
      collection: accessSyncs,
      by: "followedAt",
      async also(ctx, { id }) {
        const run = await ctx.db.lookup(accessSyncRuns, "sync", { syncId: id });
        if (run) await ctx.remove(accessSyncRuns, run.value, { event: false });
      },
    },
  ],
});
