import { inChunks } from "#kernel/async/in-chunks.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isIdOf } from "#store/collection.js";
import { type RecordView, recordViews } from "../effective/record-side.js";
import { type AssetLink, assetLinks } from "../relations/links.js";
import { type Asset, assets } from "../schema.js";
import { type Container, containersOf } from "./edges.js";

/** The most steps from an asset to what it stands or falls with, and the most assets on the way. */
export const MOST_LEVELS = 5;
export const MOST_NODES = 1_000;
/** The most relations of one asset that hold it. */
const MOST_LINKS = 100;
/** The most assets whose bounds add up in one reading. */
const MOST_ROOTS = 20;

/** An asset with its record and what it stands or falls with. */
export interface Node {
  readonly asset: Asset;
  readonly view: RecordView | undefined;
  readonly containers: readonly Container[];
  /** Whether it has more relations than are read. */
  readonly overfull: boolean;
}

/** Assets and what they stand or fall with. */
export interface Graph {
  readonly nodes: ReadonlyMap<string, Node>;
  /** Whether the reading got as far as this asset, which then has a node if it exists. */
  reached(id: string): boolean;
}

/** Reads what assets stand or fall with, step by step within the bounds, with a fixed number of queries per step. */
export async function graphOf(ctx: ReadContext, roots: readonly Asset[]): Promise<Graph> {
  const nodes = new Map<string, Node>();
  const seen = new Set(roots.map(({ id }) => id));
  const most = MOST_NODES * Math.min(Math.max(roots.length, 1), MOST_ROOTS);
  let level: readonly Asset[] = [...new Map(roots.map((asset) => [asset.id, asset])).values()];
  for (let depth = 0; level.length > 0; depth += 1) {
    const [views, links] = await Promise.all([recordViews(ctx, level), linksOf(ctx, level)]);
    const next = new Map<string, Container>();
    for (const asset of level) {
      const node = nodeOf(asset, views.get(asset.id), links.get(asset.id) ?? []);
      nodes.set(asset.id, node);
      for (const container of node.containers)
        if (!seen.has(container.id) && !isHeld(next.get(container.id))) next.set(container.id, container);
    }
    if (next.size === 0 || depth === MOST_LEVELS || seen.size + next.size > most) break;
    for (const id of next.keys()) seen.add(id);
    level = (await assetsOf(ctx, [...next.keys()])).filter(
      ({ id, assetType }) => assetType === "model" || isHeld(next.get(id)),
    );
  }
  return { nodes, reached: (id) => seen.has(id) };
}

/** Whether a container holds an asset whatever its type is. */
const isHeld = (container: Container | undefined) => container !== undefined && container.relation !== "uses";

function nodeOf(asset: Asset, view: RecordView | undefined, links: readonly AssetLink[]): Node {
  const containers = containersOf(asset.relations, view?.references ?? [], links.slice(0, MOST_LINKS));
  return { asset, view, containers, overfull: links.length > MOST_LINKS };
}

/** The relations that make each of these assets stand or fall with another one. */
async function linksOf(ctx: ReadContext, level: readonly Asset[]): Promise<ReadonlyMap<string, AssetLink[]>> {
  const ids = level.map(({ id }) => id);
  const found = await inChunks(ids, async (values) => [
    ...(await ctx.db.findTopPerKey(assetLinks, { field: "containedId", values, size: MOST_LINKS + 1 })),
  ]);
  return new Map(found.map(([id, rows]) => [id, rows.map(({ value }) => value)]));
}

async function assetsOf(ctx: ReadContext, ids: readonly string[]): Promise<Asset[]> {
  const own = ids.filter((id) => isIdOf(assets, id));
  const rows = own.length > 0 ? await inChunks(own, (some) => ctx.db.getMany(assets, some)) : [];
  return rows.map((row) => ctx.derived(assets, row));
}
