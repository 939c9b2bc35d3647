import type { Hint } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { GenericBody } from "#kernel/records/generic-body.js";
import { ENVIRONMENTS } from "../assets/asset-terms.js";
import { ASSET_DEFAULTS, AssetFields } from "../assets/fields.js";
import { assets } from "../assets/schema.js";
import { likenessOf } from "../assets/search-likeness.js";
import { addressKey } from "./declare/address.js";
import type { JoinedRecord } from "./declare/kind.js";
import { kindOf } from "./declare/kinds.js";

/** The most assets named per kind of similarity. */
const EACH = 3;

const Looked = AssetFields.pick({ assetType: true, provider: true, environment: true, externalRef: true }).partial();

/**
 * Existing assets that may be duplicates of what a body registers. They have the same type and nearly the same name,
 * the same address, or the same external id in another environment. Each similarity takes one indexed query, only when
 * the body has the value.
 */
export async function similarAssets(
  ctx: ReadContext,
  assetType: JoinedAssetType | undefined,
  body: GenericBody,
): Promise<Hint[]> {
  if (!ctx.principal.permissions.has("ai-asset:read")) return [];
  const said = { ...body.configuration, ...body };
  const parsed = Looked.safeParse(said);
  if (!parsed.success) return [];
  const given = { ...ASSET_DEFAULTS, ...parsed.data, ...(assetType ? { assetType } : {}) };
  const { name } = body;
  const found = await Promise.all([
    name === undefined ? [] : sameName(ctx, likenessOf({ assetType: given.assetType, name })),
    given.externalRef ? elsewhere(ctx, given, given.externalRef.id) : [],
    sameAddress(ctx, given.assetType, said),
  ]);
  return distinct(found.flat());
}

type JoinedAssetType = AssetFields["assetType"];

async function sameName(ctx: ReadContext, likeness: string): Promise<Hint[]> {
  const { rows } = await ctx.db.find(assets, { where: { likeness }, range: { before: ctx.now }, size: EACH });
  return rows.map(({ id }) => hint(id, "name"));
}

/** The unique key includes the environment, so each other environment is looked up by it. */
async function elsewhere(
  ctx: ReadContext,
  { assetType, provider, environment }: AssetFields,
  externalId: string,
): Promise<Hint[]> {
  const others = ENVIRONMENTS.filter((one) => one !== environment);
  const rows = await ctx.db.lookupMany(
    assets,
    "identity",
    others.map((one) => ({ assetType, provider, externalId, environment: one })),
  );
  return rows.flatMap((row) => (row ? [hint(row.id, "externalRef")] : []));
}

async function sameAddress(ctx: ReadContext, assetType: JoinedAssetType, said: GenericBody): Promise<Hint[]> {
  const kind = kindOf(ctx.env, assetType);
  const url = kind?.address === undefined ? undefined : said[kind.address];
  const address = typeof url === "string" ? addressKey(url) : null;
  if (!kind || address === null) return [];
  const query = { where: { address }, range: { before: ctx.now }, size: EACH };
  const { rows } = await ctx.db.find<JoinedRecord>(kind.collection, query);
  return rows.map(({ value }) => hint(value.assetId, kind.address as string));
}

const hint = (id: string, by: string): Hint => ({ path: `${assets.resource?.path}/${id}`, by });

/** Each asset once, with its first similarity. */
function distinct(hints: readonly Hint[]): Hint[] {
  return hints.filter(({ path }, index) => hints.findIndex((other) => other.path === path) === index);
}
