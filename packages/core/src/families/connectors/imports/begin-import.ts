import { NO_TRAIL } from "#connectors/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { type ConnectorInstance, instances } from "../instances/schema.js";
import type { readImportBody } from "./begin-body.js";
import { endWaiting } from "./forget-assets.js";
import { EMPTY_PLAN } from "./plan/digest.js";
import { type ConnectorImport, connectorImportRuns, connectorImports, NO_COUNTS } from "./schema.js";

type Given = ReturnType<typeof readImportBody> & Pick<ConnectorImport, "mode">;

/** Begins an import of an instance, or returns the one that is under way. A plan that waits is superseded. */
export async function beginImport(ctx: Context, instanceId: string, given: Given): Promise<ConnectorImport> {
  const instance = await ctx.getForUpdate(instances, instanceId);
  const running = await ctx.db.lookup(connectorImports, "running", { runningFor: instance.id });
  if (running) return running.value;
  requireDiscovery(ctx, instance);
  await endWaiting(ctx, instance.id, { event: "supersede", reason: "A later import was begun." });
  await ctx.update(instances, instance, { lastImportAt: ctx.now }, { event: false, copy: true, touch: true });
  const { id, version: _first, ...marks } = ctx.stamp(connectorImports);
  const job = await ctx.insert(connectorImports, {
    id,
    ...marks,
    name: given.name ?? nameOf(`Import of ${instance.name}`),
    status: "queued",
    metadata: given.metadata,
    connectorInstanceId: instance.id,
    mode: given.mode,
    assetTypes: given.assetTypes,
    planHash: null,
    counts: NO_COUNTS,
    complete: false,
    incompleteBecause: [],
    leftOut: [],
    anomaly: null,
    done: 0,
    failed: 0,
    failure: null,
    expiresAt: null,
    confirmedBy: null,
    confirmedAt: null,
    startedAt: null,
    endedAt: null,
    attributes: given.attributes,
  });
  await ctx.insert(connectorImportRuns, {
    importId: id,
    phase: "listing",
    cursor: null,
    trail: NO_TRAIL,
    target: null,
    digest: EMPTY_PLAN,
    configurationVersion: instance.configurationVersion,
    known: 0,
    retired: 0,
    selection: "create_only",
    exclude: [],
    allowRetire: false,
    attempts: 0,
    dueAt: ctx.now,
  });
  return job;
}

/** 409 for an instance that is not called, or whose connector finds no assets. */
function requireDiscovery({ env }: Context, { status, providerKey }: ConnectorInstance): void {
  if (status !== "active")
    throw transitionRefused(`The instance is ${status}. Only active ones are read.`, { current: status });
  if (!env.connectors.get(providerKey)?.discoverAssets)
    throw new ReeveError("capability_missing", "Its connector finds no assets.");
}
