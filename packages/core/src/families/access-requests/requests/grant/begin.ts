import { type AccessAssignment, accessAssignments, planChange, provision } from "#families/access-grants/index.js";
import { openEmergencyReview } from "#families/access-reviews/index.js";
import { instances } from "#families/connectors/index.js";
import { assets } from "#families/estate/index.js";
import { subjectOf } from "#kernel/events/record-events.js";
import type { Context } from "#kernel/operation/context.js";
import { millisecondsOf } from "#kernel/records/duration.js";
import { timestamp } from "#ports/clock.js";
import { isProvided } from "../follow/assignments.js";
import { accessRequestStatus } from "../machine.js";
import { approvedParameters, boundsFrom } from "../rules.js";
import { type AccessRequest, accessRequests, type RequestItem } from "../schema.js";
import { outcomeOf } from "./outcome.js";

const DONE: ReadonlySet<RequestItem["status"]> = new Set(["provisioned", "provisioning", "declined"]);

/** Stores the assignments of a request, whose reconciliations have the target grant them. Those that it has stay as they are. */
export async function begin(ctx: Context, request: AccessRequest): Promise<AccessRequest> {
  const items: RequestItem[] = [];
  const made: AccessAssignment[] = [];
  for (const item of request.items) {
    if (DONE.has(item.status)) items.push(item);
    else {
      const one = request.assignmentId === null ? await create(ctx, request, item) : await change(ctx, request, item);
      made.push(one);
      const status = isProvided(one) ? "provisioned" : "provisioning";
      items.push({ ...item, status, assignmentId: one.id, error: null });
    }
  }
  const options = { triggeredBy: "policy", patch: { items, lookAgainAt: null } } as const;
  const begun = await ctx.transition(accessRequests, accessRequestStatus, request, { event: "begin" }, options);
  if (request.emergency && made.length > 0) await alarm(ctx, begun, made);
  const event = outcomeOf(items);
  if (event === undefined) return begun;
  return ctx.transition(accessRequests, accessRequestStatus, begun, { event }, { triggeredBy: "policy" });
}

async function create(ctx: Context, request: AccessRequest, item: RequestItem): Promise<AccessAssignment> {
  const { assetId, identityId, votes, notBefore, emergency, type } = request;
  const from = Math.max(ctx.request.nowMs, notBefore === null ? 0 : Date.parse(notBefore));
  const [one] = await provision(ctx, [
    {
      ...{ requestId: request.id, assetId, identityId },
      source: emergency ? "emergency" : type === "adopt" ? "adopted" : "request",
      ...{ accessProfileId: item.accessProfileId, resourceId: item.resourceId },
      parameters: approvedParameters(item, votes),
      ...boundsFrom(request.granted ?? request, from),
    },
  ]);
  return one as AccessAssignment;
}

/** What was approved about an assignment, as it is now. */
async function change(ctx: Context, request: AccessRequest, item: RequestItem): Promise<AccessAssignment> {
  const one = await ctx.getOrThrow(accessAssignments, request.assignmentId as string);
  const { duration, expiresAt, isPermanent } = boundsFrom(request.granted ?? request, ctx.request.nowMs);
  const end = duration === null ? expiresAt : timestamp(ctx.request.nowMs + millisecondsOf(duration));
  const wanted = { accessProfileId: item.accessProfileId, parameters: approvedParameters(item, request.votes) };
  const { patch } = await planChange(ctx, one, request.type === "extend" ? {} : wanted);
  const changed = { ...patch, expiresAt: isPermanent ? null : end, isPermanent };
  return ctx.update(accessAssignments, one, changed, { reason: request.reason });
}

/** Tells of emergency access, and has a four-eyes approver look at it afterwards. */
async function alarm(ctx: Context, request: AccessRequest, made: readonly AccessAssignment[]): Promise<void> {
  const { id, assetId, connectorInstanceId, requestedBy, reason } = request;
  const owner = (await ctx.db.get(assets, assetId))?.value.owner;
  const target = await ctx.db.get(instances, connectorInstanceId);
  const ownerId =
    owner?.type === "user" && owner.id !== requestedBy ? owner.id : (target?.value.ownerIds[0] ?? "system");
  const review = await openEmergencyReview(ctx, { assignments: made, requestId: id, ownerId });
  await ctx.emit({
    type: "access.request.emergency_granted",
    severity: "ERROR",
    subject: subjectOf(accessRequests, id),
    related: [assetId, connectorInstanceId, review.id],
    data: { assetId, requestedBy, reason, assignmentIds: made.map((one) => one.id), certificationId: review.id },
  });
}
