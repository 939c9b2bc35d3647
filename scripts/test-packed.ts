// Packs every published package and uses it by import, by require() and by type, with only the dependencies in the
// packed manifests. Build the packages first.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lintPacked } from "./lib/lint-packed.js";
import { linkDependencies, packInto, specifiers } from "./lib/packed.js";
import { CLIENT_TYPES, packedClientFaults } from "./lib/packed-client.js";
import { packedHostFaults } from "./lib/packed-hosts.js";
import { packedServerFaults } from "./lib/packed-server.js";
import { root, say, workspacePackages } from "./lib/workspace.mjs";

// Packages of a single script have no types to test.
const sources = workspacePackages().filter(
  ({ manifest }) => !manifest.private && JSON.stringify(manifest.exports ?? {}).includes('"types"'),
);
const published = new Set(sources.map(({ name }) => name));

/** Runs a module in the consumer that prints the exported names of every specifier as JSON. */
function runtimeNames(consumer: string, file: string, loads: string[], load: (specifier: string) => string) {
  const entries = loads.map((specifier) => `${JSON.stringify(specifier)}: Object.keys(${load(specifier)})`);
  writeFileSync(join(consumer, file), `console.log(JSON.stringify({ ${entries.join(",\n")} }));\n`);
  const output = execFileSync(process.execPath, [file], { cwd: consumer, encoding: "utf8" });
  return JSON.parse(output) as Record<string, string[]>;
}

/** Names that Node adds when it loads CommonJS as an ES module or vice versa. */
const interop = new Set(["default", "module.exports", "__esModule"]);
const publicNames = (names: string[] = []) => names.filter((name) => !interop.has(name)).sort();

/** A source file that imports every exported name. */
function importer(names: [string, string[]][]): string {
  const lines = names.map(([specifier, list], index) => {
    const bindings = list.map((name) => `${name} as n${index}_${name}`);
    const used = list.map((name) => `n${index}_${name}`);
    return `import { ${bindings.join(", ")} } from "${specifier}";\nexport const all${index}: unknown[] = [${used.join(", ")}];\n`;
  });
  return lines.join("");
}

/** How programs find types, each with the kind of modules that goes with it. */
const RESOLUTIONS = { node16: "node16", bundler: "esnext", node10: "commonjs" } as const;

/** Type-checks files of the consumer. Only errors in them or in our declarations count. */
function typeErrors(
  consumer: string,
  files: Record<string, string>,
  resolution: keyof typeof RESOLUTIONS = "node16",
): string[] {
  for (const [file, text] of Object.entries(files)) writeFileSync(join(consumer, file), text);
  const names = Object.keys(files);
  const tsc = join(root, "node_modules/typescript/lib/tsc.js");
  const options = ["--noEmit", "--strict", "--module", RESOLUTIONS[resolution], "--moduleResolution", resolution];
  options.push("--target", "es2022");
  const { stdout } = spawnSync(process.execPath, [tsc, ...options, "--types", "node", ...names], {
    cwd: consumer,
    encoding: "utf8",
  });
  const ours = (line: string) => /^node_modules\/@reeve\/[^/]+\/dist\//.test(line);
  return stdout
    .split("\n")
    .filter((line) => /error TS/.test(line) && (ours(line) || names.some((name) => line.startsWith(name))));
}

/** The most lines of a terminal that the first mistake of a host may take. */
const SCREEN = 24;

