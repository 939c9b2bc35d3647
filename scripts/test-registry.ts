// Publishes all packages to a throw-away registry and installs them from it as a stranger does, beside each framework and
// runtime of the guides. Fails when a host does not answer or end, npm may publish, or an installation is larger than it may
// be. Build the packages first.
//
//   npm run test:registry                 every host
//   npm run test:registry -- next bun     those with a word in their names
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOSTS, hostFaults, install, placeSqlite } from "./hosts/index.js";
import { freshAppFaults } from "./lib/packed-hosts.js";
import { publishAll } from "./lib/publish.js";
import { type Registry, startRegistry } from "./lib/registry.js";
import { filesBelow, root, say, workspacePackages } from "./lib/workspace.mjs";

/** What a host of Express installs of Reeve. */
const WANTED = ["@reeve/core", "@reeve/adapter-express", "@reeve/store-sqlite"];
/** The most packages these bring, and the most without optional ones. Lower them whenever one goes. */
const MOST = { packages: 75, needed: 41, megabytes: 38 };

const ESM = `import { createControlPlane } from "@reeve/core";
import { createSqliteStore } from "@reeve/store-sqlite";
import { reeve } from "@reeve/adapter-express";
import express from "express";
`;
const APP = `const { PORT: port, REEVE_MASTER_KEY: masterKey } = process.env;
const baseUrl = \`http://127.0.0.1:\${port}\`;
const store = createSqliteStore({ file: "reeve.db" });
const controlPlane = createControlPlane({ store, masterKey, baseUrl, registration: "open" });
express().use(reeve(controlPlane)).listen(port);
`;
const CJS = ESM.replaceAll(/import (.*) from (.*);/g, "const $1 = require($2);");

const wanted = process.argv.slice(2).map((word) => word.toLowerCase());
const isWanted = (name: string) => wanted.length === 0 || wanted.some((word) => name.toLowerCase().includes(word));

async function test(folder: string, registry: Registry): Promise<string[]> {
  publishAll(["--registry", registry.url], registry.env);
  const faults = isWanted("express") ? [...faultsOfNpm(registry), ...(await expressFaults(folder, registry))] : [];
  for (const [at, host] of HOSTS.filter(({ name }) => isWanted(name)).entries())
    faults.push(...(await hostFaults(host, join(folder, `host-${at}`), registry.url)));
  return faults;
}

async function expressFaults(folder: string, registry: Registry): Promise<string[]> {
  const host = join(folder, "express");
  mkdirSync(host);
  writeFileSync(join(host, ".npmrc"), `@reeve:registry=${registry.url}\n`);
  const sqlite = join(root, "packages/store-sqlite/node_modules/better-sqlite3/package.json");
  const { version } = JSON.parse(readFileSync(sqlite, "utf8")) as { version: string };
  const manifest = { private: true, overrides: { "better-sqlite3": version } };
  writeFileSync(join(host, "package.json"), JSON.stringify(manifest));
  install(host, "--omit=peer", ...WANTED);
  const faults = [...sizeFaults(host), ...licenceFaults(host)];
  install(host, "express");
  placeSqlite(host);
  faults.push(...(await freshAppFaults("Express, ESM", join(host, "esm"), "app.mjs", ESM + APP)));
  faults.push(...(await freshAppFaults("Express, CommonJS", join(host, "cjs"), "app.cjs", CJS + APP)));
  return faults;
}

/** `npm publish` of any package must be refused. */
function faultsOfNpm({ url, env }: Registry): string[] {
  return workspacePackages()
    .filter(({ manifest }) => !manifest.private)
    .flatMap(({ name, directory }) => {
      const args = ["publish", "--registry", url];
      const { status, stderr } = spawnSync("npm", args, { cwd: directory, env, encoding: "utf8" });
      return status !== 0 && stderr.includes("npm run release")
        ? []
        : [`${name}: npm publish is not refused: ${stderr}`];
    });
}

function sizeFaults(host: string): string[] {
  const { packages } = JSON.parse(readFileSync(join(host, "package-lock.json"), "utf8")) as {
    packages: Record<string, { optional?: boolean; peer?: boolean }>;
  };
  const installed = Object.entries(packages).filter(([path, { peer }]) => path !== "" && !peer);
  const bytes = filesBelow(join(host, "node_modules"), () => true).reduce((sum, file) => sum + statSync(file).size, 0);
  const found = {
    packages: installed.length,
    needed: installed.filter(([, { optional }]) => !optional).length,
    megabytes: Math.ceil(bytes / 1_000_000),
  };
  say(`${WANTED.join(", ")}: ${found.packages} packages, ${found.needed} needed, ${found.megabytes} MB`);
  return Object.entries(MOST)
    .filter(([what, most]) => found[what as keyof typeof found] > most)
    .map(([what, most]) => `an installation has more than ${most} ${what}`);
}

const licenceFaults = (host: string) =>
  WANTED.filter((name) => !existsSync(join(host, "node_modules", name, "LICENSE"))).map(
    (name) => `${name}: no LICENSE`,
  );

const folder = mkdtempSync(join(tmpdir(), "reeve-registry-"));
let registry: Registry | undefined;
try {
  registry = await startRegistry(join(folder, "registry"));
  const faults = await test(folder, registry);
  for (const fault of faults) say(fault);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  await registry?.stop();
  rmSync(folder, { recursive: true, force: true });
}
