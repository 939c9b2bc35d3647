import { NO_TRAIL } from "#connectors/index.js";
import { type ConnectorInstance, instances } from "#families/connectors/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import { type Context, requireReason } from "#kernel/operation/context.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { accessSyncStatus } from "./machine.js";
import { type AccessSync, accessSyncRuns, accessSyncs, NO_PROGRESS } from "./schema.js";

/** Begins a sync of a target, or returns the one that is under way. No types mean all. */
export async function beginSync(
  ctx: Context,
  instanceId: string,
  types: readonly string[] | undefined,
  { name, metadata = {}, attributes = {} }: Partial<Pick<AccessSync, "name" | "metadata" | "attributes">>,
): Promise<AccessSync> {
  const instance = await ctx.getOrThrow(instances, instanceId);
  const running = await ctx.db.lookup(accessSyncs, "running", { runningFor: instance.id });
  if (running) return running.value;
  const resourceTypes = typesOf(ctx, instance, types);
  const [last] = (await ctx.db.find(accessSyncs, { where: { connectorInstanceId: instance.id }, size: 1 })).rows;
  if (last) await ctx.update(accessSyncs, last.value, { followedAt: ctx.now }, { event: false, stamp: false });
  const { id, version: _first, ...marks } = ctx.stamp(accessSyncs);
  const sync = await ctx.insert(accessSyncs, {
    id,
    ...marks,
    name: name ?? nameOf(`Sync of ${instance.name}`),
    status: "running",
    metadata,
    attributes,
    connectorInstanceId: instance.id,
    perType: resourceTypes.map((resourceType) => ({ resourceType, ...NO_PROGRESS })),
    anomaly: null,
    failure: null,
    acceptedBy: null,
    startedAt: ctx.now,
    endedAt: null,
    followedAt: null,
  });
  await ctx.insert(accessSyncRuns, {
    syncId: id,
    phase: "resources",
    type: 0,
    cursor: null,
    trail: NO_TRAIL,
    resource: null,
    profilesWhole: true,
    accepted: false,
    attempts: 0,
    dueAt: ctx.now,
  });
  return sync;
}

/** The types to read. 409 for an instance that is not called or lists nothing, 400 for a type that it has not. */
function typesOf({ env }: Context, instance: ConnectorInstance, wanted: readonly string[] | undefined): string[] {
  if (instance.status !== "active")
    throw transitionRefused(`The target is ${instance.status}. Only active ones are read.`, {
      current: instance.status,
    });
  const connector = env.connectors.get(instance.providerKey);
  const known = (connector?.manifest.resourceTypes ?? []).map(({ type }) => type);
  if (!connector?.listResources || known.length === 0)
    throw new ReeveError("capability_missing", "Its connector lists no resources.");
  const unknown = wanted?.find((type) => !known.includes(type));
  if (unknown === undefined) return [...new Set(wanted ?? known)];
  const message = `The target has the types ${known.join(", ")}.`;
  throw new ReeveError("invalid_parameter", undefined, {
    errors: [{ parameter: "resourceType", code: "invalid_parameter", message }],
  });
}

/** Goes on with exactly this sync, whose missing resources somebody accepts. 409 when another one came after it. */
export async function acceptAnomaly(ctx: Context, instanceId: string, syncId: string, reason: string | undefined) {
  const row = await ctx.db.get(accessSyncs, syncId);
  if (row?.value.connectorInstanceId !== instanceId)
    throw new ReeveError("invalid_reference", undefined, {
      errors: [{ pointer: "/acceptAnomalyRunId", code: "invalid_reference", message: "There is no such sync." }],
    });
  requireReason(reason);
  const { rows } = await ctx.db.find(accessSyncs, { where: { connectorInstanceId: instanceId }, size: 1 });
  if (rows[0]?.id !== syncId) throw new ReeveError("plan_changed", "The target was read again after that.");
  const run = (await ctx.db.lookup(accessSyncRuns, "sync", { syncId }))?.value;
  if (!run) throw new ReeveError("plan_changed");
  const sync = row.value;
  if (sync.status === "running" && run.accepted) return sync;
  const patch = { acceptedBy: ctx.principal.userId, endedAt: null };
  const going = await ctx.transition(accessSyncs, accessSyncStatus, sync, { event: "accept" }, { reason, patch });
  await ctx.update(accessSyncRuns, run, { accepted: true, attempts: 0, dueAt: ctx.now });
  return going;
}
