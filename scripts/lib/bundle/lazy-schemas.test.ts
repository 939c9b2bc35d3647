import { expect, it } from "vitest";
import { withLazySchemas } from "./lazy-schemas.js";

it.each([
  ["a call of z", "const A = z.string();", "const A = z.declared(() => z.string());"],
  ["a chain of calls", 'export const A = z.object({ a: B.shape.b }).meta({ id: "A" });', undefined],
  ["a maker in a namespace of z", "const A = z.iso.date();", undefined],
  ["a method of such a constant", "const A = z.string();\nconst B = A.optional();", undefined],
  ["more than a line", "const A = z.object({\n  a: z.int(),\n});", undefined],
])("declares %s when it is first used", (_, text, written) => {
  const lazy = withLazySchemas(text);
  const all = text.replaceAll(/= ((?:z|A)[.][^;]*);/g, "= z.declared(() => $1);");
  expect(lazy).toBe(written ?? all);
  expect(lazy.split("\n")).toHaveLength(text.split("\n").length);
});

it.each([
  ["what a schema says", "const said = z.string().meta();"],
  ["what it holds", "const names = z.object({}).shape;"],
  ["a call of another name", "const A = y.string();\nconst B = z;"],
  ["a variable that changes", "let A = z.string();"],
  ["a parsed value", "const value = z.string().parse(1);"],
  ["a schema within a function", "function f() { const A = z.string(); return A; }"],
])("leaves %s as it stands", (_, text) => {
  expect(withLazySchemas(text)).toBe(text);
});
