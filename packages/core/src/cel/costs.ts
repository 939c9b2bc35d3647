import type { ASTNode } from "@marcbachmann/cel-js";
import { ExpressionError } from "../ports/expressions.js";
import { LIMITS } from "./limits.js";

/** UTF-16 units that are gone through in one step, and pairs of units that a comparison or a search looks at in one. */
const UNITS = 8;
const PAIRS = 64;

/** What it costs to evaluate a node, without what stands in it and without what depends on values. */
export function nodeCost(node: ASTNode): number {
  if (node.op === "map") return 1 + 6 * node.args.length;
  return node.op === "call" && node.args[0] === "has" ? 10 : 1;
}

/** What it costs to go through a value: the length of a text; nothing else depends on its size. */
export function readingCost(value: unknown): number {
  return typeof value === "string" ? value.length / UNITS : 0;
}

/**
 * What functions cost by their operands, the receiver first, beyond being called. Searches are charged as if they began anew
 * at every place: that is what the search of the runtime does on texts made for it.
 */
const FUNCTION_COSTS: Readonly<Record<string, (one: unknown, other: unknown) => number>> = {
  size: readingCost,
  // Capital letters that two small ones stand for are looked up one by one.
  lowerAscii: (text) => 4 * readingCost(text),
  int: readingCost,
  double: readingCost,
  string: readingCost,
  contains: searchCost,
  like: searchCost,
  startsWith: (_, part) => readingCost(part),
  endsWith: (_, part) => readingCost(part),
  timestamp: () => 10,
  duration(text) {
    // The library reads digits again from each of them on: 900 take a second.
    if (typeof text === "string" && text.length > LIMITS.durationText)
      throw new ExpressionError(`A duration has at most ${LIMITS.durationText} characters.`);
    return 100;
  },
  semverLt: (one, other) => 20 + UNITS * (readingCost(one) + readingCost(other)),
};

function searchCost(text: unknown, part: unknown): number {
  if (typeof text !== "string" || typeof part !== "string") return 0;
  return part.length + text.length / UNITS + (text.length * part.length) / PAIRS;
}

/** What an operator or a function of an expression costs by its operands; `undefined` where that does not depend on them. */
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

/** A literal, or a list of them: what it takes to compare it is bounded by the length of the source. */
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

/** How many values stand in one, itself counted, each as often as it stands there; not much more than `most`. */
function weight(value: unknown, most: number): number {
  if (typeof value === "string") return 1 + value.length / PAIRS;
  if (typeof value !== "object" || value === null) return 1;
  // Of other classes are moments, spans and the objects of vocabularies, which are compared as they are.
  if (!Array.isArray(value) && !(value instanceof Map) && value.constructor !== Object) return 1;
  let sum = 1;
  for (const inner of value instanceof Map ? value.values() : Object.values(value)) {
    sum += weight(inner, most - sum);
    if (sum > most) break;
  }
  return sum;
}
