import { expect, it } from "vitest";
import { latePartsOf } from "./late-parts.js";

const MODULE = `import { z } from "./z.js";
const LIMIT = 3;
let calls = 0;
function within(n) {
  return n < LIMIT;
}
function count() {
  calls += 1;
}
export const Name = z.declared(() => z.string().max(LIMIT));
function check(n) {
  return within(n) && Name.parse("a");
}
export { check };
`;

const lines = (text: string) => text.split("\n");
const parts = latePartsOf(MODULE);

it("may set functions and declarations of schemas apart, but none that uses what changes", () => {
  expect(parts.names).toEqual(["within", "declare$Name", "check"]);
});

it("imports the late functions in place of them, and gives what these use", () => {
  const main = parts.main(new Set(["within", "declare$Name"]), (name) => `./late-${name}.js`);
  expect(main).not.toContain("function within");
  expect(lines(main)).toContain("export const Name = z.declared(() => declare$Name());");
  expect(main).toContain('import {within} from "./late-within.js";');
  expect(main).toContain("export {LIMIT as late$LIMIT};");
  expect(main).not.toContain("late$check");
});

it("has the late functions with the imports of the module, and takes what else they use from it", () => {
  const late = parts.late(new Set(["declare$Name", "check"]), "./main.js");
  expect(lines(late)[0]).toContain('import { z } from "./z.js";');
  expect(late).toContain("function declare$Name() { return (z.string().max(LIMIT)); }");
  expect(late).toContain('import {late$LIMIT as LIMIT,late$within as within,late$Name as Name} from "./main.js";');
  expect(late).toContain("export {declare$Name,check};");
});

it("notes a function that runs, and those that it reads without a call", () => {
  const text = latePartsOf(`function a() { return b; }\nfunction b() { return a(); }\n`);
  const late = text.late(new Set(text.names), "./main.js", (name) => `note(${name});`);
  expect(late).toContain("function a() {note(a);note(a);note(b); return b; }");
  expect(late).toContain("function b() {note(b);note(b); return a(); }");
});

it("leaves each line where it was, so that a source map applies", () => {
  const late = new Set(parts.names);
  const at = (text: string, word: string) => lines(text).findIndex((line) => line.includes(word));
  for (const text of [parts.main(late, () => "./late.js"), parts.late(late, "./main.js")])
    expect(at(text, "import { z }")).toBe(0);
  expect(
    at(
      parts.main(late, () => "./late.js"),
      "function count",
    ),
  ).toBe(at(MODULE, "function count"));
  expect(at(parts.late(late, "./main.js"), "function check")).toBe(at(MODULE, "function check"));
});
