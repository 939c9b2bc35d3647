import type { ASTNode } from "@marcbachmann/cel-js";
import type { ExpressionFault, Vocabulary } from "../ports/expressions.js";
import { FUNCTIONS } from "./functions.js";
import { LIMITS } from "./limits.js";
import { fieldAt, pathOf, type Scope, visit } from "./paths.js";
import { checkConversion, isConversion } from "./readers.js";
import { depthOf } from "./shapes.js";

/** Why an expression is refused, with the offset in its source. */
export interface Rejection {
  readonly code: ExpressionFault["code"];
  readonly message: string;
  readonly at: number;
}

/**
 * The first thing in an expression that CEL allows and Reeve refuses, such as unknown functions, deep comprehensions
 * and impossible comparisons.
 */
export function rejectionOf(
  ast: ASTNode,
  vocabulary: Vocabulary,
  /** Functions beyond those of rules. */
  also: readonly string[] = [],
): Rejection | undefined {
  let found: Rejection | undefined;
  visit(ast, (node, scope, depth) => {
    const levels = depth + (searchesList(node, scope) ? 1 : 0);
    found ??=
      refusedCall(node, also) ??
      withoutValue(node) ??
      tooDeep(node, levels) ??
      joinsLists(node, scope, vocabulary) ??
      unclearKey(node, scope, vocabulary) ??
      tooLargeInteger(node) ??
      impossible(node, scope, vocabulary);
  });
  return found ?? tooNested(ast);
}

/** The library keeps every type that an expression makes for good, and prints it in full. */
function tooNested(ast: ASTNode): Rejection | undefined {
  let found: Rejection | undefined;
  depthOf(ast, ({ start }, depth) => {
    if (depth <= LIMITS.built) return;
    const message = `Lists and maps that an expression makes stand at most ${LIMITS.built} deep in one another.`;
    found ??= { code: "too_complex", message, at: start };
  });
  return found;
}

/**
 * The library reads integers of any length, and printing one takes quadratic time. A minus sign is a node of its own.
 */
function tooLargeInteger({ op, args, start }: ASTNode): Rejection | undefined {
  if (op !== "value" || typeof args !== "bigint" || args <= 2n ** 63n) return undefined;
  return { code: "too_complex", message: "An integer has at most 64 bits.", at: start };
}

/**
 * A map key that is itself a list or map makes a type whose size doubles with each level. Of two equal keys the library
 * keeps the last, and the language neither.
 */
function unclearKey(node: ASTNode, scope: Scope, vocabulary: Vocabulary): Rejection | undefined {
  if (node.op !== "map") return undefined;
  const written = node.args.map(([key]) => (key.op === "value" ? key.args : key));
  const twice = node.args.find((_, at) => written.slice(0, at).includes(written[at] ?? null))?.[0];
  if (twice) return { code: "impossible_value", message: "This key of the map is written twice.", at: twice.start };
  const key = node.args.find(([each]) => isNull(each) || !isScalar(each, scope, vocabulary))?.[0];
  if (!key) return undefined;
  const message = "A key must surely be a number or a text, as by int() or string().";
  return { code: "too_complex", message, at: key.start };
}

const isNull = ({ op, args }: ASTNode) => op === "value" && args === null;

function refusedCall(node: ASTNode, also: readonly string[]): Rejection | undefined {
  if (node.op !== "call" && node.op !== "rcall") return undefined;
  const name = node.args[0];
  if (Object.hasOwn(FUNCTIONS, name) || also.includes(name)) return undefined;
  const message = `There is no function "${name}" here; there are ${Object.keys(FUNCTIONS).join(", ")}.`;
  return { code: "unknown_function", message, at: node.start };
}

/** A conversion of what is written has no value. */
function withoutValue(node: ASTNode): Rejection | undefined {
  if (node.op !== "call") return undefined;
  const [name, [operand]] = node.args;
  if (operand?.op !== "value" || !isConversion(name)) return undefined;
  try {
    checkConversion(name, operand.args);
    return undefined;
  } catch (thrown) {
    return { code: "impossible_value", message: (thrown as Error).message, at: operand.start };
  }
}

/**
 * `x in list` scans the list, so it counts as a comprehension. Literal lists and parameters are short and do not count.
 */
function searchesList(node: ASTNode, scope: Scope): boolean {
  if (node.op !== "in" || node.args[1].op === "list") return false;
  return !pathOf(node.args[1], scope)?.startsWith("params.");
}

function tooDeep(node: ASTNode, levels: number): Rejection | undefined {
  if (levels <= LIMITS.comprehensions) return undefined;
  const message = `Comprehensions, and \`in\` on lists that are read, stand at most ${LIMITS.comprehensions} deep in one another.`;
  return { code: "too_complex", message, at: node.start };
}

/** A joined list could be longer than `LIMITS.listItems`, so `+` must not take lists. */
function joinsLists(node: ASTNode, scope: Scope, vocabulary: Vocabulary): Rejection | undefined {
  if (node.op !== "+" || node.args.some((side) => isScalar(side, scope, vocabulary))) return undefined;
  const message = "One side of `+` must surely be a number, a text or a moment, as by int() or string().";
  return { code: "too_complex", message, at: node.start };
}

const SCALAR_TYPES: ReadonlySet<unknown> = new Set(["int", "double", "string", "time"]);
const SCALAR_CALLS: ReadonlySet<string> = new Set([
  "lowerAscii",
  "upperAscii",
  "int",
  "uint",
  "double",
  "string",
  "size",
  "timestamp",
  "duration",
]);
const SCALAR_OPERATORS: ReadonlySet<string> = new Set(["-", "*", "/", "%", "-_"]);

function isScalar(node: ASTNode, scope: Scope, vocabulary: Vocabulary): boolean {
  if (node.op === "value" || SCALAR_OPERATORS.has(node.op)) return true;
  if (node.op === "call" || node.op === "rcall") return SCALAR_CALLS.has(node.args[0]);
  if (node.op === "+") return node.args.some((side) => isScalar(side, scope, vocabulary));
  const path = pathOf(node, scope);
  return path !== undefined && SCALAR_TYPES.has(fieldAt(vocabulary, path)?.type);
}

/** A rule that compares a field with a text outside its values would always pass or always fail. */
function impossible(node: ASTNode, scope: Scope, vocabulary: Vocabulary): Rejection | undefined {
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
