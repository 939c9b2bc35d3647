import { usedIds } from "../rules.js";
import type { Asset } from "../schema.js";
import type { Graph } from "./graph.js";

/**
 * Whether an agent says that it uses a tool: by its lists of tools and servers, or by a relation `uses` to the tool or its
 * server. What a tool says of itself permits it to nobody. Both are of the graph.
 */
export function usesTool({ nodes }: Graph, agent: Asset, tool: Asset): boolean {
  const ofAgent = nodes.get(agent.id);
  const servers = (nodes.get(tool.id)?.containers ?? []).flatMap(({ id, relation }) =>
    relation === "exposes" ? [id] : [],
  );
  const listed = (ofAgent?.view?.references ?? []).flatMap(({ ids }) => ids);
  const named = new Set([...listed, ...usedIds(agent)]);
  return [tool.id, ...servers].some((id) => named.has(id));
}
