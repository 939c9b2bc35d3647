import { Link } from "@tanstack/react-router";
import { useId, useMemo } from "react";
import { t } from "../../../texts/index.js";
import { plainText } from "../../../ui/text.js";
import { GOVERNANCE_TONES } from "../terms.js";
import { columnsOf, lineOf, NODE } from "./columns.js";
import type { AssetGraph, GraphNode } from "./graph-query.js";

/** Letters of a name that fit into a node. */
const FIT = 26;

/** Assets in columns by their type, and what leads from one to another. The same facts stand in tables beside it. */
export function AssetMap({ items, edges }: Pick<AssetGraph, "items" | "edges">) {
  const arrow = useId();
  const { width, height, heads, places } = useMemo(() => columnsOf(items, edges), [items, edges]);
  return (
    <section className="graph graph-window" aria-label={t.estate.map}>
      {/* biome-ignore lint/a11y/useSemanticElements: a group within a picture has no element of its own */}
      <svg
        role="group"
        aria-label={t.estate.mapOf}
        viewBox={`-4 0 ${width + 8} ${height}`}
        width={width}
        height={height}
      >
        <marker
          id={arrow}
          className="graph-arrow"
          viewBox="0 0 8 8"
          refX={8}
          refY={4}
          markerWidth={8}
          markerHeight={8}
          orient="auto"
        >
          <path d="M0 0 L8 4 L0 8 Z" />
        </marker>
        {heads.map(({ type, x }) => (
          <text key={type} className="graph-head" x={x} y={18}>
            {t.estate.types[type]}
          </text>
        ))}
        {edges.map(({ type, sourceId, targetId }) => {
          const [from, to] = [places.get(sourceId), places.get(targetId)];
          return (
            from &&
            to && (
              <path
                key={`${type} ${sourceId} ${targetId}`}
                className="graph-edge"
                d={lineOf(from, to)}
                markerEnd={`url(#${arrow})`}
              />
            )
          );
        })}
        {items.map((node) => {
          const { x, y } = places.get(node.id) ?? { x: 0, y: 0 };
          const name = plainText(node.name);
          const state = stateOf(node);
          return (
            <Link
              key={node.id}
              to="/estate/assets/$id"
              params={{ id: node.id }}
              className={`graph-node graph-${node.stop === null ? GOVERNANCE_TONES[node.governanceState] : "bad"}`}
            >
              <rect x={x} y={y} width={NODE.width} height={NODE.height} rx={6} />
              <text x={x + 10} y={y + 18}>
                {name.length > FIT ? `${name.slice(0, FIT - 1)}…` : name}{" "}
              </text>
              <text className="graph-state" x={x + 10} y={y + 35}>
                {state}
              </text>
            </Link>
          );
        })}
      </svg>
    </section>
  );
}

/** What one has to know of an asset in a word: a stop goes before its governance state. */
export const stateOf = ({ stop, governanceState }: GraphNode) =>
  stop === null ? t.estate.governance[governanceState] : t.estate.stopped;
