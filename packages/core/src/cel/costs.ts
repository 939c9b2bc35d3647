import type { ASTNode } from "@marcbachmann/cel-js";
import { ExpressionError } from "../ports/expressions.js";
import { LIMITS } from "./limits.js";

/** UTF-16 units that one step reads, and pairs of units that one step compares. */
const UNITS = 8;
const PAIRS = 64;

/** The cost of evaluating a node, without its children and without what depends on values. */
export function nodeCost(node: ASTNode): number {
  if (node.op === "map") return 1 + 6 * node.args.length;
  return node.op === "call" && node.args[0] === "has" ? 10 : 1;
}

/** The cost of reading a value: by length for text, 0 for all else. */
export function readingCost(value: unknown): number {
  return typeof value === "string" ? value.length / UNITS : 0;
}

/**
 * The cost of a function by its operands, the receiver first, in addition to the call itself. A search costs as if it
 * started again at every position, because the runtime's search does so for crafted texts.
 */
const FUNCTION_COSTS: Readonly<Record<string, (one: unknown, other: unknown) => number>> = {
  size: readingCost,
  // It looks up one by one the capital letters whose lower case has two letters.
  lowerAscii: (text) => 4 * readingCost(text),
  upperAscii: (text) => 4 * readingCost(text),
  int: readingCost,
  uint: readingCost,
  bool: readingCost,
  double: readingCost,
  // A number is written out, which costs more than reading a text.
  string: (value) => 10 + readingCost(value),
  contains: searchCost,
  like: searchCost,
  startsWith: (_, part) => readingCost(part),
  endsWith: (_, part) => readingCost(part),
  timestamp: () => 30,
  duration(text) {
    // The library rereads digits from each position. 900 of them take a second.
    if (typeof text === "string" && text.length > LIMITS.durationText)
      throw new ExpressionError(`A duration has at most ${LIMITS.durationText} characters.`);
    return 100;
  },
  semverLt: (one, other) => 100 + UNITS * (readingCost(one) + readingCost(other)),
};

function searchCost(text: unknown, part: unknown): number {
  if (typeof text !== "string" || typeof part !== "string") return 0;
  return part.length + text.length / UNITS + (text.length * part.length) / PAIRS;
}

/** The cost of an operator or function by its operands; `undefined` when it does not depend on them. */
export function operandCostOf(node: ASTNode): ((one: unknown, other: unknown, most: number) => number) | undefined {
  switch (node.op) {
    case "call":
    case "rcall":
      return FUNCTION_COSTS[node.args[0]];
    case "+":
      return (one, other) => readingCost(one) + readingCost(other);
    case "in":
      return isWrittenOut(node.args[1]) ? undefined : searchingCost;
    case "[]":
      return node.args[1].op === "value" ? undefined : (_, key) => readingCost(key);
    case "==":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return node.args.some(isWrittenOut) ? undefined : comparingCost;
    default:
      return undefined;
  }
}

/** Whether a node is a literal or a list of literals. The length of the source bounds the cost of comparing it. */
function isWrittenOut(node: ASTNode): boolean {
  return node.op === "value" || (node.op === "list" && node.args.every(({ op }) => op === "value"));
}

function searchingCost(value: unknown, within: unknown, most: number): number {
  if (!Array.isArray(within)) return readingCost(value);
  if (typeof value === "object") return 2 * weight(within, most / 2);
  return within.length * (1 + readingCost(value) / PAIRS);
}

function comparingCost(one: unknown, other: unknown, most: number): number {
  if (one === other) return typeof one === "string" ? one.length / PAIRS : 0;
  if (typeof one === "string" && typeof other === "string") return Math.min(one.length, other.length) / PAIRS;
  if (typeof one !== "object" || typeof other !== "object") return 0;
  return 2 * weight(other, weight(one, most / 2));
}

/** The number of values in a value, itself included. Stops soon after `most`. */
function weight(value: unknown, most: number): number {
  if (typeof value === "string") return 1 + value.length / PAIRS;
  if (typeof value !== "object" || value === null) return 1;
  // Timestamps, durations and vocabulary objects are compared as a whole.
  if (!Array.isArray(value) && !(value instanceof Map) && value.constructor !== Object) return 1;
  let sum = 1;
  for (const inner of value instanceof Map ? value.values() : Object.values(value)) {
    sum += weight(inner, most - sum);
    if (sum > most) break;
  }
  return sum;
}
