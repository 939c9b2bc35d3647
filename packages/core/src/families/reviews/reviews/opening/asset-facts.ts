import {
  type Asset,
  type AssetLink,
  assetLinks,
  assets,
  type EffectiveDecision,
  effectiveOfAll,
  impactOf,
} from "#families/estate/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isIdOf } from "#store/collection.js";
import type { AssetOpening } from "./schema.js";

/** The most things that an asset is said to use. */
const MOST_USED = 50;

/** What a reviewer has to know of an asset: what it uses, how it stands, and what an approval would change. */
export async function factsOf(ctx: ReadContext, asset: Asset, isUnderReview: boolean): Promise<AssetOpening> {
  const [used, now, after, impact] = await Promise.all([
    usedBy(ctx, asset),
    decisionOn(ctx, asset),
    isUnderReview ? decisionOn(ctx, approved(asset)) : null,
    impactOf(ctx, asset),
  ]);
  const { id, name, assetType, openFindings } = asset;
  const stops = impact.affected.filter((one) => one.stops).length;
  return {
    ...{ id, name, hidden: false, assetType, openFindings, ...used },
    ...{ now: shown(now), approved: after && shown(after), stops, stopsComplete: impact.complete },
  };
}

const decisionOn = async (ctx: ReadContext, asset: Asset) =>
  (await effectiveOfAll(ctx, [asset])).get(asset.id) as EffectiveDecision;

/** The asset as an approval without an end would leave it. */
const approved = (asset: Asset): Asset => ({
  ...asset,
  ...{
    governanceState: "approved",
    priorGovernanceState: null,
    approvedUntil: null,
    reviewUntil: null,
    conditions: [],
  },
});

const shown = ({ decision, reasons, message }: EffectiveDecision) => ({ decision, reasons: [...reasons], message });

/** What an asset uses or stands or falls with, by name. */
async function usedBy(ctx: ReadContext, { id }: Asset): Promise<Pick<AssetOpening, "uses" | "usesComplete">> {
  const size = MOST_USED + 1;
  const [own, holding] = await Promise.all([
    ctx.db.find(assetLinks, { where: { sourceId: id }, size }),
    ctx.db.find(assetLinks, { where: { containedId: id }, size }),
  ]);
  const links = new Map([...own.rows, ...holding.rows].map(({ value }) => [keyOf(value), value]));
  const listed = [...links.values()].slice(0, MOST_USED);
  const otherEnd = ({ sourceId, targetId }: AssetLink) => (sourceId === id ? targetId : sourceId);
  const ids = [...new Set(listed.map(otherEnd))].filter((one) => isIdOf(assets, one));
  const rows = ids.length > 0 ? await ctx.db.getMany(assets, ids) : [];
  const known = new Map(rows.map(({ value }) => [value.id, value]));
  const uses = listed.map((link) => {
    const other = known.get(otherEnd(link));
    return {
      ...{ relation: link.type, direction: link.sourceId === id ? ("outgoing" as const) : ("incoming" as const) },
      ...{ id: otherEnd(link), name: other?.name ?? null, assetType: other?.assetType ?? null },
    };
  });
  return { uses, usesComplete: links.size <= MOST_USED };
}

const keyOf = ({ type, sourceId, targetId }: AssetLink) => `${type} ${sourceId} ${targetId}`;
