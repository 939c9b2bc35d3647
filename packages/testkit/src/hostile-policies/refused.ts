import { type HostileExpression, times } from "./hostile.js";

const P = "action.properties";
const list = (count: number) => `[${Array.from({ length: count }, (_, at) => at).join(",")}]`;

/** Expressions that must be refused, with the codes of their faults. */
export const REFUSED: readonly HostileExpression[] = [
  ["a duration of 3,900 digits", `duration("${times(3_900, "1")}") > duration("1h")`, "impossible_value"],
  ["parentheses, 2,000 deep", `${times(2_000, "(")}true${times(2_000, ")")}`, "too_complex"],
  ["lists, 2,000 deep", `${times(2_000, "[")}${times(2_000, "]")}.size() == 0`, "too_complex"],
  ["negations, 4,000", `${times(4_000, "!")}true`, "too_complex"],
  ["minus signs, 4,000", `${times(4_000, "-")}1 < 2`, "too_complex"],
  ["a ladder of 250 conditions", `${times(250, "true ? true : ")}true`, "too_complex"],
  ["400 conditions in a row", `${times(400, "true && ")}true`, "too_complex"],
  ["a list of 1,000", `${list(1_000)}.size() == 1`, "too_complex"],
  [
    "a map of 300 entries",
    `{${Array.from({ length: 300 }, (_, at) => `${at}: 1`).join(",")}}.size() == 1`,
    "too_complex",
  ],
  ["500 arguments", `size(${Array(500).fill("1").join(",")}) == 1`, "too_complex"],
  ["indices, 1,000 in a row", `${P}.rows${times(1_000, "[0]")} == 1`, "too_complex"],
  ["fields, 1,000 in a row", `${P}${times(1_000, ".a")} == 1`, "too_complex"],
  ["has() of 1,000 fields", `has(${P}${times(1_000, ".a")})`, "too_complex"],
  ["one byte too long", `action.name == "${times(4_078, "a")}é"`, "too_long"],
  ["short in characters, long in bytes", `action.name == "${times(1_020, "😀")}"`, "too_long"],
  ["comprehensions, three deep", `${P}.a.all(x, ${P}.a.all(y, ${P}.a.all(z, true)))`, "too_complex"],
  ["`in` inside two comprehensions", `${P}.a.all(x, ${P}.a.all(y, x in ${P}.a))`, "too_complex"],
  ["lists joined", `(${P}.a + ${P}.a).size() == 1`, "too_complex"],
  ["lists joined behind a condition", `((true ? ${P}.a : ${P}.b) + ${P}.a).size() == 1`, "too_complex"],
  ["lists that double themselves", `[0]${times(20, ".map(v, [v, v])")} == [0]`, "too_complex"],
  ["maps that double their type by keys", `[0]${times(25, ".map(v, {v: v})")}.size() == 1`, "too_complex"],
  ["lists as keys", `[0]${times(25, ".map(v, {[v]: [v]})")}.size() == 1`, "too_complex"],
  ["maps in maps", `[0]${times(25, ".map(v, {'a': v})")}.size() == 1`, "too_complex"],
  ["a regular expression", `${P}.long.matches("(a+)+$")`, "unknown_function"],
  ["names bound to texts that double", `cel.bind(x, action.name + action.name, x == "")`, "unknown_function"],
  ["a text taken apart", `${P}.long.split("").size() == 1`, "unknown_function"],
  ["bytes", `bytes(${P}.long).size() == 1`, "unknown_function"],
  ["the type of something", `type(${P}.long) == string`, "unknown_function"],
  ["what a rule may not see", "action.__proto__.a == 1", "unknown_name"],
  ["the constructor", `action.constructor.constructor("while (true);") == 1`, "unknown_function"],
  ["an integer of 4,000 digits", `string(${times(4_000, "1")}) == "1"`, "too_complex"],
  ["an integer of 3,900 hexadecimal digits", `string(0x${times(3_900, "f")}) == "1"`, "too_complex"],
  ["a number too large", "1e4000 > 1.0", "syntax"],
  ["a text without an end", `"${times(4_000, "a")}`, "syntax"],
  ["4,000 lines before the mistake", `${times(4_000, "\n")}?`, "syntax"],
  ["4,000 letters before the mistake", `${times(4_000, "a")} ?`, "syntax"],
];
