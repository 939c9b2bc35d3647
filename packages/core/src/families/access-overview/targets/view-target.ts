import { type AccessTarget, accessResources, notRequestable, PROVISION } from "#families/access/index.js";
import {
  type AccessSchedule,
  type AccessSync,
  accessDrift,
  accessSchedules,
  comparedTargets,
  lastSyncs,
  staleAfterSeconds,
  syncStatusOf,
} from "#families/access-drift/index.js";
import { accessAssignments } from "#families/access-grants/index.js";
import type { ConnectorInstance } from "#families/connectors/index.js";
import { engagedSwitchesOf } from "#families/estate/index.js";
import { batched } from "#kernel/async/batched.js";
import { countsNow } from "#kernel/operation/numbers.js";
import type { ReadContext } from "#kernel/operation/read-context.js";

/** Shows connections as targets, with a few queries for all that are asked for at once. */
export async function targetView(ctx: ReadContext): Promise<(instance: ConnectorInstance) => Promise<AccessTarget>> {
  const [engaged, resources, assignments, drift] = await Promise.all([
    engagedSwitchesOf(ctx),
    countsNow(ctx, accessResources, "standing"),
    countsNow(ctx, accessAssignments, "liveOf"),
    countsNow(ctx, accessDrift, "openOf"),
  ]);
  const counts = activeByInstance(resources);
  const lastSync = batched<string, AccessSync>((ids) => lastSyncs(ctx, ids));
  const planned = batched<string, AccessSchedule>(async (ids) => {
    const keys = ids.map((connectorInstanceId) => ({ connectorInstanceId }));
    const found = await ctx.db.lookupMany(accessSchedules, "instance", keys);
    return new Map(found.flatMap((row) => (row ? [[row.value.connectorInstanceId, row.value] as const] : [])));
  });
  const isCompared = batched<string, boolean>(async (ids) => {
    const compared = await comparedTargets(ctx, ids);
    return new Map(ids.map((id) => [id, compared.has(id)] as const));
  });
  return async (instance) => {
    const { id } = instance;
    const [sync, compared, next] = await Promise.all([lastSync(id), isCompared(id), planned(id)]);
    const open = drift.get(instance.id) ?? 0;
    const capabilities = ctx.env.connectors.get(instance.providerKey)?.manifest.capabilities ?? [];
    const syncStatus = sync ? syncStatusOf(sync) : "never";
    const frozen = engaged.has(PROVISION);
    const reason = notRequestable(instance, { frozen, capabilities, sync: syncStatus });
    const { id: connectorInstanceId, name, providerKey, environment, ownerIds, governanceMode, health } = instance;
    return {
      ...{ connectorInstanceId, name, providerKey, environment, ownerIds, governanceMode },
      capabilities: [...capabilities],
      health,
      syncStatus,
      lastSyncAt: sync?.startedAt ?? null,
      nextSyncAt: next?.syncAt ?? null,
      nextDriftScanAt: next?.driftScanAt ?? null,
      staleAfterSeconds: staleAfterSeconds(instance),
      resourceCounts: counts.get(instance.id) ?? {},
      assignmentCount: assignments.get(instance.id) ?? 0,
      openDrift: open > 0 || compared ? open : null,
      requestable: reason === undefined,
      notRequestableReason: reason ?? null,
    };
  };
}

function activeByInstance(standings: ReadonlyMap<string, number>): Map<string, Record<string, number>> {
  const counts = new Map<string, Record<string, number>>();
  for (const [standing, count] of standings) {
    const [instanceId = "", status, ...type] = standing.split(" ");
    if (status !== "active" || count === 0) continue;
    counts.set(instanceId, { ...counts.get(instanceId), [type.join(" ")]: count });
  }
  return counts;
}
