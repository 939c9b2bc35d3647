import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../lib/workspace.mjs";

const page = readFileSync(join(root, "docs/guides/traps.md"), "utf8");
const numbers = [...page.matchAll(/^\| (M\d+) +\|/gm)].map(([, number]) => number as string);

/** The sources of every test, and of the test suites. */
const sources = readdirSync(join(root, "packages"), { recursive: true, encoding: "utf8" })
  .filter((path) => !/node_modules|\bdist\b/.test(path) && /\.test\.ts$|^testkit.src.+\.ts$/.test(path))
  .map((path) => readFileSync(join(root, "packages", path), "utf8"));

const isNamed = (number: string) => sources.some((text) => new RegExp(`["\`]${number}: `).test(text));

describe("the page of measured traps", () => {
  it("numbers each once", () => {
    expect(numbers.length).toBeGreaterThanOrEqual(15);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it.each(numbers)("%s has a test that is named after it", (number) => {
    expect(isNamed(number)).toBe(true);
  });

  it("would miss one", () => {
    expect(isNamed("M99")).toBe(false);
  });
});
