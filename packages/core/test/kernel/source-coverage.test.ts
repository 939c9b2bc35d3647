import { table } from "@reeve/testkit";
import { describe, expect, it } from "vitest";
import { NOT_BUILT } from "../fixtures/not-built.js";
import { published } from "../fixtures/published-operations.js";

const nameOf = (method: string, path: string) => `${method} ${path}`;
const byName = new Map(published.map((row) => [nameOf(row[0], row[1]), row]));
const built = table.filter((operation) => !operation.extension);

describe("source coverage", () => {
  it("knows 199 published operations, each once", () => {
    expect(published).toHaveLength(199);
    expect(byName.size).toBe(199);
  });

  it.each(built.map((operation) => [operation.id, operation] as const))(
    "%s is built as published",
    (_id, operation) => {
      const row = byName.get(nameOf(operation.method, operation.path));
      expect(row).toEqual([
        operation.method,
        operation.path,
        operation.access === "public" ? "public" : (row?.[2] ?? "bearer"),
        operation.success.status,
      ]);
      expect(row?.[2] === "public").toBe(operation.access === "public");
    },
  );

  it("does not mark a published operation as an extension", () => {
    const extensions = table.filter((operation) => operation.extension);
    expect(extensions.filter(({ method, path }) => byName.has(nameOf(method, path)))).toEqual([]);
  });

  it("lists exactly the published operations that are not built", () => {
    const names = new Set(built.map(({ method, path }) => nameOf(method, path)));
    const missing = published.map(([method, path]) => nameOf(method, path)).filter((name) => !names.has(name));
    expect([...NOT_BUILT].sort()).toEqual(missing.sort());
  });
});
