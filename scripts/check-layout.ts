// Checks the file names in packages/core/src/families: which files areas and resources may have. Until the first release
// is made, its changelogs say all, and no changeset is pending.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { filesBelow, root, say } from "./lib/workspace.mjs";

/** Files beside the areas, which they share. */
const COMMON: ReadonlySet<string> = new Set([
  "index",
  "area",
  "resource",
  "events",
  "options",
  "order",
  "roles",
  "tags",
]);
/** Files of an area. */
const OF_AREA: ReadonlySet<string> = new Set(["index", "area", "access", "events", "jobs"]);
/** Files of a resource, beside those that are named by a verb and a noun. */
const OF_RESOURCE: ReadonlySet<string> = new Set([
  "index",
  "schema",
  "fields",
  "machine",
  "rules",
  "operations",
  "resource",
  "jobs",
  "events",
  "queries",
]);

/** Files that make a folder a resource. */
const OPERATED: ReadonlySet<string> = new Set(["machine", "operations"]);
/** The most lines of a list of resources. */
const LONGEST_AREA = 40;

/** The fewest sources of a folder within a resource. */
const FEWEST = 3;

/** Why a file is misplaced, by its path below families/; `undefined` when it is not. */
function misplaced(path: string, exists: (path: string) => boolean): string | undefined {
  const parts = path.split("/");
  const name = (parts.at(-1) as string).replace(/(?:[.]test)?[.]ts$/, "");
  const allowed = [COMMON, OF_AREA, OF_RESOURCE][parts.length - 1];
  const isVerbNoun = parts.length > 2 && name.includes("-");
  if (allowed && !allowed.has(name) && !isVerbNoun)
    return `files here are called ${[...allowed].join(", ")}${parts.length > 2 ? ", or by a verb and a noun" : ""}`;
  if (parts.includes("test")) return "a folder called `test` is taken for tests; name what its sources do";
  if (parts.length > 1 && !exists(`${parts[0]}/area.ts`)) return "its area has no area.ts";
  if (parts.length === 3 && !exists(`${parts[0]}/${parts[1]}/resource.ts`) && OPERATED.has(name))
    return "its folder has no resource.ts";
  if (parts.length === 2 && name === "area" && linesOf(path) > LONGEST_AREA)
    return `an area lists its resources in at most ${LONGEST_AREA} lines`;
  if (parts.length > 3 && sourcesIn(dirname(path)) < FEWEST)
    return `a folder within a resource begins at ${FEWEST} files; put these beside the others`;
  return undefined;
}

const families = join(root, "packages/core/src/families");
const files = filesBelow(families, (file: string) => file.endsWith(".ts")).map((file: string) =>
  relative(families, file),
);
/** Sources in a folder, those of its own folders among them. */
const sourcesIn = (folder: string) =>
  files.filter((path: string) => path.startsWith(`${folder}/`) && !path.endsWith(".test.ts")).length;
const linesOf = (path: string) => readFileSync(join(families, path), "utf8").split("\n").length - 1;
const faults = files.flatMap((path: string) => {
  const why = misplaced(path, (other) => existsSync(join(families, other)));
  return why === undefined ? [] : [`packages/core/src/families/${path}: ${why}`];
});
if (!existsSync(join(root, "packages/store-sqlite/test/fixtures/0.1.0.sqlite.gz"))) {
  const pending = readdirSync(join(root, ".changeset")).filter((name) => name.endsWith(".md") && name !== "README.md");
  faults.push(
    ...pending.map((name) => `.changeset/${name}: say it in \`## 0.1.0\` of the package's CHANGELOG.md instead`),
  );
}
for (const fault of faults) say(fault);
if (faults.length > 0) process.exitCode = 1;
else {
  const resources = new Set(
    files.flatMap((path: string) => (path.split("/").length > 2 ? [path.split("/").slice(0, 2).join("/")] : [])),
  );
  say(`${resources.size} resource folders, all of them laid out alike`);
}
