import { TYPES } from "../terms.js";
import type { GraphEdge, GraphNode } from "./graph-query.js";

/** Sizes in pixels. */
export const NODE = { width: 200, height: 44, gap: 18 };
const COLUMN_GAP = 110;
const HEAD = 32;
/** How often the columns are ordered by what their assets lead to. */
const SWEEPS = 4;

/** From what people and programs start to what these use. */
const ORDER: readonly GraphNode["assetType"][] = [
  ...(["application", "agent", "identity", "prompt", "mcp_server", "tool", "model", "dataset", "other"] as const),
];

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Where the assets of a graph stand: one column for each type, each ordered so that few relations cross. */
export interface Columns {
  readonly width: number;
  readonly height: number;
  readonly heads: readonly { readonly type: GraphNode["assetType"]; readonly x: number }[];
  readonly places: ReadonlyMap<string, Place>;
}

export function columnsOf(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): Columns {
  const types = [...ORDER, ...TYPES.filter((type) => !ORDER.includes(type))];
  const columns = types
    .map((type) => ({ type, ids: nodes.filter(({ assetType }) => assetType === type).map(({ id }) => id) }))
    .filter(({ ids }) => ids.length > 0);
  const near = neighbours(edges);
  const rank = new Map(columns.flatMap(({ ids }) => ids.map((id, at) => [id, at / ids.length] as const)));
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const { ids } of sweep % 2 === 0 ? columns : columns.toReversed()) {
      const weight = new Map(ids.map((id) => [id, meanOf(near.get(id) ?? [], rank) ?? rank.get(id) ?? 0]));
      ids.sort((one, other) => (weight.get(one) ?? 0) - (weight.get(other) ?? 0));
      for (const [at, id] of ids.entries()) rank.set(id, at / ids.length);
    }
  }
  const xOf = (column: number) => column * (NODE.width + COLUMN_GAP);
  const step = NODE.height + NODE.gap;
  // Every other column stands half a step lower, so that a line that goes past it is seen between its assets.
  const yOf = (at: number, column: number) => HEAD + (at + (column % 2) / 2) * step;
  const longest = Math.max(0, ...columns.map(({ ids }) => ids.length));
  return {
    width: Math.max(0, xOf(columns.length) - COLUMN_GAP / 2),
    height: yOf(longest, 1),
    heads: columns.map(({ type }, column) => ({ type, x: xOf(column) })),
    places: new Map(
      columns.flatMap(({ ids }, column) => ids.map((id, at) => [id, { x: xOf(column), y: yOf(at, column) }] as const)),
    ),
  };
}

function neighbours(edges: readonly GraphEdge[]): ReadonlyMap<string, readonly string[]> {
  const near = new Map<string, string[]>();
  const add = (id: string, other: string) => {
    const known = near.get(id);
    if (known) known.push(other);
    else near.set(id, [other]);
  };
  for (const { sourceId, targetId } of edges) {
    add(sourceId, targetId);
    add(targetId, sourceId);
  }
  return near;
}

function meanOf(ids: readonly string[], rank: ReadonlyMap<string, number>): number | undefined {
  if (ids.length === 0) return undefined;
  return ids.reduce((sum, id) => sum + (rank.get(id) ?? 0), 0) / ids.length;
}

/** The line of a relation, from edge to edge. Between assets of one column it bends beside them. */
export function lineOf(from: Place, to: Place): string {
  const [y1, y2] = [from.y + NODE.height / 2, to.y + NODE.height / 2];
  const right = from.x + NODE.width;
  if (from.x === to.x) return `M${right} ${y1} C${right + 50} ${y1} ${right + 50} ${y2} ${right} ${y2}`;
  const [x1, x2] = from.x < to.x ? [right, to.x] : [from.x, to.x + NODE.width];
  const middle = (x1 + x2) / 2;
  return `M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
}
