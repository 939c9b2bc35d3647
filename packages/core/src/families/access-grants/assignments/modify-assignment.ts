import {
  type AccessProfile,
  accessProfiles,
  blockersOf,
  requireNone,
  requireParameters,
} from "#families/access/index.js";
import { defineExtensionPoint } from "#kernel/config/extension.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import { type Context, requireReason } from "#kernel/operation/context.js";
import { Duration, millisecondsOf } from "#kernel/records/duration.js";
import { AnyObject } from "#kernel/records/generic-body.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { Time } from "#kernel/records/record.js";
import { timestamp } from "#ports/clock.js";
import { z } from "#schema/z.js";
import { grantKeyOf } from "../reconciliation/rules.js";
import { assignmentStatus } from "./machine.js";
import { endsNoLater, narrowsParameters, permitsNoMore } from "./narrow-assignment.js";
import { type AccessAssignment, accessAssignments } from "./schema.js";

export const ModifyRequest = z
  .strictObject({
    reason: z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." }),
    expiresAt: Time.optional().meta({ description: "A new end." }),
    duration: Duration.optional().meta({ description: "A new end, from now, such as `P7D`; instead of `expiresAt`." }),
    accessProfileId: z.string().max(200).optional().meta({ description: "Another kind of access." }),
    parameters: AnyObject.optional().meta({ description: "Other parameters, all of them." }),
  })
  .meta({ id: "AccessModification", example: { reason: "It takes less time.", duration: "P1D" } });
export type ModifyRequest = z.output<typeof ModifyRequest>;

/** What somebody wants an assignment to be. */
export interface WantedChange {
  readonly accessProfileId: string;
  readonly parameters: AccessAssignment["parameters"];
  readonly expiresAt: string | null;
  readonly reason: string;
}

/** Extension point: asks for access beyond what was granted. Returns the id of the request. */
export const wideningRequests =
  defineExtensionPoint<(ctx: Context, one: AccessAssignment, wanted: WantedChange) => Promise<string>>(
    "access.wideningRequests",
  );

export type Modified =
  | { readonly outcome: "modified"; readonly requestId: null; readonly assignment: AccessAssignment }
  | { readonly outcome: "request_created"; readonly requestId: string; readonly assignment: AccessAssignment };

/** Narrows an assignment at once. What would widen it becomes a request. 409 for an assignment that is not active. */
export async function modify(ctx: Context, id: string, body: ModifyRequest): Promise<Modified> {
  const one = await ctx.getForUpdate(accessAssignments, id);
  const reason = requireReason(body.reason);
  const { isNarrower, patch, wanted } = await planChange(ctx, one, body);
  if (!isNarrower) {
    const [ask] = ctx.env.use(wideningRequests);
    if (!ask) throw new ReeveError("transition_guard_failed", "It would permit more. That needs a request.");
    const requestId = await ask(ctx, one, { ...wanted, reason });
    return { outcome: "request_created", requestId, assignment: one };
  }
  return {
    outcome: "modified",
    requestId: null,
    assignment: await ctx.update(accessAssignments, one, patch, { reason }),
  };
}

/** What a change of an assignment comes to, and whether it permits nothing more. 409 for one that is not active. */
export async function planChange(ctx: Context, one: AccessAssignment, body: Omit<ModifyRequest, "reason">) {
  if (one.status !== "active")
    throw transitionRefused(`It is ${one.status}, and not active.`, { machine: assignmentStatus, current: one.status });
  const expiresAt = endOf(ctx, one, body);
  const before = await ctx.getOrThrow(accessProfiles, one.accessProfileId);
  const profile = await profileOf(ctx, one, body.accessProfileId, before);
  const parameters = body.parameters ?? one.parameters;
  if (body.parameters !== undefined || profile.id !== before.id) requireParameters(profile, parameters);
  const isNarrower =
    endsNoLater(expiresAt, one.expiresAt) &&
    permitsNoMore(profile, before) &&
    narrowsParameters(parameters, one.parameters);
  const patch = {
    expiresAt,
    isPermanent: one.isPermanent && expiresAt === null,
    ...regrant(one, before, profile, parameters),
  };
  return { isNarrower, patch, wanted: { accessProfileId: profile.id, parameters, expiresAt } };
}

function endOf(
  ctx: Context,
  one: AccessAssignment,
  { expiresAt, duration }: Omit<ModifyRequest, "reason">,
): string | null {
  if (expiresAt !== undefined && duration !== undefined)
    throw invalidProperty("/duration", "Give an end or a duration, not both.");
  const end = duration === undefined ? expiresAt : timestamp(ctx.request.nowMs + millisecondsOf(duration));
  if (end !== undefined && end <= ctx.now) throw invalidProperty("/expiresAt", "To end it now, revoke it.");
  return end ?? one.expiresAt;
}

async function profileOf(ctx: Context, one: AccessAssignment, wanted: string | undefined, before: AccessProfile) {
  if (wanted === undefined || wanted === before.id) return before;
  const row = await ctx.db.get(accessProfiles, wanted);
  if (!row) throw new ReeveError("invalid_reference");
  const { resourceId } = one;
  requireNone(await blockersOf(ctx, { ...one, items: [{ accessProfileId: wanted, resourceId }] }, "change"));
  return row.value;
}

/** Another grant in the target. What there is stays until the new one is there, unless nobody can have both. */
function regrant(
  one: AccessAssignment,
  before: AccessProfile,
  { id, externalId, definitionHash, privilegeLevel, riskLevel, exclusionGroup }: AccessProfile,
  parameters: AccessAssignment["parameters"],
): Partial<AccessAssignment> {
  const { connectorInstanceId, resource, principal } = one;
  const grantKey = grantKeyOf({ connectorInstanceId, resource, profileExternalId: externalId, principal, parameters });
  if (grantKey === one.grantKey) return {};
  const excludes = exclusionGroup !== null && exclusionGroup === before.exclusionGroup && id !== before.id;
  return {
    ...{ grantKey, parameters, accessProfileId: id, profileExternalId: externalId },
    ...{ approvedHash: definitionHash, privilegeLevel, riskLevel, externalGrantId: null },
    ...{ targetState: "unknown", unseenSince: null },
    previousGrantKey: excludes ? null : one.grantKey,
  };
}
