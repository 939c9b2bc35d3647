import { accessResources } from "#families/access/index.js";
import { instances } from "#families/connectors/index.js";
import { defineFollower } from "#kernel/operation/area.js";
import type { Context } from "#kernel/operation/context.js";
import { endingOf, holdingOf } from "../../assignments/rules.js";
import { type AccessAssignment, accessAssignments } from "../../assignments/schema.js";
import { accessLanes, NEW_LANE } from "../schema.js";
import { connectorOf } from "../work/propagation.js";

/** The most lanes that are woken at once. The others look for themselves within an hour. */
const WOKEN = 500;

const later = (one: string, other: string) => (one > other ? one : other);

/** What of an assignment its lane depends on. */
const concernOf = (one: AccessAssignment | undefined): string =>
  one ? JSON.stringify([holdingOf(one), one.previousGrantKey, one.notBefore]) : "";

/** Has the lanes of an assignment look at it again, in the transaction of its change. */
export const wakeLanes = defineFollower(accessAssignments, async (ctx, { before, after }) => {
  const extended = before?.status === "active" && after?.status === "active" && before.expiresAt !== after.expiresAt;
  if (!after || (concernOf(before) === concernOf(after) && !extended)) return;
  const own = holdingOf(after) ?? endingOf(after);
  if (own && extended) await renewAssignment(ctx, after);
  else if (own) await wakeAssignment(ctx, after, holdingOf(after) ? later(ctx.now, after.notBefore) : undefined);
  const others = new Set([before?.previousGrantKey, after.previousGrantKey, before && holdingOf(before)]);
  for (const grantKey of others) if (grantKey && grantKey !== own) await wakeLane(ctx, grantKey, undefined);
});

/** Has the lane of an assignment look at it again, at once or from `at` on. Its first assignment makes the lane. */
export async function wakeAssignment(ctx: Context, assignment: AccessAssignment, at?: string): Promise<void> {
  if (await wakeLane(ctx, assignment.grantKey, at, assignment.id)) return;
  const { grantKey, connectorInstanceId, resourceId, resource, profileExternalId, principal, parameters } = assignment;
  await ctx.insert(accessLanes, {
    ...{
      assignmentId: assignment.id,
      grantKey,
      connectorInstanceId,
      resourceId,
      resource,
      profileExternalId,
      principal,
      parameters,
    },
    ...NEW_LANE,
    ...{ wanted: "present", targetState: "unknown", observedAt: null, preExisting: false },
    dueAt: at ?? ctx.now,
  });
}

/** Has the target of an assignment set its end anew. Only a target that keeps ends itself is asked to. */
export async function renewAssignment(ctx: Context, assignment: AccessAssignment): Promise<void> {
  await wakeAssignment(ctx, assignment, later(ctx.now, assignment.notBefore));
  const lane = (await ctx.db.lookup(accessLanes, "grant", { grantKey: assignment.grantKey }))?.value;
  if (lane && (await connectorOf(ctx, lane))?.manifest.expiry === "native")
    await ctx.update(accessLanes, lane, { renew: true });
}

/**
 * Wakes a lane, for what holds its grant from `at` on, or at once for what leaves it. One that a process works on looks
 * again by itself when it has finished.
 */
export async function wakeLane(
  ctx: Context,
  grantKey: string,
  at: string | undefined,
  forId?: string,
): Promise<boolean> {
  const lane = (await ctx.db.lookup(accessLanes, "grant", { grantKey }))?.value;
  if (!lane) return false;
  const told = { asked: lane.asked + 1, assignmentId: forId ?? lane.assignmentId };
  if (lane.phase === "working" || (lane.phase === "external" && at !== undefined)) {
    await ctx.update(accessLanes, lane, told);
    return true;
  }
  const dueAt = at === undefined ? ctx.now : lane.dueAt !== null && lane.dueAt < at ? lane.dueAt : at;
  const turned = lane.wanted === "present" ? { wanted: "absent" as const, attempts: 0, failingSince: null } : {};
  const urgent = at === undefined ? turned : {};
  await ctx.update(accessLanes, lane, { ...told, phase: "due", dueAt, ...urgent });
  return true;
}

/** Wakes lanes that wait for somebody to change their connection. */
export const wakeParked = defineFollower(instances, async (ctx, { before, after }) => {
  if (!before || !after || ["misconfigured", "down"].includes(after.health)) return;
  const same = (["status", "health", "configurationVersion", "governanceMode", "secrets"] as const).every(
    (field) => JSON.stringify(before[field]) === JSON.stringify(after[field]),
  );
  if (!same) await wakeParkedOf(ctx, after.id);
});

/** Wakes them too when a resource gets another mark, since others may lie in it. */
export const wakeUnmanaged = defineFollower(accessResources, async (ctx, { before, after }) => {
  if (before && after && before.managedMark !== after.managedMark) await wakeParkedOf(ctx, after.connectorInstanceId);
});

async function wakeParkedOf(ctx: Context, connectorInstanceId: string): Promise<void> {
  const { rows } = await ctx.db.find(accessLanes, { where: { parkedOf: connectorInstanceId }, size: WOKEN });
  for (const { value } of rows) await ctx.update(accessLanes, value, { phase: "due", dueAt: ctx.now });
}
