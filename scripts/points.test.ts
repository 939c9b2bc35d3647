import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./lib/workspace.mjs";

/** The numbered points about kernel and stores (K) and about operations (O), each of which a test shows. */
const POINTS = [
  ...Array.from({ length: 25 }, (_, at) => `K${at + 1}`),
  ...Array.from({ length: 12 }, (_, at) => `O${at + 1}`),
];

/** This file names points in other text than names of tests. */
const OWN = join("scripts", "points.test.ts");

/** Text that begins a name of a test with points: `K1, O3 what it shows`. */
const NAMES = /["'`]((?:[A-Z]\d+, )*[A-Z]\d+):? [^"'`\n]/g;

const pointsIn = (text: string) => [...text.matchAll(NAMES)].flatMap(([, points = ""]) => points.split(", "));

/** The sources of tests, and of the suites that they call. */
const sources = ["packages", "scripts"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  )
  .filter((path) => !/node_modules|\bdist\b/.test(path) && /\.test\.ts$|^packages.testkit.src.+\.ts$/.test(path))
  .filter((path) => path !== OWN)
  .map((path) => readFileSync(join(root, path), "utf8"));
const named = new Set(sources.flatMap(pointsIn));

describe("the names of tests", () => {
  it.each(POINTS)("have %s, so that a test shows it", (point) => {
    expect([...named]).toContain(point);
  });

  it("are read with one point or several, and not from other text", () => {
    expect(pointsIn('it("K1, O3 no answer lies", …) it(`M16: keeps`) // K7 is told of elsewhere')).toEqual([
      "K1",
      "O3",
      "M16",
    ]);
    expect(named.has("K26")).toBe(false);
  });
});
