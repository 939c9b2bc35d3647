import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../lib/workspace.mjs";

const page = readFileSync(join(root, "docs/guides/security.md"), "utf8");
const rows = page.split("\n").filter((line) => line.startsWith("| ") && !/^\| (Promise|-+) /.test(line));
const named = rows.map((row) => /^\| (.+?) +\| `(.+?)` "(.+?)" +\|$/.exec(row)?.slice(1) as [string, string, string]);

/** Whether a test file has a test or group with these words in its name. */
function holds(file: string, words: string): boolean {
  const path = join(root, "packages", file);
  if (!existsSync(path)) return false;
  const names = [...readFileSync(path, "utf8").matchAll(/\b(?:it|describe)\b[^"'`\n]*\(?\s*["'`]([^"`\n]+)["'`]/g)];
  return names.some(([, name]) => name?.includes(words));
}

describe("the security page", () => {
  it("has a test in every row", () => {
    expect(rows.length).toBeGreaterThanOrEqual(30);
    expect(rows.filter((_row, index) => named[index] === undefined)).toEqual([]);
  });

  it("says each promise once, in a table below a heading", () => {
    const promises = named.map(([promise]) => promise);
    expect(promises.filter((promise, at) => promises.indexOf(promise) !== at)).toEqual([]);
    const lines = page.split("\n");
    const starts = lines.filter((line, at) => line.startsWith("| ") && !lines[at - 1]?.startsWith("| "));
    expect(starts.filter((line) => !line.startsWith("| Promise "))).toEqual([]);
    expect(starts).toHaveLength(lines.filter((line) => line.startsWith("### ")).length);
  });

  it.each(named)("%s", (_promise, file, words) => {
    expect(holds(file, words), `${file} has no test named "${words}"`).toBe(true);
  });

  it("would miss one", () => {
    expect(holds("core/test/rules/tokens.test.ts", "is not there")).toBe(false);
  });
});
