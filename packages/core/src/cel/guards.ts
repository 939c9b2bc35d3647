import type { ASTNode } from "@marcbachmann/cel-js";
import type { ExpressionFault, Vocabulary } from "../ports/expressions.js";
import { FUNCTIONS } from "./functions.js";
import { LIMITS } from "./limits.js";
import { fieldAt, pathOf, type Scope, visit } from "./paths.js";

/** What an expression may not do, and where; before line and column are known. */
export interface Objection {
  readonly code: ExpressionFault["code"];
  readonly message: string;
  readonly at: number;
}

/** What the language would allow and we do not: unknown functions, comprehensions too deep, comparisons that cannot hold. */
export function objectionTo(ast: ASTNode, vocabulary: Vocabulary): Objection | undefined {
  let found: Objection | undefined;
  visit(ast, (node, scope, depth) => {
    found ??= refusedCall(node) ?? tooDeep(node, depth) ?? impossible(node, scope, vocabulary);
  });
  return found;
}

function refusedCall(node: ASTNode): Objection | undefined {
  if (node.op !== "call" && node.op !== "rcall") return undefined;
  const name = node.args[0];
  if (Object.hasOwn(FUNCTIONS, name)) return undefined;
  const message = `There is no function "${name}" here; there are ${Object.keys(FUNCTIONS).join(", ")}.`;
  return { code: "unknown_function", message, at: node.start };
}

function tooDeep(node: ASTNode, depth: number): Objection | undefined {
  if (depth <= LIMITS.comprehensions) return undefined;
  const message = `Comprehensions stand at most ${LIMITS.comprehensions} deep in one another.`;
  return { code: "too_complex", message, at: node.start };
}

/** A field that is compared with a text it never holds makes a rule that never speaks, or always. */
function impossible(node: ASTNode, scope: Scope, vocabulary: Vocabulary): Objection | undefined {
  if (node.op !== "==" && node.op !== "!=" && node.op !== "in") return undefined;
  const [left, right] = node.args;
  const pairs: [ASTNode, ASTNode][] =
    node.op === "in"
      ? inPairs(left, right)
      : [
          [left, right],
          [right, left],
        ];
  for (const [side, literal] of pairs) {
    const path = pathOf(side, scope);
    const field = path === undefined ? undefined : fieldAt(vocabulary, path);
    if (!field?.values || literal.op !== "value" || typeof literal.args !== "string") continue;
    if (field.values.includes(literal.args)) continue;
    const message = `"${path}" is never "${literal.args}"; it is one of ${field.values.join(", ")}.`;
    return { code: "impossible_value", message, at: literal.start };
  }
  return undefined;
}

/** `field in ["a", "b"]` compares the field with each text; `"a" in list` compares each item with the text. */
function inPairs(left: ASTNode, right: ASTNode): [ASTNode, ASTNode][] {
  if (right.op === "list") return right.args.map((literal) => [left, literal]);
  return [[right, left]];
}
