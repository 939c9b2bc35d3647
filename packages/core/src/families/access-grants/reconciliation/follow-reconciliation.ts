import { accessResources } from "#families/access/index.js";
import { instances } from "#families/connectors/index.js";
import { defineFollower } from "#kernel/operation/area.js";
import type { Context } from "#kernel/operation/context.js";
import { isSame } from "#kernel/records/is-same.js";
import { endingOf, holdingOf } from "../assignments/rules.js";
import { type AccessAssignment, accessAssignments } from "../assignments/schema.js";
import { accessReconciliations, NEW_RECONCILIATION } from "./schema.js";
import { connectorOf } from "./work/propagation.js";

/** The most reconciliations that are woken at once. The others look for themselves within an hour. */
const WOKEN = 500;

const later = (one: string, other: string) => (one > other ? one : other);

/** What of an assignment its reconciliation depends on. */
const concernOf = (one: AccessAssignment | undefined): string =>
  one ? JSON.stringify([holdingOf(one), one.previousGrantKey, one.notBefore]) : "";

/** Has the reconciliations of an assignment look at it again, in the transaction of its change. */
export const wakeReconciliations = defineFollower(accessAssignments, async (ctx, { before, after }) => {
  const extended = before?.status === "active" && after?.status === "active" && before.expiresAt !== after.expiresAt;
  if (!after || (concernOf(before) === concernOf(after) && !extended)) return;
  const own = holdingOf(after) ?? endingOf(after);
  if (own && extended) await renewAssignment(ctx, after);
  else if (own) await wakeAssignment(ctx, after, holdingOf(after) ? later(ctx.now, after.notBefore) : undefined);
  const others = new Set([before?.previousGrantKey, after.previousGrantKey, before && holdingOf(before)]);
  for (const grantKey of others) if (grantKey && grantKey !== own) await wakeReconciliation(ctx, grantKey, undefined);
});

/** Has the reconciliation of an assignment look at it again, at once or from `at` on. Its first assignment makes the reconciliation. */
export async function wakeAssignment(ctx: Context, assignment: AccessAssignment, at?: string): Promise<void> {
  if (await wakeReconciliation(ctx, assignment.grantKey, at, assignment.id)) return;
  const { grantKey, connectorInstanceId, resourceId, resource, profileExternalId, principal, parameters } = assignment;
  await ctx.insert(accessReconciliations, {
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
    ...NEW_RECONCILIATION,
    ...{ wanted: "present", targetState: "unknown", observedAt: null, preExisting: false },
    dueAt: at ?? ctx.now,
  });
}

/** Has the target of an assignment set its end anew. Only a target that keeps ends itself is asked to. */
export async function renewAssignment(ctx: Context, assignment: AccessAssignment): Promise<void> {
  await wakeAssignment(ctx, assignment, later(ctx.now, assignment.notBefore));
  const reconciliation = (await ctx.db.lookup(accessReconciliations, "grant", { grantKey: assignment.grantKey }))
    ?.value;
  if (reconciliation && (await connectorOf(ctx, reconciliation))?.manifest.expiry === "native")
    await ctx.update(accessReconciliations, reconciliation, { renew: true });
}

/**
 * Wakes a reconciliation, for what holds its grant from `at` on, or at once for what leaves it. One that a process works on looks
 * again by itself when it has finished.
 */
export async function wakeReconciliation(
  ctx: Context,
  grantKey: string,
  at: string | undefined,
  forId?: string,
): Promise<boolean> {
  const reconciliation = (await ctx.db.lookup(accessReconciliations, "grant", { grantKey }))?.value;
  if (!reconciliation) return false;
  const reported = { asked: reconciliation.asked + 1, assignmentId: forId ?? reconciliation.assignmentId };
  if (reconciliation.phase === "working" || (reconciliation.phase === "external" && at !== undefined)) {
    await ctx.update(accessReconciliations, reconciliation, reported);
    return true;
  }
  const dueAt =
    at === undefined ? ctx.now : reconciliation.dueAt !== null && reconciliation.dueAt < at ? reconciliation.dueAt : at;
  const turned =
    reconciliation.wanted === "present" ? { wanted: "absent" as const, attempts: 0, failingSince: null } : {};
  const urgent = at === undefined ? turned : {};
  await ctx.update(accessReconciliations, reconciliation, { ...reported, phase: "due", dueAt, ...urgent });
  return true;
}

/** Wakes reconciliations that wait for somebody to change their connection. */
export const wakeParked = defineFollower(instances, async (ctx, { before, after }) => {
  if (!before || !after || ["misconfigured", "down"].includes(after.health)) return;
  const same = (["status", "health", "configurationVersion", "governanceMode", "secrets"] as const).every((field) =>
    isSame(before[field], after[field]),
  );
  if (!same) await wakeParkedOf(ctx, after.id);
});

/** Wakes them too when a resource gets another mark, since others may lie in it. */
export const wakeUnmanaged = defineFollower(accessResources, async (ctx, { before, after }) => {
  if (before && after && before.managedMark !== after.managedMark) await wakeParkedOf(ctx, after.connectorInstanceId);
});

async function wakeParkedOf(ctx: Context, connectorInstanceId: string): Promise<void> {
  const { rows } = await ctx.db.find(accessReconciliations, { where: { parkedOf: connectorInstanceId }, size: WOKEN });
  for (const { value } of rows) await ctx.update(accessReconciliations, value, { phase: "due", dueAt: ctx.now });
}
