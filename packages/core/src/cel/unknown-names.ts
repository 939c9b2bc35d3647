import type { ASTNode } from "@marcbachmann/cel-js";
import { nearName } from "../names/near-name.js";
import type { Vocabulary } from "../ports/expressions.js";
import { fieldAt, objectOf, pathOf, type Scope, visit } from "./paths.js";

/** What the first unknown name of an expression may have meant, as ` Did you mean "hasOwner"?`; else an empty text. */
export function meantBy(ast: ASTNode, vocabulary: Vocabulary): string {
  let meant: string | undefined;
  visit(ast, (node, scope) => {
    const unknown = unknownIn(node, scope, vocabulary);
    if (unknown) meant ??= nearName(unknown.name, Object.keys(unknown.known));
  });
  return meant === undefined ? "" : `. Did you mean "${meant}"?`;
}

/** The name that a node reads and that is not there, and those that are. */
function unknownIn(node: ASTNode, scope: Scope, vocabulary: Vocabulary) {
  if (node.op === "id") {
    const isKnown = scope.has(node.args) || Object.hasOwn(vocabulary, node.args);
    return isKnown ? undefined : { name: node.args, known: vocabulary };
  }
  if (node.op !== ".") return undefined;
  const [holder, name] = node.args;
  const path = pathOf(holder, scope);
  const known = path === undefined ? undefined : objectOf(fieldAt(vocabulary, path)?.type)?.fields;
  return known === undefined || Object.hasOwn(known, name) ? undefined : { name, known };
}
