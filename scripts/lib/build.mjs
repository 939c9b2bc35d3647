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

/** Builds packages whose sources, settings or dependencies changed since their last build, dependencies first. */
export async function buildStale() {
  const packages = workspacePackages();
  const byName = new Map(packages.map((item) => [item.name, item]));
  const slots = limiter(Math.max(1, Math.min(4, availableParallelism())));
  /** @type {Map<string, Promise<void>>} */
  const builds = new Map();
  /** @type {(item: Package, users?: string[]) => Promise<void>} */
  const build = (item, users = []) => {
    if (users.includes(item.name)) throw new Failure(`packages in a circle: ${[...users, item.name].join(" → ")}`);
    let done = builds.get(item.name);
    if (!done) {
      const used = item.dependencies.map((name) => byName.get(name)).filter((found) => found !== undefined);
      const ready = used.map((other) => build(other, [...users, item.name]));
      done = Promise.all(ready).then(() => slots(() => buildOne(item, used)));
      builds.set(item.name, done);
    }
    return done;
  };
  const results = await Promise.allSettled(packages.map((item) => build(item)));
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}

/** @param {Package} item @param {Package[]} used */
async function buildOne(item, used) {
  if (!item.manifest.scripts?.build) return;
  const names = ["tsconfig.base.json", "tsconfig.build.json", "pnpm-lock.yaml", "scripts/lib/tsup.ts", ONE_COPY];
  const settings = names.map((name) => join(root, name));
  const own = ["package.json", "tsup.config.ts"].map((name) => join(item.directory, name));
  const stamp = fingerprint([...settings, ...own, ...sources(item), ...used.flatMap(face)]);
  const output = outputs(item);
  if (readStamp(item.name) === stamp && output.every((file) => existsSync(file))) return;

  const started = performance.now();
  rmSync(join(item.directory, "dist"), { recursive: true, force: true });
  const tsup = join(root, "node_modules/tsup/dist/cli-default.js");
  await run(`build of ${item.name}`, process.execPath, [tsup, "--silent"], { cwd: item.directory });
  indentByTabs(item);
  writeStamp(item.name, stamp);
  say(`Built ${item.name} (${elapsed(started)})`);
}

/** Declarations use four spaces per level, which is a tenth of their size. @param {Package} item */
function indentByTabs(item) {
  for (const file of filesBelow(join(item.directory, "dist"), (path) => /[.]d[.]c?ts$/.test(path))) {
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
  if (!item.manifest.scripts?.build) return [join(item.directory, "package.json"), ...sources(item)];
  return filesBelow(join(item.directory, "dist"), (file) => file.endsWith(".d.ts"));
}

/**
 * The files that a package must have after a build: its exports or its program. @param {Package} item @returns
 * {string[]}
 */
function outputs(item) {
  /** @type {string[]} */
  const paths = [];
  JSON.stringify(item.manifest.exports ?? "./dist/main.js", (_key, value) => {
    if (typeof value === "string" && value.startsWith("./dist/")) paths.push(join(item.directory, value));
    return value;
  });
  return paths;
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
