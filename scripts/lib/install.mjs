import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  elapsed,
  fingerprint,
  pinnedPnpm,
  readStamp,
  root,
  run,
  say,
  workspacePackages,
  writeStamp,
} from "./workspace.mjs";

/** @typedef {import("./workspace.mjs").Package} Package */

const ALL = "all";

/**
 * Installs with the pinned pnpm if the dependencies changed, or the Node version that native modules were built for.
 * `only` leaves out what is not needed to build and run these packages, unless everything is installed already.
 * @param {Package[]} [only]
 */
export async function installIfNeeded(only) {
  const manifests = workspacePackages().map(({ directory }) => join(directory, "package.json"));
  const inputs = ["package.json", "pnpm-workspace.yaml", "pnpm-lock.yaml", ".npmrc"].map((name) => join(root, name));
  const abi = `${process.platform}-${process.arch}-${process.versions.modules}`;
  const contents = fingerprint([...inputs, ...manifests]);
  const last = existsSync(join(root, "node_modules/.modules.yaml")) ? readStamp("install")?.split(" ") : undefined;
  const [lastAbi, lastContents, lastScope] = last ?? [];
  // What is more than needed stays: an install of less would remove it.
  const scope = only && lastScope !== ALL ? only.map(({ name }) => name).join() : ALL;
  if (lastAbi === abi && lastContents === contents && lastScope === scope) return;

  const started = performance.now();
  say("Installing dependencies; the first time this takes a minute or two…");
  // With CI set, pnpm asks nothing. Install scripts of native modules use npx from the PATH of Node.
  const env = { ...process.env, CI: "true" };
  const part = scope === ALL ? [] : ["--prod", ...(only ?? []).map(({ name }) => `--filter=${name}`)];
  await run("pnpm install", "npx", ["--yes", pinnedPnpm(), "install", "--frozen-lockfile", ...part], { env });
  const otherAbi = lastAbi !== undefined && lastAbi !== abi;
  if (otherAbi) await run("pnpm rebuild", "npx", ["--yes", pinnedPnpm(), "rebuild", "-r", "better-sqlite3"], { env });
  writeStamp("install", [abi, contents, scope].join(" "));
  say(`Installed dependencies (${elapsed(started)})`);
}
