import { instances } from "#families/connectors/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { z } from "#schema/z.js";
import { OfTarget, reading, tag } from "../targets/fields.js";
import { changeResource } from "./change-resource.js";
import { AccessResource, accessResources, ResourceFields } from "./schema.js";

const OfResource = OfTarget.extend({
  resourceId: z.string().meta({ description: "Id of the resource.", example: "ars_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" }),
});
const RESOURCE = "/api/v1/access-targets/{connectorInstanceId}/resources/{resourceId}";

export const listResources = defineOperation({
  ...reading,
  tag,
  id: "accessTargets.listResources",
  path: "/api/v1/access-targets/{connectorInstanceId}/resources",
  summary: "List what access to a target can be granted to",
  params: OfTarget,
  query: listQuery(accessResources, "name or id in the target"),
  success: { status: 200, schema: pageOf(AccessResource) },
  async handler(ctx, { params, query }) {
    const { id } = await ctx.getOrThrow(instances, params.connectorInstanceId);
    return ctx.page(accessResources, query, { where: { connectorInstanceId: id } });
  },
});

export const readResourceOperation = defineOperation({
  ...reading,
  tag,
  id: "accessTargets.readResource",
  path: RESOURCE,
  summary: "Read one thing that access can be granted to",
  extension: true,
  params: OfResource,
  success: { status: 200, schema: AccessResource },
  async handler(ctx, { params }) {
    const { connectorInstanceId } = await ctx.getOrThrow(accessResources, params.resourceId);
    if (connectorInstanceId !== params.connectorInstanceId) throw new ReeveError("not_found");
    return ctx.getStored(accessResources, params.resourceId);
  },
});

const ResourceRequest = z
  .strictObject({
    ...ResourceFields.partial().shape,
    reason: z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." }),
  })
  .meta({
    id: "AccessResourceRequest",
    example: { managedMark: "unmanaged", reason: "The platform team keeps its access by hand." },
  });

export const patchResource = defineOperation({
  tag,
  id: "accessTargets.patchResource",
  method: "PATCH",
  path: RESOURCE,
  summary: "Say who answers for a resource, and whether access to it is changed",
  description: "A sync changes neither. Another `managedMark` takes a `reason`.",
  access: { permission: "access-resource:write", capability: "access_governance" },
  extension: true,
  params: OfResource,
  body: ResourceRequest,
  success: { status: 200, schema: AccessResource },
  errors: ["missing_reason", "invalid_reference", "self_appointment_forbidden"],
  async handler(ctx, { params, body: { reason, ...change } }) {
    const resource = await ctx.getForUpdate(accessResources, params.resourceId);
    if (resource.connectorInstanceId !== params.connectorInstanceId) throw new ReeveError("not_found");
    return changeResource(ctx, resource, change, reason);
  },
});
