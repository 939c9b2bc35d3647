import { type HostileExpression, times } from "./hostile.js";

const P = "action.properties";
const LIST = 256;
const numbers = Array.from({ length: LIST }, (_, at) => at);
const row = () => numbers.map(() => 1);
const periodic = (length: number) => `${times(length, "a")}b${times(length, "a")}`;

/** The worst values of a request: lists of maximum length, and texts that are expensive to search. */
export const WORST = {
  a: numbers,
  b: [...numbers],
  words: numbers.map((at) => `${times(200, "w")}${at}`),
  keys: Object.fromEntries(numbers.map((at) => [`k${at}`, at])),
  rows: numbers.map(row),
  sameRows: numbers.map(row),
  text: times(9_000, "a"),
  part: periodic(500),
  long: times(400_000, "a"),
  same: times(400_000, "a"),
  upper: times(400_000, "A"),
  dotted: times(200_000, "İ"),
  emoji: times(100_000, "😀"),
  needle: periodic(50_000),
  stars: times(200_000, "*"),
  digits: times(300_000, "1"),
  hours: times(200_000, "1h"),
  version: `1.0.0-${times(100, "a.")}a`,
  nextVersion: `1.0.0-${times(100, "a.")}b`,
};

/** An expression over all pairs of two lists of maximum length. */
const pairs = (body: string) => `${P}.a.all(x, ${P}.b.all(y, ${body}))`;
const each = (body: string) => `${P}.a.all(x, ${body})`;

