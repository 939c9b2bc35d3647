import type { ASTNode } from "@marcbachmann/cel-js";
import { ExpressionError } from "../ports/expressions.js";
import { difference, sum } from "./durations.js";
import { comprehensionOf, visit } from "./paths.js";
import { checkConversion, isConversion } from "./readers.js";

type Handle = (...operands: unknown[]) => unknown;

/** What the library keeps on a node: its type check, and after that the function behind it. */
interface Inner {
  check: (checker: { readonly dynType: unknown }, ...more: unknown[]) => unknown;
  handle: Handle;
}

const INT = { least: -(2n ** 63n), most: 2n ** 63n - 1n } as const;

/** Lets a condition on the items of `[]` or `{}` be checked. The library knows no type of theirs, and refuses it without a reason. */
export function allowEmpty(ast: ASTNode): void {
  visit(ast, (node) => {
    const receiver = comprehensionOf(node)?.receiver;
    if (!receiver || (receiver.op !== "list" && receiver.op !== "map") || receiver.args.length > 0) return;
    const inner = receiver as unknown as Inner;
    const check = inner.check.bind(inner);
    Object.defineProperty(inner, "check", {
      value: (checker: Parameters<Inner["check"]>[0], ...more: unknown[]) => {
        check(checker, ...more);
        return checker.dynType;
      },
    });
  });
}

/** Lets functions and operators of a type-checked expression do what the language says, where the library does otherwise. */
export function asTheLanguageSays(ast: ASTNode): void {
  visit(ast, (node) => {
    const inner = node as unknown as Inner;
    const mended = mendedOf(node, inner.handle);
    if (mended) inner.handle = mended;
  });
}

function mendedOf(node: ASTNode, handle: Handle): Handle | undefined {
  switch (node.op) {
    case "call":
    case "rcall":
      return mendedCall(node.args[0], handle);
    case "+":
      return (one, other, ...more) => sum(one, other) ?? handle(one, other, ...more);
    case "-":
      return (one, other, ...more) => difference(one, other) ?? handle(one, other, ...more);
    case "/":
    case "-_":
      return (...operands) => integerOf(handle(...operands));
    default:
      return undefined;
  }
}

function mendedCall(name: string, handle: Handle): Handle | undefined {
  if (name === "lowerAscii")
    return (operands, ...more) => recased(operands, /[A-Z]+/g, "toLowerCase") ?? handle(operands, ...more);
  if (name === "upperAscii")
    return (operands, ...more) => recased(operands, /[a-z]+/g, "toUpperCase") ?? handle(operands, ...more);
  if (!isConversion(name)) return undefined;
  return (operands, ...more) => {
    checkConversion(name, (operands as unknown[])[0]);
    return handle(operands, ...more);
  };
}

/** The text with the case of some letters of ASCII changed. The library changes every letter. */
function recased(operands: unknown, letters: RegExp, to: "toLowerCase" | "toUpperCase"): string | undefined {
  const [text] = operands as unknown[];
  return typeof text === "string" ? text.replaceAll(letters, (found) => found[to]()) : undefined;
}

/** An integer within 64 bits, or a value of another kind. */
function integerOf(value: unknown): unknown {
  if (typeof value !== "bigint" || (value >= INT.least && value <= INT.most)) return value;
  throw new ExpressionError("An integer has at most 64 bits.");
}
