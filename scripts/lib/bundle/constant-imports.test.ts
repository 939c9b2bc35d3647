import { expect, it } from "vitest";
import { refuseCircles, withConstants } from "./constant-imports.js";

it("imports of neighbours become constants, exports one object, and the rest stays", () => {
  const lines = [
    'import {\n  a,\n  b as c\n} from "./chunk-X.js";',
    'import "./chunk-Y.js";',
    'import { createHash } from "node:crypto";',
    'import { z } from "zod";',
    "const made = `",
    'import { a } from "./text.js";',
    "`;",
  ];
  const { text, neighbours } = withConstants([...lines, "export {\n  made,\n  made as other\n};", ""].join("\n"));
  const expected = ['const {a: a,b: c} = require("./chunk-X.js");', ...lines.slice(1)];
  expect(text).toBe([...expected, "", "", "module.exports = {made: made,other: made};"].join("\n"));
  expect(neighbours).toEqual(["./chunk-X.js", "./chunk-Y.js"]);
});

it.each([
  ["value = 1", "an assignment"],
  ["value ??= 1", "an assignment of a default"],
  ["value++", "a step"],
  ["--value", "a step ahead"],
  ["[value] = [1]", "an array that is taken apart"],
  ["({ of: value } = { of: 1 })", "an object that is taken apart"],
  ["for (value of [1]);", "a loop"],
])("refuses %s of an export: %s", (statement) => {
  expect(() => withConstants(`let value;\nfunction set() { ${statement} }\nexport { value };`)).toThrow(
    "exported, and assigned after its declaration: value",
  );
});

it("takes changes of what is inside an export, and of what is not exported", () => {
  const text = "let own = 1;\nown = 2;\nvar held = {};\nheld.own = own;\nheld[own]++;\nexport { held };";
  expect(withConstants(text).text).toContain("module.exports = {held: held};");
});

it.each([
  ["export default 1;", "a default export"],
  ['export * from "zod";', "exports of another module"],
  ['import all from "./chunk.js";', "a neighbour imported as a whole"],
  ['import * as all from "./chunk.js";', "a neighbour imported as a whole"],
  ["function module() {}", "called module"],
  ["const one = 1, require = 2;", "called require"],
])("refuses %s", (text, reason) => {
  expect(() => withConstants(text)).toThrow(reason);
});

it("exports what it takes from others with its own, and leaves imports of late neighbours", () => {
  const lines = [
    'import { a } from "./late-X.js";',
    'export { b as c } from "./chunk-Y.js";',
    "const d = a;",
    "export { d };",
  ];
  const { text, neighbours } = withConstants(lines.join("\n"), (neighbour) => !neighbour.startsWith("./late"));
  const expected = [lines[0], 'const {b: exported$b} = require("./chunk-Y.js");', lines[2], ""];
  expect(text).toBe([...expected, "module.exports = {c: exported$b,d: d};"].join("\n"));
  expect(neighbours).toEqual(["./chunk-Y.js"]);
});

it("refuses modules that import each other", () => {
  const imports = new Map([
    ["a", ["b", "node:fs"]],
    ["b", ["c"]],
    ["c", []],
  ]);
  expect(() => refuseCircles(imports)).not.toThrow();
  expect(() => refuseCircles(imports.set("c", ["a"]))).toThrow("modules that import each other: a, b, c");
});
