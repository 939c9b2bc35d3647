import { assetLinks } from "#families/estate/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";

/** Relations by which one asset can use another one. */
const CALLS: ReadonlySet<string> = new Set(["uses", "delegates_to"]);
const STEPS = 5;
const LINKS = 100;
const MOST = 400;

/** Who can do what together: for each asset that can, everything that it can call, itself among it. */
export interface Reach {
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** Whether some of it was left out, because it is too much. */
  readonly cut: boolean;
}

interface Walk {
  readonly edges: Map<string, Set<string>>;
  readonly seen: Set<string>;
  cut: boolean;
}

/** What assets can call, with a fixed number of queries per step; with `callers` also that of all that can call them. */
export async function reachOf(ctx: ReadContext, roots: readonly string[], callers: boolean): Promise<Reach> {
  const walk: Walk = { edges: new Map(), seen: new Set(roots), cut: false };
  if (callers) await follow(ctx, walk, roots, "targetId");
  const tops = [...walk.seen];
  await follow(ctx, walk, tops, "sourceId");
  return { groups: new Map(tops.map((id) => [id, below(walk.edges, id)])), cut: walk.cut };
}

async function follow(ctx: ReadContext, walk: Walk, from: readonly string[], field: "sourceId" | "targetId") {
  let level = [...from];
  for (let step = 0; level.length > 0; step += 1) {
    if (step === STEPS) {
      walk.cut = true;
      return;
    }
    const found = await ctx.db.findTopPerKey(assetLinks, { field, values: level, size: LINKS });
    const next = new Set<string>();
    for (const rows of found.values()) {
      if (rows.length === LINKS) walk.cut = true;
      for (const { value: link } of rows) {
        if (!CALLS.has(link.type)) continue;
        walk.edges.set(link.sourceId, (walk.edges.get(link.sourceId) ?? new Set()).add(link.targetId));
        const other = field === "sourceId" ? link.targetId : link.sourceId;
        if (!walk.seen.has(other)) next.add(other);
      }
    }
    level = [...next].slice(0, MOST - walk.seen.size);
    if (level.length < next.size) walk.cut = true;
    for (const id of level) walk.seen.add(id);
  }
}

function below(edges: Walk["edges"], top: string): string[] {
  const all = new Set([top]);
  for (const id of all) for (const other of edges.get(id) ?? []) all.add(other);
  return [...all];
}
