import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, inject, it } from "vitest";
import { root } from "./workspace.mjs";

const COPIED = ["scripts/lib", "tsconfig.json", "tsconfig.base.json", "tsconfig.build.json", "pnpm-workspace.yaml"];
const LINKED = ["@types", "tsup", "typescript", "typescript-7"];
const PACKAGE = "packages/adapter-http";

/** A repository with one package, and its build. */
async function repository() {
  const folder = mkdtempSync(join(inject("temporaryFolder"), "reeve-build-"));
  const manifests = [`${PACKAGE}/package.json`, `${PACKAGE}/tsup.config.ts`];
  for (const path of [...COPIED, ...manifests, "package.json", "pnpm-lock.yaml", "tsconfig.declarations.json"])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  for (const path of ["node_modules", "examples", "bench", `${PACKAGE}/src`])
    mkdirSync(join(folder, path), { recursive: true });
  for (const name of LINKED) symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  const { buildStale } = await import(pathToFileURL(join(folder, "scripts/lib/build.mjs")).href);
  const write = (path: string, text: string) => writeFileSync(join(folder, PACKAGE, path), text);
  write("src/index.ts", 'export { answer } from "./answer.js";\n');
  return {
    source: (text: string) => write("src/answer.ts", text),
    config: (run: string) =>
      write(
        "tsup.config.ts",
        `import { library } from "../../scripts/lib/tsup.js";\nexport default library(${run});\n`,
      ),
    build: (): Promise<void> => buildStale(),
    built: (file: string) => readFileSync(join(folder, PACKAGE, "dist", file), "utf8"),
  };
}

const SOUND = "export const answer = 42 as number;\n";

it("declarations that failed are no longer those of the sources before", async () => {
  const { source, build, built } = await repository();
  source(SOUND);
  await build();
  source("class Hidden {\n  private answer = 42;\n}\nexport const answer = class extends Hidden {};\n");
  await expect(build()).rejects.toThrow("declarations failed");
  source(SOUND);
  await build();
  expect(built("index.d.ts")).toContain("answer: number");
});

it("code that was written by a build that failed is no longer that of the sources before", async () => {
  const { source, config, build, built } = await repository();
  source(SOUND);
  config("");
  await build();
  source(SOUND.replace("42", "43"));
  config('{ onSuccess: () => Promise.reject(new Error("broken off")) }');
  await expect(build()).rejects.toThrow("broken off");
  expect(built("index.js")).toContain("43");
  source(SOUND);
  config("");
  await build();
  expect(built("index.js")).toContain("42");
});
