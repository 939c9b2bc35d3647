import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ServerProcess } from "./server-process.js";

const root = resolve(import.meta.dirname, "../../..");
const testkit = join(root, "packages/testkit/node_modules");

let directory: string;
let project: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "reeve-connector-"));
  project = join(directory, "acme-bots");
  const { code, errors } = await create("acme-bots");
  expect([code, errors]).toEqual([0, `${project} is written; npm install and npm test come next\n`]);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function create(...args: string[]) {
  const running = ServerProcess.run("connector", directory, {}, ["new", ...args]);
  return { code: await running.ended, errors: running.errors, output: running.output };
}

function run(program: string, ...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((settle) => {
    execFile(
      process.execPath,
      [program, ...args],
      { cwd: project, env: { PATH: process.env.PATH } },
      (error, output, errors) => settle({ code: error ? Number(error.code) : 0, output: output + errors }),
    );
  });
}

/** Has the project find what npm would install: packages as they are, and those of this repository as sources. */
function install(): void {
  const modules = join(project, "node_modules");
  mkdirSync(join(modules, "@types"), { recursive: true });
  symlinkSync(join(root, "node_modules/@types/node"), join(modules, "@types/node"));
  for (const name of ["vitest", "zod"]) symlinkSync(join(testkit, name), join(modules, name));
  const file = join(project, "tsconfig.json");
  const config = JSON.parse(readFileSync(file, "utf8"));
  const paths = {
    "@reeve/core": [join(root, "packages/core/src/index.ts")],
    "@reeve/core/*": [join(root, "packages/core/src/*/index.ts")],
    "@reeve/testkit/*": [join(root, "packages/testkit/src/*/index.ts")],
  };
  // Sources of this repository are compiled with it, where npm would give declarations.
  const lib = ["ES2023", "ES2024.String"];
  writeFileSync(file, JSON.stringify({ ...config, compilerOptions: { ...config.compilerOptions, lib, paths } }));
  const programs = inject("programs");
  const alias = [
    { find: "@reeve/core/connectors", replacement: programs["packages/core/src/connectors/index.ts"] },
    { find: "@reeve/core/testing", replacement: programs["packages/core/src/testing/index.ts"] },
    { find: "@reeve/core", replacement: programs["packages/core/src/index.ts"] },
    { find: "@reeve/testkit/connectors", replacement: programs["packages/testkit/src/connectors/index.ts"] },
  ];
  const given = { resolve: { alias }, test: { server: { deps: { external: Object.values(programs) } } } };
  writeFileSync(join(project, "vitest.config.js"), `export default ${JSON.stringify(given)};\n`);
}

describe("a new connector", () => {
  it("type-checks, and its test is green until the connector is wrong", async () => {
    install();
    expect(await run(join(root, "node_modules/typescript-7/bin/tsc"), "--checkers", "1")).toEqual({
      code: 0,
      output: "",
    });
    const vitest = join(testkit, "vitest/vitest.mjs");
    const green = await run(vitest, "run", "--maxWorkers=1");
    expect(green.output).toMatch(/Tests\s.*passed/);
    expect(green.code, green.output).toBe(0);
    const file = join(project, "src/agents.ts");
    writeFileSync(file, readFileSync(file, "utf8").replace("externalId: id", "externalId: name"));
    const red = await run(vitest, "run", "--maxWorkers=1");
    expect(red.output).toContain("what is renamed keeps its id");
    expect(red.code).toBe(1);
  }, 300_000);

  it("is built with versions that this repository uses", () => {
    const versions = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
    const { dependencies } = JSON.parse(readFileSync(join(root, "packages/core/package.json"), "utf8"));
    const repository = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const tools = { ...repository.dependencies, ...repository.devDependencies };
    const { version } = JSON.parse(readFileSync(join(root, "packages/server/package.json"), "utf8"));
    expect(versions.dependencies.zod).toBe(dependencies.zod);
    for (const name of ["@types/node", "typescript", "vitest"])
      expect(versions.devDependencies[name], name).toBe(`^${tools[name]}`);
    expect(versions.peerDependencies).toEqual({ "@reeve/core": `^${version}` });
  });

  it("has a name that is a key, and overwrites nothing", async () => {
    for (const wrong of ["Acme", "a", "acme_bots", "../acme", "acme-", "x".repeat(51)])
      expect(await create(wrong), wrong).toMatchObject({ code: 1, errors: expect.stringContaining("2 to 50") });
    expect(await create("acme-bots")).toMatchObject({ code: 1, errors: expect.stringContaining("is there already") });
    const { code, output } = await create("other", "--json");
    expect([code, JSON.parse(output).files]).toEqual([0, expect.arrayContaining(["src/index.ts", "README.md"])]);
  });
});
