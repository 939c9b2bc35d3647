import type { Asset } from "../schema.js";
import type { Graph } from "./graph.js";

/**
 * Whether an agent says that it uses a tool: by its lists of tools and servers, by a relation to the tool or its
 * server, or by a relation of the tool to the agent. Both are of the graph.
 */
export function usesTool({ nodes }: Graph, agent: Asset, tool: Asset): boolean {
  const ofAgent = nodes.get(agent.id);
  const servers = (nodes.get(tool.id)?.containers ?? []).flatMap(({ id, relation }) =>
    relation === "exposes" ? [id] : [],
  );
  const listed = (ofAgent?.view?.references ?? []).flatMap(({ ids }) => ids);
  const named = new Set([...listed, ...agent.relations.map(({ targetId }) => targetId)]);
  return (
    [tool.id, ...servers].some((id) => named.has(id)) || tool.relations.some(({ targetId }) => targetId === agent.id)
  );
}
