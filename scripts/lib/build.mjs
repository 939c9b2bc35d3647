import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import {
  elapsed,
  Failure,
  filesBelow,
  fingerprint,
  readStamp,
  root,
  run,
  say,
  workspacePackages,
  writeStamp,
} from "./workspace.mjs";

/** @typedef {import("./workspace.mjs").Package} Package */

const ONE_COPY = "scripts/lib/one-copy.ts";

/**
 * Builds what is stale: the code of each package, and beside it the declarations, which wait for those of the packages
 * that it uses. `only` builds the code of these packages and nothing else.
 * @param {Package[]} [only]
 */
export async function buildStale(only) {
  const packages = (only ?? workspacePackages()).filter(({ manifest }) => manifest.scripts?.build);
  const slots = limiter(Math.max(1, Math.min(4, availableParallelism())));
  // Declarations of core take longest, so they are begun first.
  const declared = only ? [] : declareAll(packages, slots);
  const built = packages.map((item) => slots(() => buildCode(item)));
  const results = await Promise.allSettled([...declared, ...built]);
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}

/** @param {Package[]} packages @param {ReturnType<typeof limiter>} slots @returns {Promise<void>[]} */
function declareAll(packages, slots) {
  const byName = new Map(packages.map((item) => [item.name, item]));
  /** @type {Map<string, Promise<void>>} */
  const begun = new Map();
  /** @type {(item: Package, users?: string[]) => Promise<void>} */
  const declare = (item, users = []) => {
    if (users.includes(item.name)) throw new Failure(`packages in a circle: ${[...users, item.name].join(" → ")}`);
    const known = begun.get(item.name);
    if (known) return known;
    const used = item.dependencies.map((name) => byName.get(name)).filter((found) => found !== undefined);
    const ready = used.map((other) => declare(other, [...users, item.name]));
    const done = Promise.all(ready).then(() => slots(() => buildTypes(item)));
    begun.set(item.name, done);
    return done;
  };
  return packages.map((item) => declare(item));
}

/** @param {Package} item */
async function buildCode(item) {
  const stamp = fingerprint([...inputs(item), ...usedOf(item).filter(isUnbuilt).flatMap(sources)]);
  await buildPart(item, "code", stamp, `Built ${item.name}`);
}

/** @param {Package} item */
async function buildTypes(item) {
  const stamp = fingerprint([...inputs(item), ...usedOf(item).flatMap(face)]);
  if (outputs(item, "types").length > 0)
    await buildPart(item, "types", stamp, `Built the declarations of ${item.name}`);
}

/** @param {Package} item @param {"code" | "types"} part @param {string} stamp @param {string} done */
async function buildPart(item, part, stamp, done) {
  const name = `${item.name}.${part}`;
  if (readStamp(name) === stamp && outputs(item, part).every((file) => existsSync(file))) return;
  const started = performance.now();
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

/** @param {Package} item */
function usedOf(item) {
  return workspacePackages().filter(({ name }) => item.dependencies.includes(name));
}

/** What both parts of a package depend on. @param {Package} item */
function inputs(item) {
  const names = ["tsconfig.base.json", "tsconfig.build.json", "pnpm-lock.yaml", "scripts/lib/tsup.ts", ONE_COPY];
  const own = ["package.json", "tsup.config.ts"].map((name) => join(item.directory, name));
  return [...names.map((name) => join(root, name)), ...own, ...sources(item)];
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
  return filesBelow(join(item.directory, "src"), (file) => !file.endsWith(".test.ts"));
}

/**
 * What dependents of a package depend on: its declarations, or its sources if it is not built. @param {Package} item
 */
function face(item) {
  if (isUnbuilt(item)) return [join(item.directory, "package.json"), ...sources(item)];
  return filesBelow(join(item.directory, "dist"), (file) => file.endsWith(".d.ts"));
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
