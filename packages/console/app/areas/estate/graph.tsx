import dagre from "@dagrejs/dagre";
import type { t } from "../../texts/index.js";
import { plainText } from "../../ui/text.js";

interface GraphProps {
  readonly label: string;
  readonly nodes: readonly { readonly id: string; readonly name: string; readonly isCentre: boolean }[];
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly relation: keyof typeof t.estate.relations;
  }[];
}

const NODE = { width: 200, height: 36 };
/** Letters of a name that fit into a node. */
const FIT = 26;

/** Assets and what leads from one to another, from left to right. The same facts stand in a table beside it. */
export function Graph({ label: given, nodes, edges }: GraphProps) {
  const label = plainText(given);
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: 12, ranksep: 90, marginx: 4, marginy: 4 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) graph.setNode(id, { ...NODE });
  for (const { from, to, relation } of edges) graph.setEdge(from, to, {}, relation);
  dagre.layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse one scrolls it by keys, which takes the focus
    <section className="graph" aria-label={label} tabIndex={0}>
      <svg role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
        {graph.edges().map(({ v, w, name }) => {
          const { points } = graph.edge({ v, w, ...(name === undefined ? {} : { name }) }) as {
            points: readonly { x: number; y: number }[];
          };
          return (
            <polyline
              key={`${v} ${name} ${w}`}
              className="graph-edge"
              points={points.map(({ x, y }) => `${x},${y}`).join(" ")}
            />
          );
        })}
        {nodes.map(({ id, name, isCentre }) => {
          const { x, y } = graph.node(id) as { x: number; y: number };
          return (
            <g key={id} className={isCentre ? "graph-node graph-centre" : "graph-node"}>
              <rect x={x - NODE.width / 2} y={y - NODE.height / 2} {...NODE} rx={6} />
              <text x={x} y={y} textAnchor="middle" dominantBaseline="central">
                {shortened(plainText(name))}
              </text>
            </g>
          );
        })}
      </svg>
    </section>
  );
}

const shortened = (name: string) => (name.length > FIT ? `${name.slice(0, FIT - 1)}…` : name);
