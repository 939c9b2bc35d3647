import { readFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { folderKnots, type Knot } from "./lib/folder-knots.js";
import { readImportGraph } from "./lib/import-graph.js";
import { holdsTerm, oldIdentifiersIn, oldTermsIn } from "./lib/old-terms.js";
import { filesBelow, root, say, workspacePackages } from "./lib/workspace.mjs";

/** Patterns of code that areas must leave to the kernel. */
const PATTERNS = {
  "raw writes":
    /\btx\s*\.(?:insert|insertMany|replace|remove|append|eraseEvents|pruneEvents)\b|\bstore\s*\.transaction\(/g,
  "manual written.add": /\bwritten\.add\b/g,
  "manual version + 1": /\bversion(?: \?\? 0\))? \+ 1\b/g,
  "lists cut by hand (inChunks)": /for \(let \w+ = 0; \w+ < \w+[.]length; \w+ \+= /g,
  "transitions refused by hand": /\bnew ReeveError\(\s*"invalid_transition"/g,
  "hand-made contexts": /\bnew (?:Read|Outside)?Context\(|\bnew UnitOfWork\(/g,
} as const;

/** The most folders of core that may import each other in a ring. Lower it whenever one opens. */
const LARGEST_KNOT = 3;

/** The most folders of areas with one file. */
const MOST_SINGLE = 5;

/** The most places to print per count. */
const SHOWN = 20;

const isSource = (file: string) => /[.]ts$/.test(file) && !/[.]test[.]ts$/.test(file);
const isWritten = (file: string) => isSource(file) && !file.endsWith(".generated.ts");
const files = filesBelow(`${root}/packages/core/src/families`, isSource);

let found = 0;
for (const [what, pattern] of Object.entries(PATTERNS)) {
  const places = files.flatMap((file) => {
    const count = [...readFileSync(file, "utf8").matchAll(pattern)].length;
    return count === 0 ? [] : [{ path: relative(root, file), count }];
  });
  report(
    what,
    sum(places.map(({ count }) => count)),
    places.map(({ path, count }) => `${path}: ${count}`),
  );
}
const folders = new Map<string, number>();
for (const file of files) folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);
const isLeaf = (folder: string) => ![...folders.keys()].some((other) => other.startsWith(`${folder}/`));
const single = [...folders]
  .filter(([folder, held]) => held === 1 && isLeaf(folder))
  .map(([folder]) => relative(root, folder));
line(`folders with one file, of ${MOST_SINGLE} allowed`, single.length, single);
if (single.length > MOST_SINGLE) found += 1;
const listed = files.filter((file) => /families[/][^/]+[/]area[.]ts$/.test(file));
line(
  "lines in which areas list their resources",
  sum(listed.map((file) => readFileSync(file, "utf8").split("\n").length - 1)),
  [],
);

const terms = oldTermsIn(readFileSync(`${root}/docs/glossary.md`, "utf8"));
const sources = workspacePackages().flatMap(({ directory }) => filesBelow(`${directory}/src`, isWritten));
const outdated = sources.flatMap((file) => {
  const path = relative(root, file);
  const named = oldIdentifiersIn(readFileSync(file, "utf8"), terms).map((name) => `${path}: ${name}`);
  return holdsTerm(path, terms) ? [path, ...named] : named;
});
report("names with old terms of the glossary", outdated.length, outdated);

const { circles, imports } = await readImportGraph();
report("import circles, types included", circles.length, circles);

const knots = folderKnots(imports);
const largest = Math.max(1, ...knots.map(({ folders }) => folders.length));
line(`folders in the largest knot, of ${LARGEST_KNOT} allowed`, largest, knots.map(described));
if (largest > LARGEST_KNOT) found += 1;
if (found > 0) process.exitCode = 1;

function described({ folders, lines }: Knot): string {
  return `${folders.length} folders, ${lines} lines: ${folders.join(", ")}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function report(what: string, count: number, places: readonly string[]): void {
  line(what, count, places);
  found += count;
}

function line(what: string, count: number, places: readonly string[]): void {
  say(`${String(count).padStart(4)}  ${what}`);
  for (const place of places.slice(0, SHOWN)) say(`        ${place}`);
}