/** A host without options, as Node prints it: the message and the line of the host, on one screen. */
function firstMistakeFaults(consumer: string): string[] {
  const file = "mistaken.mjs";
  const text = 'import { createControlPlane } from "@reeve/core";\n\ncreateControlPlane({ masterKey: undefined });\n';
  writeFileSync(join(consumer, file), text);
  const { stderr } = spawnSync(process.execPath, [file], { cwd: consumer, encoding: "utf8" });
  const lines = stderr.trimEnd().split("\n");
  return [
    ...(lines.length > SCREEN ? [`a wrong option prints ${lines.length} lines`] : []),
    ...lines
      .filter((line) => line.length > 200)
      .map((line) => `a wrong option prints ${line.length} letters in a line`),
    ...(/masterKey is required/.test(stderr) ? [] : ["a missing master key is not named"]),
    ...(/at .*mistaken[.]mjs:3/.test(stderr) ? [] : ["a wrong option does not show the line of the host"]),
    ...(/members|headers/.test(stderr) ? ["a wrong option prints members of the error"] : []),
  ];
}

/** Runs a control plane of one copy of core on a store of another. Returns the faults. */
function mixedCopies(consumer: string): string[] {
  const scope = "node_modules/@reeve";
  cpSync(join(consumer, scope), join(consumer, "other", scope), { recursive: true, verbatimSymlinks: true });
  copyFileSync(join(root, "scripts/lib/two-copies.mjs"), join(consumer, "two-copies.mjs"));
  const { status, stderr } = spawnSync(process.execPath, ["two-copies.mjs"], { cwd: consumer, encoding: "utf8" });
  return status === 0 ? [] : [`two copies of @reeve/core in one process: ${stderr}`];
}

async function test(consumer: string): Promise<string[]> {
  writeFileSync(join(consumer, "package.json"), JSON.stringify({ name: "consumer", private: true }));
  const problems: string[] = [];
  const packages = packInto(consumer, sources);
  for (const item of packages) {
    const strays = item.files.filter((file) => !/^((dist|bin)\/|package\.json$|README\.md$|LICENSE$)/.test(file));
    problems.push(...strays.map((file) => `${item.name}: ${file} does not belong in the package`));
    if (!item.files.includes("LICENSE")) problems.push(`${item.name}: has no LICENSE`);
    const isDual = specifiers(item).every(({ dual }) => dual);
    problems.push(...(await lintPacked(item, !isDual)));
    const source = sources.find(({ name }) => name === item.name);
    if (source) problems.push(...linkDependencies(item, source, published, consumer));
  }
  const entries = packages.flatMap(specifiers);
  const all = entries.map(({ specifier }) => specifier);
  const imported = runtimeNames(consumer, "names.mjs", all, (name) => `await import("${name}")`);
  const required = runtimeNames(consumer, "names.cjs", all, (name) => `require("${name}")`);
  const names = all.map((specifier): [string, string[]] => [specifier, publicNames(imported[specifier])]);
  for (const [specifier, list] of names) {
    if (list.length === 0) problems.push(`${specifier}: exports nothing`);
    const other = publicNames(required[specifier]);
    if (list.join() !== other.join()) problems.push(`${specifier}: import has ${list}, require() has ${other}`);
  }
  // Under node16, CommonJS sees no types of an ESM-only entry, although Node can load it.
  const dual = new Set(entries.filter((entry) => entry.dual).map(({ specifier }) => specifier));
  const duals = names.filter(([specifier]) => dual.has(specifier));
  problems.push(...mixedCopies(consumer));
  problems.push(...(await packedServerFaults(consumer)));
  problems.push(...(await packedHostFaults(consumer)));
  problems.push(...packedClientFaults(consumer));
  const files = { "types.mts": importer(names), "types.cts": importer(duals) };
  problems.push(...typeErrors(consumer, { ...files, "client.mts": CLIENT_TYPES, "client.cts": CLIENT_TYPES }));
  problems.push(...typeErrors(consumer, { "bundled.ts": importer(names) }, "bundler"));
  problems.push(...typeErrors(consumer, { "older.ts": importer(duals) }, "node10"));
  problems.push(...firstMistakeFaults(consumer));
  return problems;
}

const consumer = mkdtempSync(join(tmpdir(), "reeve-packed-"));
try {
  const problems = await test(consumer);
  for (const problem of problems) say(problem);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  rmSync(consumer, { recursive: true, force: true });
}