/** Valid expressions that cost as much as possible, with their outcomes. */
export const EXPENSIVE: readonly HostileExpression[] = [
  ["all pairs of two lists", pairs("x != y || x == y"), "error"],
  ["all pairs, the least that can be asked", pairs("true"), "deny"],
  ["all pairs, twelve times", Array(12).fill(pairs("true")).join(" && "), "error"],
  ["pairs by exists_one", `${P}.a.exists_one(x, ${P}.b.exists_one(y, x == y))`, "none"],
  ["pairs of the keys of a map", `${P}.keys.all(x, ${P}.keys.all(y, ${P}.keys[x] >= 0))`, "error"],
  ["every field of a table by index", pairs(`${P}.rows[x][y] == 1`), "error"],
  ["twenty filters in a row", `${P}.a${times(20, ".filter(v, true)")}.size() == ${LIST}`, "deny"],
  ["twenty maps in a row", `${P}.a${times(20, ".map(v, double(v) + 1.0)")}.size() == ${LIST}`, "deny"],
  ["a table made of lists that are read", `${P}.a.map(x, ${P}.b.map(y, ${P}.a)).size() == ${LIST}`, "deny"],
  ["a table of new maps", `${P}.a.map(x, ${P}.b.map(y, {"a": x, "b": y})).size() == ${LIST}`, "error"],
  ["a ladder of twelve conditions for all pairs", pairs(`${times(12, "x < 0 ? true : ")}true`), "error"],
  ["two tables compared", `${P}.rows == ${P}.sameRows`, "deny"],
  ["two tables compared for each item", each(`${P}.rows == ${P}.sameRows`), "error"],
  ["a table looked for in a list", `${P}.rows in [${P}.a, ${P}.b]`, "none"],
  ["rows looked for in a table", `${P}.rows.all(r, r in ${P}.sameRows)`, "error"],
  ["last rows looked for in a table", `${P}.rows.all(r, !(r.map(v, v + 1) in ${P}.sameRows))`, "error"],
  [
    "tables of tables compared",
    `${P}.a.map(x, ${P}.b.map(y, ${P}.a)) == ${P}.a.map(x, ${P}.b.map(y, ${P}.b))`,
    "error",
  ],
  ["a list of lists that are one another", `[${P}.rows, ${P}.rows] == [${P}.sameRows, ${P}.sameRows]`, "deny"],
  ["a text searched for its like", `${P}.long.contains(${P}.needle)`, "error"],
  ["a short text searched for its like", `${P}.text.contains(${P}.part)`, "none"],
  ["a short text searched for each item", each(`!${P}.text.contains(${P}.part)`), "error"],
  ["a pattern like its text", `${P}.text.like("*" + string(${P}.part) + "*")`, "none"],
  ["a pattern like its text for each item", each(`!${P}.text.like("*" + string(${P}.part) + "*")`), "error"],
  ["a pattern of 1,000 stars", `${P}.text.like("${times(1_000, "*a")}b")`, "none"],
  ["a pattern of 200,000 stars", `${P}.text.like(${P}.stars)`, "error"],
  ["a pattern on a text too long", `${P}.long.like("*b")`, "error"],
  ["a text that doubles 18 times", `["x"]${times(18, ".map(v, string(v) + v)")}.all(v, v.size() > 1)`, "deny"],
  [
    "a text that doubles 28 times",
    `["0123456789abcdef"]${times(28, ".map(v, string(v) + v)")}.all(v, v != "")`,
    "error",
  ],
  [
    "long texts put together for all pairs",
    `${P}.a.map(x, ${P}.b.map(y, string(${P}.long) + string(y))).size() == 1`,
    "error",
  ],
  ["a long text for all pairs", pairs(`${P}.long.size() > 1`), "error"],
  ["a long text for each item", each(`size(${P}.emoji) > 1`), "error"],
  ["small letters of a long text", `${P}.a.map(x, ${P}.upper.lowerAscii()).size() == ${LIST}`, "error"],
  ["small letters that are longer", `${P}.a.map(x, ${P}.dotted.lowerAscii()).size() == ${LIST}`, "error"],
  ["equal long texts", pairs(`${P}.long == ${P}.same`), "error"],
  ["equal long texts in order", pairs(`${P}.long <= ${P}.same`), "error"],
  ["a long beginning", pairs(`${P}.long.startsWith(string(${P}.same))`), "error"],
  ["a long text among words", each(`!(${P}.long in ${P}.words)`), "error"],
  ["long keys", pairs(`{string(${P}.long): 1}.size() == 1`), "error"],
  ["a long key looked up", each(`!(string(${P}.long) in {"a": 1})`), "error"],
  ["a number of 300,000 digits", each(`double(${P}.digits) > 1.0`), "error"],
  ["an integer of 300,000 digits", `int(${P}.digits) > 1`, "error"],
  ["a number of 300,000 digits and a letter", each(`double(${P}.digits + "x") > 1.0`), "error"],
  ["a duration of 300,000 digits", `duration(${P}.digits) > duration("1h")`, "error"],
  ["a duration of 200,000 parts", `duration(${P}.hours) > duration("1h")`, "error"],
  ["the longest duration for all pairs", pairs(`duration("${times(32, "1h")}") > duration("1h")`), "error"],
  ["a moment beyond all", `(now + duration("87600000h")) - now > duration("1s")`, "error"],
  ["days since a moment beyond all", `daysSince(now + duration("87600000h")) > 1`, "error"],
  ["a moment read for all pairs", pairs(`timestamp("2026-01-01T00:00:00Z") < now`), "error"],
  ["versions compared for all pairs", pairs(`semverLt(${P}.version, ${P}.nextVersion)`), "error"],
  ["an integer too large", "9223372036854775807 * 2 > 1", "error"],
  ["errors passed over for all pairs", `${P}.a.exists(x, ${P}.b.exists(y, ${P}.absent == 1))`, "error"],
  [
    "errors that quote their source",
    `${P}.a.exists(x, ${P}.b.exists(y, context.absent == "${times(3_900, "x")}"))`,
    "error",
  ],
  [
    "sixty errors for each pair",
    `${P}.a.exists(x, ${P}.b.exists(y, ${Array(60).fill("context.absent").join(" || ")}))`,
    "error",
  ],
  ["what is too expensive, or true", `(${pairs("x < 256 && y < 256")}) || true`, "error"],
  [
    "what is too expensive, nine times over",
    Array(9).fill(`${P}.a.exists(x, ${P}.b.exists(y, x - y > 999))`).join(" || "),
    "error",
  ],
  ["absent fields asked for", pairs(`!has(context.a.b.c.d)`), "error"],
  ["present fields asked for", pairs(`has(${P}.keys.k1)`), "error"],
];
