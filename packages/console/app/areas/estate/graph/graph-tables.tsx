import { Link } from "@tanstack/react-router";
import { t } from "../../../texts/index.js";
import { Empty } from "../../../ui/states.js";
import { StatusBadge } from "../../../ui/status-badge.js";
import { Text } from "../../../ui/text.js";
import { type VirtualColumn, VirtualTable } from "../../../ui/virtual-table.js";
import { GOVERNANCE_TONES } from "../terms.js";
import { stateOf } from "./asset-map.js";
import type { AssetGraph, GraphEdge, GraphNode } from "./graph-query.js";

function AssetLink({ id, name }: { readonly id: string; readonly name: string | undefined }) {
  return (
    <Link to="/estate/assets/$id" params={{ id }}>
      <Text>{name ?? id}</Text>
    </Link>
  );
}

const ASSETS: readonly VirtualColumn<GraphNode>[] = [
  { key: "name", head: t.estate.columns.name, cell: ({ id, name }) => <AssetLink id={id} name={name} /> },
  { key: "type", head: t.estate.columns.type, cell: ({ assetType }) => t.estate.types[assetType] },
  { key: "team", head: t.estate.columns.team, cell: ({ team }) => <Text>{team?.name ?? team?.id}</Text> },
  {
    key: "state",
    head: t.estate.state,
    cell: (node) => (
      <StatusBadge tone={node.stop === null ? GOVERNANCE_TONES[node.governanceState] : "bad"}>
        {stateOf(node)}
      </StatusBadge>
    ),
  },
  {
    key: "findings",
    head: t.estate.facts.findings,
    cell: ({ openFindings: open }) =>
      open === null ? t.unknown : t.estate.findingCount(open.critical + open.high + open.medium + open.low + open.info),
  },
  {
    key: "elsewhere",
    head: t.estate.elsewhere,
    cell: ({ relationsElsewhere: count }) => (count === null ? t.estate.elsewhereMany : t.estate.findingCount(count)),
  },
];

/** What a map of the estate shows, as tables. */
export function GraphTables({ items, edges }: Pick<AssetGraph, "items" | "edges">) {
  const names = new Map(items.map(({ id, name }) => [id, name]));
  const relations: readonly VirtualColumn<GraphEdge>[] = [
    { key: "from", head: t.estate.from, cell: ({ sourceId: id }) => <AssetLink id={id} name={names.get(id)} /> },
    { key: "relation", head: t.estate.relation, cell: ({ type }) => t.estate.relations[type] },
    { key: "to", head: t.estate.to, cell: ({ targetId: id }) => <AssetLink id={id} name={names.get(id)} /> },
  ];
  const shared = { isExact: true, onEnd: undefined };
  return (
    <>
      <h2>{t.estate.list}</h2>
      <VirtualTable
        {...shared}
        caption={t.estate.list}
        columns={ASSETS}
        rows={items}
        total={items.length}
        rowKey={({ id }) => id}
        empty={<Empty {...t.estate.empty} />}
      />
      <h2>{t.estate.relationTable}</h2>
      <VirtualTable
        {...shared}
        caption={t.estate.relationTable}
        columns={relations}
        rows={edges}
        total={edges.length}
        rowKey={({ type, sourceId, targetId }) => `${type} ${sourceId} ${targetId}`}
        empty={<Empty title={t.estate.noEdges} />}
      />
    </>
  );
}
