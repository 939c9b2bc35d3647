import { inChunks } from "#kernel/async/in-chunks.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { stopsOf } from "./containment/stops.js";
import type { Link } from "./relations/link.js";
import { assetLinks } from "./relations/links.js";
import { assets } from "./schema.js";

/** The most assets of one graph, and the most relations of one asset that are read in one direction. */
export const MOST_NODES = 500;
export const MOST_LINKS = 100;

/** The newest relations that start or end at each of these assets, and those assets of which there are more. */
async function linksAt(ctx: ReadContext, end: "sourceId" | "targetId", ids: readonly string[]) {
  const found = await inChunks(ids, (values) =>
    ctx.db.findTopPerKey(assetLinks, { field: end, values, size: MOST_LINKS + 1 }),
  );
  const links = found.flatMap(([, rows]) => rows.slice(0, MOST_LINKS).map(({ value }): Link => value));
  return { links, more: new Set(found.filter(([, rows]) => rows.length > MOST_LINKS).map(([id]) => id)) };
}

/**
 * The newest assets that fit a query, and the relations between them. What an asset and its record both declare is one
 * relation. A fixed number of queries.
 */
export async function estateGraphOf(ctx: ReadContext, query: object) {
  const stopOf = await stopsOf(ctx);
  const { records, total, complete } = await ctx.first(assets, query, MOST_NODES, (asset) => {
    const { id, name, assetType, provider, environment, status, governanceState, riskTier, team, openFindings } = asset;
    return {
      ...{ id, name, assetType, provider, environment, status, governanceState, riskTier, team, openFindings },
      stop: stopOf(asset) ?? null,
    };
  });
  const ids = records.map(({ id }) => id);
  const [outgoing, incoming] = await Promise.all([linksAt(ctx, "sourceId", ids), linksAt(ctx, "targetId", ids)]);
  const links = new Map(
    [...outgoing.links, ...incoming.links].map((link) => [`${link.type} ${link.sourceId} ${link.targetId}`, link]),
  );
  const shown = new Set(ids);
  const elsewhere = new Map<string, number>();
  const edges: Link[] = [];
  for (const { type, sourceId, targetId } of links.values()) {
    if (shown.has(sourceId) && shown.has(targetId)) {
      edges.push({ type, sourceId, targetId });
      continue;
    }
    const id = shown.has(sourceId) ? sourceId : targetId;
    elsewhere.set(id, (elsewhere.get(id) ?? 0) + 1);
  }
  const isOverfull = (id: string) => outgoing.more.has(id) || incoming.more.has(id);
  return {
    asOf: ctx.now,
    items: records.map((node) => ({
      ...node,
      relationsElsewhere: isOverfull(node.id) ? null : (elsewhere.get(node.id) ?? 0),
    })),
    edges,
    totalAssets: total.count,
    totalRelation: total.exact ? ("exact" as const) : ("atLeast" as const),
    complete,
    // A relation is read from both of its ends, so it is missed only where both have more.
    relationsComplete: outgoing.more.size === 0 || incoming.more.size === 0,
  };
}
