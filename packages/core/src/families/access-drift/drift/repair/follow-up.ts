import { accessIdentities, principalSubject } from "#families/access/index.js";
import { createRequest } from "#families/access-requests/index.js";
import { certifications, createCertification, termsFrom } from "#families/access-reviews/index.js";
import { instances } from "#families/connectors/index.js";
import { invalidProperty } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { requirePermission } from "#kernel/operation/permission.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { accessDriftStatus } from "../machine.js";
import { type AccessDrift, accessDrift } from "../schema.js";

/** Makes something of a difference that people decide. It stays open until they have, and no second one is made meanwhile. */
export async function followUp(
  ctx: Context,
  one: AccessDrift,
  action: "adopt" | "certify",
  reason: string,
): Promise<AccessDrift> {
  if (one.status !== "open")
    throw transitionRefused(`It is ${one.status}, and not open.`, { machine: accessDriftStatus, current: one.status });
  if (action === "certify" && (await isUnderReview(ctx, one))) return one;
  const followUpId = action === "adopt" ? await adopt(ctx, one, reason) : await certify(ctx, one, reason);
  const event = { type: "access.drift.followed_up", data: { action, followUpId, reason } };
  return ctx.update(accessDrift, one, { followUpId }, { event });
}

/** A request to take over what is there, which is decided as any other. */
async function adopt(ctx: Context, one: AccessDrift, reason: string): Promise<string> {
  requirePermission(ctx.env, ctx.principal, "access-request:write");
  const { connectorInstanceId, accessProfileId, resourceId, parameters, principal } = one;
  const assetId = one.assetId ?? "";
  const { rows } = await ctx.db.find(accessIdentities, { where: { assetId }, size: 200 });
  const identity = rows.find(
    ({ value }) =>
      value.connectorInstanceId === connectorInstanceId && value.principal.externalId === principal.externalId,
  );
  if (!identity) throw invalidProperty("/action", `No asset acts as ${principalSubject(principal)} any more.`);
  const item = { accessProfileId: accessProfileId ?? "", resourceId: resourceId ?? "", parameters };
  const { id } = await createRequest(ctx, assetId, {
    fields: { type: "adopt", connectorInstanceId, identityId: identity.id, items: [item] },
    reason,
    free: {},
  });
  return id;
}

const OVER: ReadonlySet<string> = new Set(["completed", "cancelled"]);

async function isUnderReview(ctx: Context, { followUpId }: AccessDrift): Promise<boolean> {
  const row = followUpId === null ? undefined : await ctx.db.get(certifications, followUpId);
  return row !== undefined && !OVER.has(row.value.status);
}

/** A certification of this access alone, by those who answer for the target. */
async function certify(ctx: Context, one: AccessDrift, reason: string): Promise<string> {
  requirePermission(ctx.env, ctx.principal, "access-certification:write");
  const target = await ctx.getOrThrow(instances, one.connectorInstanceId);
  const fields = termsFrom(ctx, {
    kind: "micro",
    description: reason,
    ownerId: target.ownerIds[0] ?? ctx.principal.userId,
    scope: { assignmentIds: [one.assignmentId ?? ""] },
    stages: [{ reviewer: "resource_owner", duration: "P14D" }],
    staleDataAction: "continue",
  });
  const name = nameOf(`Because of ${one.name}`);
  return (await createCertification(ctx, fields, { name, metadata: {}, attributes: {} })).id;
}
