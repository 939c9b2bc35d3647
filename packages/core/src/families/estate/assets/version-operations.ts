import { type PastVersion, pastVersions, UNDONE_EVENTS } from "#families/activity/index.js";
import { notFound } from "#kernel/http/errors.js";
import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { PageQuery, pageOf } from "#kernel/operation/page.js";
import { z } from "#schema/z.js";
import { type Asset, assets } from "./schema.js";
import { AssetVersion, AssetVersionContent, contentOf, SHOWN } from "./version-fields.js";

const shared = {
  method: "GET",
  tag: "AI Registry",
  extension: true,
  access: { permission: "ai-asset:read", capability: "ai_registry" },
} as const;
const PATH = "/api/v1/ai-assets/{id}/versions";

const asListed = ({ id, at, by, changed, record }: PastVersion<Asset>): AssetVersion => ({
  ...{ id, at, by, status: record.status, governanceState: record.governanceState },
  changed: changed && [...changed],
});

export const listAssetVersions = defineOperation({
  ...shared,
  id: "aiAssets.listVersions",
  path: PATH,
  summary: "List the versions of an AI asset, the newest first",
  description: `From the record of its changes, its last ${UNDONE_EVENTS} events. What Reeve observes and counts makes no version. Where an event was erased or pruned, older versions are not known, and the last one that is listed has \`changed\`.`,
  params: ById,
  query: PageQuery,
  success: { status: 200, schema: pageOf(AssetVersion) },
  async handler(ctx, { params, query }) {
    const asset = await ctx.getOrThrow(assets, params.id);
    const found: AssetVersion[] = [];
    for await (const version of pastVersions(ctx, assets, asset, SHOWN)) found.push(asListed(version));
    return ctx.slice(`versions of ${asset.id}`, found, query);
  },
});

export const readAssetVersion = defineOperation({
  ...shared,
  id: "aiAssets.readVersion",
  path: `${PATH}/{versionId}`,
  summary: "Read an AI asset as it was in one of its versions",
  params: ById.extend({ versionId: z.string().max(64).meta({ description: "Id of the version." }) }),
  success: { status: 200, schema: AssetVersionContent },
  async handler(ctx, { params }) {
    const asset = await ctx.getOrThrow(assets, params.id);
    for await (const version of pastVersions(ctx, assets, asset, SHOWN))
      if (version.id === params.versionId) return { ...asListed(version), ...contentOf(version.record) };
    throw notFound();
  },
});
