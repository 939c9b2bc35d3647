import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { elapsed, fingerprint, readStamp, root, run, say, workspacePackages, writeStamp } from "./workspace.mjs";

/**
 * Installs with the pinned pnpm if the dependencies changed, or the Node version that native modules were built for.
 */
export async function installIfNeeded() {
  const manifests = workspacePackages().map(({ directory }) => join(directory, "package.json"));
  const inputs = ["package.json", "pnpm-workspace.yaml", "pnpm-lock.yaml", ".npmrc"].map((name) => join(root, name));
  const abi = `${process.platform}-${process.arch}-${process.versions.modules}`;
  const stamp = `${abi} ${fingerprint([...inputs, ...manifests])}`;
  const last = existsSync(join(root, "node_modules/.modules.yaml")) ? readStamp("install") : undefined;
  if (last === stamp) return;

  const started = performance.now();
  say("Installing dependencies; the first time this takes a minute or two…");
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const pnpm = /^pnpm@[\d.]+/.exec(packageManager)?.[0] ?? "pnpm";
  // With CI set, pnpm asks nothing. Install scripts of native modules use npx from the PATH of Node.
  const env = { ...process.env, CI: "true" };
  await run("pnpm install", "npx", ["--yes", pnpm, "install", "--frozen-lockfile"], { env });
  const otherAbi = last !== undefined && !last.startsWith(`${abi} `);
  if (otherAbi) await run("pnpm rebuild", "npx", ["--yes", pnpm, "rebuild", "-r", "better-sqlite3"], { env });
  writeStamp("install", stamp);
  say(`Installed dependencies (${elapsed(started)})`);
}
