import { expect, it } from "vitest";
import { withConstants } from "./constant-imports.js";

it("imports of neighbours and of Node become constants, exports one object", () => {
  const text = [
    'import {\n  a,\n  b as c\n} from "./chunk-X.js";',
    'import { createHash } from "node:crypto";',
    'import { z } from "zod";',
    "const made = a + c;",
    "export {\n  made,\n  made as other\n};",
  ].join("\n");
  expect(withConstants(text).split("\n")).toEqual([
    'const {a: a,b: c} = require("./chunk-X.js");',
    'const {createHash: createHash} = require("node:crypto");',
    'import { z } from "zod";',
    "const made = a + c;",
    "module.exports = {made: made,other: made};",
  ]);
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
  expect(withConstants(text)).toContain("module.exports = {held: held};");
});
