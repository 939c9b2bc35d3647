// The packages of the workspace, and helpers for files and commands.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The folder of the declarations of each source file, from which those of a package are bundled. */
export const DECLARATIONS = ".declarations";

/** @returns {string} the pnpm of the workspace and its version, as npx takes it */
export function pinnedPnpm() {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return packageManager.replace(/[+].*/, "");
}

/** An expected failure, of which only the message is shown. */
export class Failure extends Error {}

/**
 * @typedef {object} Package
 * @property {string} name
 * @property {string} directory absolute
 * @property {Record<string, any>} manifest package.json
 * @property {string[]} dependencies names of the workspace packages it uses
 */

/** @returns {Package[]} every package of the workspace; the folders are those of pnpm-workspace.yaml */
export function workspacePackages() {
  const globs = [...readFileSync(join(root, "pnpm-workspace.yaml"), "utf8").matchAll(/^ {2}- ([\w/*-]+)$/gm)];
  const folders = globs.flatMap(([, glob = ""]) => {
    if (!glob.endsWith("/*")) return [glob];
    const parent = glob.slice(0, -2);
    return readdirSync(join(root, parent)).map((name) => `${parent}/${name}`);
  });
  const found = folders
    .map((folder) => join(root, folder))
    .filter((directory) => existsSync(join(directory, "package.json")))
    .map((directory) => ({
      directory,
      manifest: JSON.parse(readFileSync(join(directory, "package.json"), "utf8")),
    }));
  const names = new Set(found.map(({ manifest }) => manifest.name));
  return found.map(({ directory, manifest }) => ({
    name: manifest.name,
    directory,
    manifest,
    dependencies: Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter((name) =>
      names.has(name),
    ),
  }));
}

/**
 * What running a package takes: itself, the packages it depends on, and the unpublished ones that are bundled into these.
 * @param {string} name @returns {Package[]}
 */
export function packagesToRun(name) {
  const packages = workspacePackages();
  const wanted = new Set([name]);
  for (const each of wanted) {
    const found = packages.find((item) => item.name === each);
    const bundled = Object.keys(found?.manifest.devDependencies ?? {}).filter((used) =>
      packages.some((item) => item.name === used && item.manifest.private),
    );
    for (const used of [...Object.keys(found?.manifest.dependencies ?? {}), ...bundled]) wanted.add(used);
  }
  return packages.filter((item) => wanted.has(item.name));
}

/** @param {string} directory @param {(path: string) => boolean} keep @returns {string[]} sorted absolute paths */
export function filesBelow(directory, keep) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(keep)
    .sort();
}

/** @param {string[]} files @param {string[]} facts @returns {string} one hash of paths, contents and facts */
export function fingerprint(files, facts = []) {
  const hash = createHash("sha256");
  for (const fact of facts) hash.update(`${fact}\0`);
  for (const file of files)
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  return hash.digest("hex");
}

const stampFile = (/** @type {string} */ name) =>
  join(root, "node_modules/.cache/reeve", `${name.replaceAll("/", "+")}.stamp`);

/** @param {string} name @returns {string | undefined} */
export function readStamp(name) {
  return existsSync(stampFile(name)) ? readFileSync(stampFile(name), "utf8") : undefined;
}

/** @param {string} name @param {string} value */
export function writeStamp(name, value) {
  mkdirSync(dirname(stampFile(name)), { recursive: true });
  writeFileSync(stampFile(name), value);
}

/** What is begun is not as its stamp says any more, even if it is broken off. @param {string} name */
export function removeStamp(name) {
  rmSync(stampFile(name), { force: true });
}

/** @param {string} text */
export function say(text) {
  process.stdout.write(`${text}\n`);
}

/**
 * Runs a command. Its output is shown only when it fails.
 * @param {string} what named in the failure
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} options
 */
export async function run(what, command, args, { cwd = root, env = process.env } = {}) {
  const shell = process.platform === "win32" && command === "npx";
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], shell });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const ended = await new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(code ?? signal));
  });
  if (ended !== 0) throw new Failure(`${output.trimEnd()}\n${what} failed (${ended})`);
}

/** @param {number} started a performance.now() @returns {string} for example "3.1 s" */
export function elapsed(started) {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}
