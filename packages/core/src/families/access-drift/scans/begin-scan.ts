import { NO_TRAIL } from "#connectors/index.js";
import { instances } from "#families/connectors/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import { type Context, requireReason } from "#kernel/operation/context.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { driftScanStatus } from "./machine.js";
import { coverageOf, firstPhase, kindsOf } from "./rules.js";
import { type AccessDriftScan, accessDriftScanRuns, accessDriftScans, NOTHING_YET } from "./schema.js";

/** Begins a scan of a target, or returns the one that is under way. 409 for a target that is not called. */
export async function beginScan(
  ctx: Context,
  instanceId: string,
  { name, metadata = {}, attributes = {} }: Partial<Pick<AccessDriftScan, "name" | "metadata" | "attributes">>,
): Promise<AccessDriftScan> {
  const instance = await ctx.getOrThrow(instances, instanceId);
  const running = await ctx.db.lookup(accessDriftScans, "running", { runningFor: instance.id });
  if (running) return running.value;
  if (instance.status !== "active")
    throw transitionRefused(`The target is ${instance.status}. Only active ones are read.`, {
      current: instance.status,
    });
  const manifest = ctx.env.connectors.get(instance.providerKey)?.manifest;
  const able = { capabilities: manifest?.capabilities ?? [], ...(manifest?.expiry ? { expiry: manifest.expiry } : {}) };
  const coverage = coverageOf(able.capabilities);
  const [last] = (await ctx.db.find(accessDriftScans, { where: { connectorInstanceId: instance.id }, size: 1 })).rows;
  if (last) await ctx.update(accessDriftScans, last.value, { followedAt: ctx.now }, { event: false, stamp: false });
  const { id, version: _first, ...marks } = ctx.stamp(accessDriftScans);
  const scan = await ctx.insert(accessDriftScans, {
    id,
    ...marks,
    ...{ name: name ?? nameOf(`Drift of ${instance.name}`), status: "running", metadata, attributes },
    ...{ connectorInstanceId: instance.id, coverage, kinds: kindsOf(able) },
    ...{ complete: false, incompleteBecause: [], leftOut: [], credentialsComplete: null },
    ...{ counts: { ...NOTHING_YET }, anomaly: null, failure: null, acceptedBy: null },
    ...{ startedAt: ctx.now, endedAt: null, followedAt: null },
  });
  await ctx.insert(accessDriftScanRuns, {
    ...{
      scanId: id,
      phase: firstPhase(coverage),
      cursor: null,
      trail: NO_TRAIL,
      accepted: false,
      attempts: 0,
      dueAt: ctx.now,
    },
  });
  return scan;
}

/** Goes on with exactly this scan, whose missing grants somebody accepts. 409 when another one came after it. */
export async function acceptScan(ctx: Context, instanceId: string, scanId: string, reason: string | undefined) {
  const row = await ctx.db.get(accessDriftScans, scanId);
  if (row?.value.connectorInstanceId !== instanceId)
    throw new ReeveError("invalid_reference", undefined, {
      errors: [{ pointer: "/acceptAnomalyRunId", code: "invalid_reference", message: "There is no such scan." }],
    });
  requireReason(reason);
  const { rows } = await ctx.db.find(accessDriftScans, { where: { connectorInstanceId: instanceId }, size: 1 });
  if (rows[0]?.id !== scanId) throw new ReeveError("plan_changed", "The target was scanned again after that.");
  const run = (await ctx.db.lookup(accessDriftScanRuns, "scan", { scanId }))?.value;
  if (!run) throw new ReeveError("plan_changed");
  const scan = row.value;
  if (scan.status === "running" && run.accepted) return scan;
  const patch = { acceptedBy: ctx.principal.userId, endedAt: null };
  const going = await ctx.transition(accessDriftScans, driftScanStatus, scan, { event: "accept" }, { reason, patch });
  await ctx.update(accessDriftScanRuns, run, { accepted: true, attempts: 0, dueAt: ctx.now });
  return going;
}
