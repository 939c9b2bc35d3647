import {
  AccessIdentity,
  AccessPrincipal,
  accessIdentities,
  OfAsset,
  reading,
  sharedKey,
  tag,
} from "#families/access/index.js";
import { instances } from "#families/connectors/index.js";
import { assets } from "#families/estate/index.js";
import { batched } from "#kernel/async/batched.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { z } from "#schema/z.js";
import { accessAssignments } from "../assignments/schema.js";
import { lookUp } from "./look-up-identity.js";

const PATH = "/api/v1/ai-assets/{assetId}/access-identities";
const writing = { permission: "access-identity:write", capability: "access_governance" } as const;
/** The most assets that are named as sharing a principal. */
const SHARED = 100;

const ShownIdentity = AccessIdentity.extend({
  sharedWithAssetIds: z.array(z.string()).meta({
    description: "Other assets that act as the same principal. What is revoked for one is kept while another needs it.",
  }),
}).meta({ id: "SharedAccessIdentity" });

/** Shows identities with the assets that share them. */
function identityView(ctx: ReadContext) {
  const sharing = batched<string, readonly AccessIdentity[]>(async (values) => {
    const found = await ctx.db.findTopPerKey(accessIdentities, { field: "shared", values, size: SHARED });
    return new Map([...found].map(([key, rows]) => [key, rows.map(({ value }) => value)]));
  });
  return async (identity: AccessIdentity) => {
    const others = ((await sharing(sharedKey(identity))) ?? []).map(({ assetId }) => assetId);
    return { ...identity, sharedWithAssetIds: others.filter((id) => id !== identity.assetId) };
  };
}

export const listAccessIdentities = defineOperation({
  ...reading,
  tag,
  id: "accessIdentities.list",
  path: PATH,
  summary: "List what an AI asset acts as in connected systems",
  params: OfAsset,
  query: listQuery(accessIdentities),
  success: { status: 200, schema: pageOf(ShownIdentity) },
  async handler(ctx, { params, query }) {
    const { id: assetId } = await ctx.getOrThrow(assets, params.assetId);
    return ctx.page(accessIdentities, query, { where: { assetId } }, identityView(ctx));
  },
});

const IdentityRequest = z
  .strictObject({
    connectorInstanceId: z.string().max(200).meta({ description: "Id of the connection to the target." }),
    principal: AccessPrincipal.extend({
      externalId: AccessPrincipal.shape.externalId.meta({ description: "Id or name in the target." }),
      displayName: AccessPrincipal.shape.displayName
        .default(null)
        .meta({ description: "Name in the target, where that does not tell it." }),
    }).meta({
      description: "What the asset acts as there.",
    }),
    reason: z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." }),
  })
  .meta({
    id: "AccessIdentityRequest",
    example: {
      connectorInstanceId: "ci_01JD3Z6T5W8Y9X7V4R2Q1P0N6M",
      principal: { type: "service_account", externalId: "svc-claims" },
    },
  });

async function requireTarget(ctx: ReadContext, connectorInstanceId: string): Promise<void> {
  if (await ctx.db.get(instances, connectorInstanceId)) return;
  throw invalidProperty("/connectorInstanceId", "There is no such connection.", "invalid_reference");
}

export const declareAccessIdentity = defineOperation({
  tag,
  id: "accessIdentities.declare",
  method: "POST",
  path: PATH,
  summary: "Say what an AI asset acts as in a connected system",
  description:
    "The connected system is asked for the principal by its id or its name, and what is stored is the id that stays. One that is not there is refused with candidates; `lookUp` says where that could not be told.",
  access: writing,
  extension: true,
  params: OfAsset,
  body: IdentityRequest,
  success: { status: 201, schema: AccessIdentity },
  errors: ["already_exists", "invalid_reference", "principal_not_found"],
  async prepare(ctx, { params, body: { connectorInstanceId, principal } }) {
    await ctx.getOrThrow(assets, params.assetId);
    await requireTarget(ctx, connectorInstanceId);
    return lookUp(ctx, connectorInstanceId, principal);
  },
  async handler(ctx, { params, body: { connectorInstanceId } }, lookedUp) {
    const { id: assetId } = await ctx.getOrThrow(assets, params.assetId);
    await requireTarget(ctx, connectorInstanceId);
    return ctx.insert(accessIdentities, {
      assetId,
      connectorInstanceId,
      ...lookedUp,
      binding: "declared",
      knownCredentials: null,
    });
  },
});

export const removeAccessIdentity = defineOperation({
  tag,
  id: "accessIdentities.remove",
  method: "DELETE",
  path: `${PATH}/{identityId}`,
  summary: "Take back what an AI asset acts as in a connected system",
  description: "Refused while it has access there.",
  access: writing,
  extension: true,
  params: OfAsset.extend({
    identityId: z.string().meta({ description: "Id of the identity.", example: "aid_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" }),
  }),
  success: { status: 204 },
  errors: ["in_use"],
  async handler(ctx, { params }) {
    const identity = await ctx.getForUpdate(accessIdentities, params.identityId);
    if (identity.assetId !== params.assetId) throw new ReeveError("not_found");
    const { rows } = await ctx.db.find(accessAssignments, { where: { liveAs: identity.id }, size: 1 });
    if (rows.length > 0) throw new ReeveError("in_use", "It has access in the target.");
    await ctx.remove(accessIdentities, identity);
    return undefined;
  },
});
