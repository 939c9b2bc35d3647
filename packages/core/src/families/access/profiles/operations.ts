import { instances } from "#families/connectors/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import { ById, readOperation } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { actionBody } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { accessResources } from "../resources/schema.js";
import { OfTarget, reading, tag } from "../targets/fields.js";
import { accessProfileStatus } from "./machine.js";
import { AccessProfile, accessProfiles, ProfileTerms } from "./schema.js";

const PATH = "/api/v1/access-profiles";
const TARGET = "/api/v1/access-targets/{connectorInstanceId}";
const curating = { permission: "access-profile:curate", capability: "access_governance" } as const;

export const listProfiles = defineOperation({
  ...reading,
  tag,
  id: "accessTargets.listProfiles",
  path: `${TARGET}/access-profiles`,
  summary: "List the kinds of access that a target offers",
  params: OfTarget,
  query: listQuery(accessProfiles, "name or id in the target"),
  success: { status: 200, schema: pageOf(AccessProfile) },
  async handler(ctx, { params, query }) {
    const { id } = await ctx.getOrThrow(instances, params.connectorInstanceId);
    return ctx.page(accessProfiles, query, { where: { connectorInstanceId: id } });
  },
});

export const listResourceProfiles = defineOperation({
  ...reading,
  tag,
  id: "accessTargets.listResourceProfiles",
  path: `${TARGET}/resources/{resourceId}/access-profiles`,
  summary: "List the kinds of access to one resource",
  description: "Those for each resource of its type, and those for it alone.",
  params: OfTarget.extend({
    resourceId: z.string().meta({ description: "Id of the resource.", example: "ars_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" }),
  }),
  query: listQuery({ ...accessProfiles, filters: { status: accessProfiles.filters.status as object } }),
  success: { status: 200, schema: pageOf(AccessProfile) },
  async handler(ctx, { params, query }) {
    const resource = await ctx.getOrThrow(accessResources, params.resourceId);
    const { connectorInstanceId, resourceType } = resource;
    if (connectorInstanceId !== params.connectorInstanceId) throw new ReeveError("not_found");
    const where = { connectorInstanceId, resourceType, resourceId: [resource.id, null] };
    return ctx.page(accessProfiles, query, { where });
  },
});

export const readProfile = readOperation({
  tag,
  path: PATH,
  id: "accessProfiles.read",
  summary: "Read one kind of access",
  access: reading.access,
  extension: true,
  collection: accessProfiles,
  schema: AccessProfile,
});

const Approval = z
  .strictObject({
    definitionHash: z.string().max(100).meta({ description: "What was looked at: `definitionHash` of the profile." }),
    reason: z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." }),
    ...ProfileTerms.partial().shape,
  })
  .meta({ id: "AccessProfileApproval", example: { definitionHash: "9f86d081884c7d65", maxDuration: "P7D" } });

export const approveProfile = defineOperation({
  tag,
  id: "accessProfiles.approve",
  method: "POST",
  path: `${PATH}/{id}/approve`,
  summary: "Approve a kind of access, so that it can be requested",
  description: "Names the definition that was looked at, and is refused when the target means something else now.",
  access: curating,
  extension: true,
  params: ById,
  body: Approval,
  success: { status: 200, schema: AccessProfile },
  errors: ["invalid_transition", "plan_changed"],
  async handler(ctx, { params, body: { definitionHash, reason, ...terms } }) {
    const profile = await ctx.getForUpdate(accessProfiles, params.id);
    if (profile.definitionHash !== definitionHash) throw new ReeveError("plan_changed");
    const curated = { approvedHash: definitionHash, curatedBy: ctx.principal.userId, curatedAt: ctx.now };
    const patch = { ...terms, ...curated };
    if (profile.status === "approved") return ctx.update(accessProfiles, profile, terms, { reason });
    return ctx.transition(accessProfiles, accessProfileStatus, profile, { event: "approve" }, { reason, patch });
  },
});

export const disableProfile = defineOperation({
  tag,
  id: "accessProfiles.disable",
  stops: true,
  method: "POST",
  path: `${PATH}/{id}/disable`,
  summary: "Take a kind of access out of use",
  description: "It cannot be requested any more, and what was granted by it is not in force.",
  access: curating,
  extension: true,
  params: ById,
  body: actionBody({ id: "AccessProfileDisabling", example: { reason: "It permits more than it says." } }),
  success: { status: 200, schema: AccessProfile },
  errors: ["invalid_transition"],
  async handler(ctx, { params, body: { reason } }) {
    const profile = await ctx.getForUpdate(accessProfiles, params.id);
    const patch = { curatedBy: ctx.principal.userId, curatedAt: ctx.now };
    return ctx.transition(accessProfiles, accessProfileStatus, profile, { to: "disabled" }, { reason, patch });
  },
});
