import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { t } from "../../texts/index.js";
import { Loaded } from "../../ui/loaded.js";
import { Empty } from "../../ui/states.js";
import { Text } from "../../ui/text.js";
import { impactQuery, relationsQuery } from "./asset-query.js";
import { Graph } from "./graph.js";
import type { Asset } from "./terms.js";

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly relation: keyof typeof t.estate.relations;
}

/** What an asset uses and what uses it: as a graph, and the same as a table. */
export function RelationsOf({ asset }: { readonly asset: Asset }) {
  const relations = useQuery(relationsQuery(asset.id));
  const impact = useQuery(impactQuery(asset.id));
  return (
    <Loaded query={relations}>
      {({ items: uses }) => (
        <Loaded query={impact}>
          {({ items: users, complete }) => {
            const names = new Map([
              [asset.id, asset.name],
              ...uses.map(({ targetId, name }) => [targetId, name ?? targetId] as const),
              ...users.map(({ id, name }) => [id, name ?? id] as const),
            ]);
            const edges: readonly Edge[] = [
              ...uses.map(({ targetId, type }) => ({ from: asset.id, to: targetId, relation: type })),
              ...users.map(({ id, usedId, relation }) => ({ from: id, to: usedId, relation })),
            ];
            if (edges.length === 0) return <Empty title={t.estate.noRelations} />;
            const nodes = [...names].map(([id, name]) => ({ id, name, isCentre: id === asset.id }));
            return (
              <>
                <Graph label={t.estate.graphOf(asset.name)} nodes={nodes} edges={edges} />
                {!complete && <p>{t.estate.graphCut}</p>}
                <table className="data-table">
                  <caption>{t.estate.relationTable}</caption>
                  <thead>
                    <tr>
                      <th scope="col">{t.estate.from}</th>
                      <th scope="col">{t.estate.relation}</th>
                      <th scope="col">{t.estate.to}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {edges.map(({ from, to, relation }) => (
                      <tr key={`${from} ${relation} ${to}`}>
                        <td data-head={t.estate.from}>
                          <AssetLink id={from} name={names.get(from)} />
                        </td>
                        <td data-head={t.estate.relation}>{t.estate.relations[relation]}</td>
                        <td data-head={t.estate.to}>
                          <AssetLink id={to} name={names.get(to)} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </>
            );
          }}
        </Loaded>
      )}
    </Loaded>
  );
}

function AssetLink({ id, name }: { readonly id: string; readonly name: string | undefined }) {
  return (
    <Link to="/estate/assets/$id" params={{ id }}>
      <Text>{name ?? id}</Text>
    </Link>
  );
}
