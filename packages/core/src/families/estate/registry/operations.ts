import { invalidProperty } from "#kernel/http/errors.js";
import { ById, readOperation } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { checkMetadata, GenericBody, mergePatch } from "#kernel/records/generic-body.js";
import { statesOf } from "#kernel/records/machine.js";
import { oneOf } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { ASSET_DEFAULTS } from "../assets/fields.js";
import { RemovalQuery, removeAsset } from "../assets/impact/removal.js";
import { changeAsset, moveLifecycle } from "../assets/lifecycle/moves.js";
import { assetLifecycle } from "../assets/machine.js";
import { withParties } from "../assets/owners/parties.js";
import { AssetRequest, readAssetBody } from "../assets/register/body.js";
import { requireStatus } from "../assets/register/status.js";
import { Asset, assets } from "../assets/schema.js";
import { checkTypeChange } from "../records/declare/kinds.js";
import { similarAssets } from "../records/queries.js";
import { refuseRecordFields } from "../records/write/body.js";
import { registerAsset } from "../records/write/register.js";
import { requireRecordRight } from "../records/write/rights.js";

const PATH = "/api/v1/ai-assets";
const shared = { tag: "AI Registry" } as const;
const may = (verb: "read" | "write" | "delete" | "lifecycle") =>
  ({ permission: `ai-asset:${verb}`, capability: "ai_registry" }) as const;

export const listAssets = defineOperation({
  ...shared,
  id: "aiAssets.list",
  method: "GET",
  path: PATH,
  summary: "List AI assets",
  access: may("read"),
  query: listQuery(assets, "name, description, external id, labels or metadata"),
  success: { status: 200, schema: pageOf(Asset) },
  handler: (ctx, { query }) => ctx.page(assets, query),
});

export const createAsset = defineOperation({
  ...shared,
  id: "aiAssets.create",
  agents: "propose",
  method: "POST",
  path: PATH,
  summary: "Register an AI asset",
  description:
    "Without a name the asset gets one made from its type. A `status` moves the new asset there through the lifecycle.",
  access: may("write"),
  body: AssetRequest.optional(),
  success: { status: 201, schema: Asset },
  errors: [
    "already_exists",
    "invalid_reference",
    "invalid_transition",
    "transition_guard_failed",
    "missing_reason",
    "read_only_property",
    "self_appointment_forbidden",
    "limit_exceeded",
  ],
  hints: (ctx, { body = {} }) => similarAssets(ctx, undefined, body),
  async handler(ctx, { body = {} }) {
    const given = readAssetBody(body);
    refuseRecordFields(ctx.env, given.fields.assetType, body);
    requireRecordRight(ctx, given.fields.assetType ?? ASSET_DEFAULTS.assetType, "write");
    const { asset } = await registerAsset(ctx, { ...given, fields: await withParties(ctx, given.fields) });
    return given.status === undefined ? asset : moveLifecycle(ctx, asset, given.status, { reason: given.reason });
  },
});

export const readAsset = readOperation({
  ...shared,
  id: "aiAssets.read",
  path: PATH,
  summary: "Read one AI asset",
  access: may("read"),
  collection: assets,
  schema: Asset,
});

export const replaceAsset = defineOperation({
  ...shared,
  id: "aiAssets.replace",
  stops: true,
  method: "PUT",
  path: `${PATH}/{id}`,
  summary: "Change an AI asset",
  description:
    "Properties that are sent are replaced, `null` clears, properties left out stay as they are. A `status` moves the lifecycle.",
  access: may("write"),
  params: ById,
  body: AssetRequest.optional(),
  success: { status: 200, schema: Asset },
  errors: [
    "already_exists",
    "invalid_reference",
    "invalid_transition",
    "transition_guard_failed",
    "missing_reason",
    "read_only_property",
    "self_appointment_forbidden",
  ],
  async handler(ctx, { params, body = {} }) {
    const before = await ctx.getForUpdate(assets, params.id);
    const { fields, free, status, reason } = readAssetBody(body, before);
    checkTypeChange(ctx.env, before.assetType, fields.assetType);
    refuseRecordFields(ctx.env, before.assetType, body);
    const asset = await changeAsset(ctx, before, { ...(await withParties(ctx, fields, before)), ...free });
    return status === undefined ? asset : moveLifecycle(ctx, asset, status, { reason });
  },
});

export const deleteAsset = defineOperation({
  ...shared,
  id: "aiAssets.delete",
  method: "DELETE",
  path: `${PATH}/{id}`,
  summary: "Delete an AI asset that is not in use",
  access: may("delete"),
  params: ById,
  query: RemovalQuery,
  success: { status: 204 },
  errors: ["in_use", "missing_reason"],
  async handler(ctx, { params, query }) {
    const asset = await ctx.getForUpdate(assets, params.id);
    requireRecordRight(ctx, asset.assetType, "delete");
    await removeAsset(ctx, asset, query);
    return undefined;
  },
});

const { reason, metadata } = GenericBody.shape;

const LifecycleChange = z
  .strictObject({
    status: oneOf(statesOf(assetLifecycle)),
    reason,
    metadata,
    configuration: z
      .strictObject({ force: z.boolean().optional().meta({ description: "Terminate the live sessions of an agent." }) })
      .optional()
      .meta({ description: "How it is to be done." }),
  })
  .meta({ id: "AiAssetLifecycleChange", example: { status: "development" } });

export const patchLifecycle = defineOperation({
  ...shared,
  id: "aiAssets.changeLifecycle",
  method: "PATCH",
  path: `${PATH}/{id}/lifecycle`,
  summary: "Move an AI asset along its lifecycle",
  description: "An agent with live sessions is retired only with `configuration.force: true`, which terminates them.",
  access: may("lifecycle"),
  params: ById,
  body: LifecycleChange,
  success: { status: 200, schema: Asset },
  errors: ["invalid_transition", "transition_guard_failed", "missing_reason"],
  async handler(ctx, { params, body }) {
    const asset = await ctx.getForUpdate(assets, params.id);
    const forced = body.configuration?.force === true;
    const to = requireStatus(body);
    if (forced && to !== "retired") throw invalidProperty("/configuration/force", "Only a retirement is forced.");
    return moveLifecycle(ctx, asset, to, body, forced ? { forced } : {});
  },
});

const MetadataChange = z
  .strictObject({ metadata: metadata.meta({ description: "JSON merge patch (RFC 7396)." }), reason })
  .meta({ id: "AiAssetMetadataChange", example: { metadata: { costCentre: "4711" } } });

export const patchMetadata = defineOperation({
  ...shared,
  id: "aiAssets.mergeMetadata",
  method: "PATCH",
  path: `${PATH}/{id}/metadata`,
  summary: "Merge metadata into an AI asset",
  description: "`metadata` is a JSON merge patch (RFC 7396): `null` removes a key, objects merge, all else replaces.",
  access: may("write"),
  params: ById,
  body: MetadataChange,
  success: { status: 200, schema: Asset },
  async handler(ctx, { params, body }) {
    const asset = await ctx.getForUpdate(assets, params.id);
    const metadata = mergePatch(asset.metadata, body.metadata ?? {}) as Asset["metadata"];
    checkMetadata(metadata);
    return ctx.update(assets, asset, { metadata }, { reason: body.reason });
  },
});
