import type { ASTNode } from "@marcbachmann/cel-js";
import type { Compared } from "../ports/expressions.js";
import { pathOf, visit } from "./paths.js";

const COMPARISONS: ReadonlySet<string> = new Set(["==", "!=", "in"]);

/** The texts and fields that an expression compares the field at a path with. */
export function comparedWith(ast: ASTNode, path: string): Compared {
  const [texts, paths] = [new Set<string>(), new Set<string>()];
  visit(ast, (node, scope) => {
    if (!COMPARISONS.has(node.op)) return;
    const [left, right] = node.args as readonly [ASTNode, ASTNode];
    const others = pathOf(left, scope) === path ? [right] : pathOf(right, scope) === path ? [left] : [];
    for (const other of others.flatMap((one) => (one.op === "list" ? one.args : [one]))) {
      const field = pathOf(other, scope);
      if (field !== undefined) paths.add(field);
      if (other.op === "value" && typeof other.args === "string") texts.add(other.args);
    }
  });
  return { texts: [...texts], paths: [...paths] };
}
