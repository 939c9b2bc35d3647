import { inChunks } from "#kernel/async/in-chunks.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isIdOf } from "#store/collection.js";
import { containedBy } from "../containment/edges.js";
import type { Link } from "../relations/link.js";
import { type AssetLink, assetLinks } from "../relations/links.js";
import { type Asset, assets } from "../schema.js";

/** The most relations of one asset that are followed. */
const MOST_LINKS = 500;

/** An asset that uses or depends on another one. */
export interface User {
  readonly asset: Asset;
  /** The id of the asset that it uses. */
  readonly usedId: string;
  readonly relation: Link["type"];
  /** Whether it may not be used either when the other may not. */
  readonly stops: boolean;
}

/** What uses these assets and is not retired, and whether that is all of it. A fixed number of queries. */
export async function usersOf(
  ctx: ReadContext,
  used: readonly Asset[],
): Promise<{ readonly users: readonly User[]; readonly complete: boolean }> {
  const ids = used.map(({ id }) => id);
  const [incoming, outgoing] = await Promise.all([linksBy(ctx, "targetId", ids), linksBy(ctx, "sourceId", ids)]);
  const links = [
    ...incoming.links.filter((link) => !servesTarget(link)),
    ...outgoing.links.filter((link) => servesTarget(link)),
  ];
  const usedBy = new Map(used.map((asset) => [asset.id, asset]));
  const ends = links.map((link) => {
    const { sourceId, targetId } = link;
    const [usedId, userId] = servesTarget(link) ? [sourceId, targetId] : [targetId, sourceId];
    const stops = containedBy(link) === userId || (link.type === "uses" && usedBy.get(usedId)?.assetType === "model");
    return { usedId, userId, relation: link.type, stops };
  });
  const wanted = [...new Set(ends.map(({ userId }) => userId))].filter((id) => isIdOf(assets, id));
  const rows = await inChunks(wanted, (some) => ctx.db.getMany(assets, some));
  const found = new Map(rows.map((row) => [row.id, ctx.derived(assets, row)]));
  const users = ends.flatMap(({ userId, ...end }) => {
    const asset = found.get(userId);
    return asset && asset.status !== "retired" ? [{ asset, ...end }] : [];
  });
  return { users, complete: incoming.complete && outgoing.complete };
}

/** Whether the source of a relation is what the target uses. */
const servesTarget = ({ type }: Link) => type === "exposes" || type === "delegates_to";

async function linksBy(
  ctx: ReadContext,
  field: "sourceId" | "targetId",
  ids: readonly string[],
): Promise<{ readonly links: readonly AssetLink[]; readonly complete: boolean }> {
  const found = await inChunks(ids, async (values) => [
    ...(await ctx.db.findTopPerKey(assetLinks, { field, values, size: MOST_LINKS + 1 })),
  ]);
  return {
    links: found.flatMap(([, rows]) => rows.slice(0, MOST_LINKS).map(({ value }) => value)),
    complete: found.every(([, rows]) => rows.length <= MOST_LINKS),
  };
}
