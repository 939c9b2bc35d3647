import { expect, it } from "vitest";
import { withLazyImports } from "./lazy-imports.js";

it("loads an import when it is first used, and keeps each line where it was", () => {
  const code = [
    '"use strict";',
    'var import_a = require("./a.cjs");',
    'var import_b=__toESM(require("b"));var own=1;',
    "const made = new import_a.Made((0, import_b.f)(own.import_b), ...import_a.all);",
  ].join("\n");
  expect(withLazyImports(code).split("\n")).toEqual([
    [
      '"use strict";',
      'var import_a$;function import_a(){return import_a$??=require("./a.cjs")}',
      'var import_b$;function import_b(){return import_b$??=__toESM(require("b"))}',
    ].join(""),
    "",
    "var own=1;",
    "const made = new (import_a()).Made((0, import_b().f)(own.import_b), ...import_a().all);",
  ]);
});

it("leaves a module without imports as it is", () => {
  expect(withLazyImports('"use strict";\nmodule.exports = {};')).toBe('"use strict";\nmodule.exports = {};');
});
