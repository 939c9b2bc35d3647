import type { Environment } from "@marcbachmann/cel-js";
import lt from "semver/functions/lt.js";
import valid from "semver/functions/valid.js";
import { daysMs } from "#ports/durations.js";
import { ExpressionError } from "../ports/expressions.js";
import { LIMITS } from "./limits.js";

/**
 * The functions that expressions may call. The rest of the engine's are refused: `matches` runs a backtracking regular
 * expression, and `cel.bind` can double a text with every use.
 */
export const FUNCTIONS: Readonly<Record<string, string>> = {
  has: "has(a.b): whether the field is there",
  size: "size(list | map | string): how many items, entries or characters",
  all: "list.all(x, condition): whether all items meet it; true of an empty list",
  exists: "list.exists(x, condition): whether one item meets it or more",
  exists_one: "list.exists_one(x, condition): whether exactly one item meets it",
  filter: "list.filter(x, condition): the items that meet it",
  map: "list.map(x, value): a value for each item",
  contains: "string.contains(string): whether it holds the other",
  startsWith: "string.startsWith(string): whether it begins with the other",
  endsWith: "string.endsWith(string): whether it ends with the other",
  lowerAscii: "string.lowerAscii(): with small letters for A to Z",
  upperAscii: "string.upperAscii(): with capital letters for a to z",
  like: "string.like(pattern): whether the whole text fits; `*` stands for any characters",
  int: "int(value): as a whole number; no result for a text that is none",
  uint: "uint(value): as a whole number from 0, like `7u`; no result for what is none",
  double:
    "double(value): as a number, with which numbers of free maps can be reckoned; no result for a text that is none",
  bool: "bool(value): as true or false; no result for another text",
  string: "string(value): as a text",
  timestamp: "timestamp(string): a moment, from RFC 3339; no result for another text",
  duration: "duration(string): a span, as in '36h'; no result for another text",
  daysSince: "daysSince(timestamp): whole days from then to now, below zero for what is to come",
  semverLt: "semverLt(string, string): whether the first version comes before the second",
};

/** Functions whose result depends on the current time. */
export const TIME_FUNCTIONS: ReadonlySet<string> = new Set(["daysSince"]);

/** Those of `FUNCTIONS` that take a variable and a body to evaluate for each item. */
export const COMPREHENSIONS: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "filter", "map"]);

/** Adds functions that CEL does not have. `now` is called at every use. */
export function addFunctions(environment: Environment, now: () => number): void {
  const sync = { async: false };
  environment.registerFunction("string.like(string): bool", like, sync);
  environment.registerFunction(
    "daysSince(google.protobuf.Timestamp): int",
    (at: Date) => BigInt(Math.floor((now() - at.getTime()) / daysMs(1))),
    sync,
  );
  environment.registerFunction(
    "semverLt(string, string): bool",
    (one: string, other: string) => {
      if (!valid(one) || !valid(other)) throw new ExpressionError("Not a version as semver.org has them.");
      return lt(one, other);
    },
    sync,
  );
}

/** Searches for each piece after the one before it, without backtracking. */
export function like(text: string, pattern: string): boolean {
  if (text.length > LIMITS.likeText) throw new ExpressionError("The text is too long for `like`.");
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return text === pattern;
  const last = rest.pop() as string;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let from = first.length;
  for (const piece of rest) {
    const at = text.indexOf(piece, from);
    if (at < 0) return false;
    from = at + piece.length;
  }
  return from <= text.length - last.length;
}
