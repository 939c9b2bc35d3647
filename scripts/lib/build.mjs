import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import {
  DECLARATIONS,
  elapsed,
  filesBelow,
  fingerprint,
  readStamp,
  removeStamp,
  root,
  run,
  say,
  workspacePackages,
  writeStamp,
} from "./workspace.mjs";

/** @typedef {import("./workspace.mjs").Package} Package */

/** What writes the code of packages, beside their own settings. */
const BUILDERS = [
  ...[
    "constant-imports",
    "late-parts",
    "lazy-bundle",
    "lazy-imports",
    "lazy-schemas",
    "made-descriptions",
    "one-copy",
    "started",
  ].map((name) => `bundle/${name}.ts`),
  ...["tsup.ts", "first-asset.mjs"],
].map((name) => `scripts/lib/${name}`);
const CONFIG = "tsconfig.declarations.json";

/**
 * Builds what is stale: the code of each package, and beside it the declarations, which TypeScript writes for all
 * packages at once. `only` builds the code of these packages and nothing else.
 * @param {Package[]} [only]
 */
export async function buildStale(only) {
  const packages = (only ?? workspacePackages()).filter(({ manifest }) => manifest.scripts?.build);
  const slots = limiter(Math.max(1, Math.min(4, availableParallelism())));
  const declared = only ? undefined : slots(declareAll);
  const built = packages.map((item) => slots(() => buildCode(item)));
  const bundled = packages.map((item) => declared?.then(() => slots(() => buildTypes(item))));
  const results = await Promise.allSettled([...built, ...bundled]);
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}

/** Writes the declarations of all sources below `packages`. */
async function declareAll() {
  const declared = workspacePackages().filter(({ directory }) => directory.startsWith(join(root, "packages")));
  const configs = ["tsconfig.json", "tsconfig.base.json", CONFIG, "pnpm-lock.yaml"].map((name) => join(root, name));
  const stamp = fingerprint([...configs, ...declared.flatMap(sources)]);
  if (readStamp(DECLARATIONS) === stamp && existsSync(join(root, DECLARATIONS))) return;
  const started = performance.now();
  removeStamp(DECLARATIONS);
  rmSync(join(root, DECLARATIONS), { recursive: true, force: true });
  const tsc = join(root, "node_modules/typescript-7/bin/tsc");
  // Threads would write the members of a union in another order each time, so that packages are bundled in vain.
  await run("declarations", process.execPath, [tsc, "--project", CONFIG, "--singleThreaded"]);
  writeStamp(DECLARATIONS, stamp);
  say(`Declared all packages (${elapsed(started)})`);
}

/** @param {Package} item */
async function buildCode(item) {
  const bundled = usedOf(item).filter((used) => isUnbuilt(used) || isInPages(item, used));
  const stamp = fingerprint([...configsOf(item), ...[item, ...bundled].flatMap(sources)]);
  await buildPart(item, "code", stamp, `Built ${item.name}`);
}

/** @param {Package} item */
async function buildTypes(item) {
  const stamp = fingerprint([...configsOf(item), ...[item, ...usedOf(item).filter(isUnbuilt)].flatMap(declarationsOf)]);
  if (outputs(item, "types").length > 0)
    await buildPart(item, "types", stamp, `Built the declarations of ${item.name}`);
}

/** @param {Package} item @param {"code" | "types"} part @param {string} stamp @param {string} done */
async function buildPart(item, part, stamp, done) {
  const name = `${item.name}.${part}`;
  if (readStamp(name) === stamp && outputs(item, part).every((file) => existsSync(file))) return;
  const started = performance.now();
  removeStamp(name);
  for (const file of filesBelow(join(item.directory, "dist"), (path) => partOf(path) === part)) rmSync(file);
  const tsup = join(root, "node_modules/tsup/dist/cli-default.js");
  const env = { ...process.env, REEVE_BUILD_PART: part };
  await run(`build of ${item.name}`, process.execPath, [tsup, "--silent"], { cwd: item.directory, env });
  if (part === "types") indentByTabs(item);
  writeStamp(name, stamp);
  say(`${done} (${elapsed(started)})`);
}

/** @param {string} file */
const partOf = (file) => (/[.]d[.]c?ts$/.test(file) ? "types" : "code");

/** @param {Package} item */
const isUnbuilt = ({ manifest }) => !manifest.scripts?.build;

/** Pages in a browser bring the client along. @param {Package} item @param {Package} used */
const isInPages = (item, used) => existsSync(join(item.directory, "app")) && used.name === "@reeve/client";

/** @param {Package} item */
function usedOf(item) {
  return workspacePackages().filter(({ name }) => item.dependencies.includes(name));
}

/** What the build of a package depends on besides its files. @param {Package} item */
function configsOf(item) {
  const names = ["tsconfig.base.json", "tsconfig.build.json", "pnpm-lock.yaml", ...BUILDERS];
  const own = ["package.json", "tsup.config.ts"].map((name) => join(item.directory, name));
  return [...names.map((name) => join(root, name)), ...own];
}

/** Declarations use four spaces per level, which is a tenth of their size. @param {Package} item */
function indentByTabs(item) {
  for (const file of filesBelow(join(item.directory, "dist"), (path) => partOf(path) === "types")) {
    const text = readFileSync(file, "utf8");
    writeFileSync(
      file,
      text.replace(/^(?: {4})+/gm, (indent) => "\t".repeat(indent.length / 4)),
    );
  }
}

/** @param {Package} item */
function sources(item) {
  const folders = ["src", "app"].map((name) => join(item.directory, name));
  return folders.flatMap((folder) => filesBelow(folder, (file) => !file.endsWith(".test.ts")));
}

/** @param {Package} item */
function declarationsOf(item) {
  return filesBelow(join(root, DECLARATIONS, relative(root, item.directory)), () => true);
}

/**
 * The files that a package must have after a build of that part: its exports or its program.
 * @param {Package} item @param {"code" | "types"} part @returns {string[]}
 */
function outputs(item, part) {
  /** @type {string[]} */
  const paths = [];
  JSON.stringify(item.manifest.exports ?? "./dist/main.js", (_key, value) => {
    if (typeof value === "string" && value.startsWith("./dist/")) paths.push(join(item.directory, value));
    return value;
  });
  return paths.filter((path) => partOf(path) === part);
}

/** @param {number} slots @returns {<T>(job: () => Promise<T>) => Promise<T>} runs at most that many jobs at a time */
function limiter(slots) {
  /** @type {(() => void)[]} */
  const waiting = [];
  return async (job) => {
    if (slots > 0) slots--;
    else await new Promise((resolve) => waiting.push(() => resolve(undefined)));
    try {
      return await job();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else slots++;
    }
  };
}
