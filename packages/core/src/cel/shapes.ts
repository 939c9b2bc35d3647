import type { ASTNode } from "@marcbachmann/cel-js";
import { childrenOf, comprehensionOf } from "./paths.js";

/**
 * How deep the lists and maps nest that an expression builds itself, by literals or `map`. Calls `met` with the depth
 * of every node.
 */
export function depthOf(
  node: ASTNode,
  met: (node: ASTNode, depth: number) => void,
  variables: ReadonlyMap<string, number> = new Map(),
): number {
  const depth = bareDepthOf(node, met, variables);
  met(node, depth);
  return depth;
}

function bareDepthOf(
  node: ASTNode,
  met: (node: ASTNode, depth: number) => void,
  variables: ReadonlyMap<string, number>,
): number {
  const comprehension = comprehensionOf(node);
  if (comprehension) {
    const { name, receiver, variable, bodies } = comprehension;
    const list = depthOf(receiver, met, variables);
    const inner = new Map(variables).set(variable, Math.max(0, list - 1));
    const depths = bodies.map((body) => depthOf(body, met, inner));
    if (name === "map") return 1 + (depths.at(-1) ?? 0);
    return name === "filter" ? list : 0;
  }
  const depths = childrenOf(node).map((child) => depthOf(child, met, variables));
  const most = Math.max(0, ...depths);
  switch (node.op) {
    case "id":
      return variables.get(node.args) ?? 0;
    case "list":
    case "map":
      return 1 + most;
    case "?:":
      return most;
    case "rcall":
      return node.args[0] === "orValue" ? most : 0;
    case ".":
    case "[]":
      return Math.max(0, (depths[0] as number) - 1);
    default:
      return 0;
  }
}
