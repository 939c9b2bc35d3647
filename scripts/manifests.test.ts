import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { manifestMistakes } from "./lib/manifest.js";
import { filesBelow, type Package, packagesToRun, root, workspacePackages } from "./lib/workspace.mjs";

const published = workspacePackages().filter(({ manifest }) => !manifest.private);

describe("manifests of published packages", () => {
  it("are eighteen", () => expect(published.map(({ name }) => name)).toHaveLength(18));

  it.each(published.map((item) => [item.name, item] as const))("%s says what its users need", (_name, item) => {
    expect(manifestMistakes(item)).toEqual([]);
  });
});

describe("pending changesets", () => {
  const folder = join(root, ".changeset");
  const { fixed } = JSON.parse(readFileSync(join(folder, "config.json"), "utf8"));

  it("release all published packages together", () => {
    expect([...fixed.flat()].sort()).toEqual(published.map(({ name }) => name).sort());
  });

  it.each(published.map(({ name, directory }) => [name, directory]))(
    "add to the changelog of %s",
    (name, directory) => {
      expect(readFileSync(join(directory, "CHANGELOG.md"), "utf8")).toMatch(new RegExp(`^# ${name}\n\n## \\d`));
    },
  );
});

describe("the check of manifests", () => {
  const core = published.find(({ name }) => name === "@reeve/core") as Package;
  const store = published.find(({ name }) => name === "@reeve/store-sqlite") as Package;
  const server = published.find(({ name }) => name === "@reeve/server") as Package;
  const wrong = (item: Package, change: object) =>
    manifestMistakes({ ...item, manifest: { ...item.manifest, ...change } });
  const types = { types: "./dist/index.d.ts", default: "./dist/index.js" };

  it.each<[string, string[], RegExp]>([
    ["a missing repository", wrong(core, { repository: undefined }), /repository\.url/],
    ["an entry whose types older settings do not find", wrong(core, { typesVersions: undefined }), /typesVersions/],
    ["no keywords", wrong(core, { keywords: [] }), /has no keywords/],
    ["an exact version without a reason", wrong(core, { dependencies: { zod: "4.6.7" } }), /zod.*caret/],
    ["a caret where internals are used", wrong(store, { dependencies: { pg: "^8.0.0" } }), /pg.*exact/],
    ["core as a dependency", wrong(store, { dependencies: { "@reeve/core": "^1.0.0" } }), /must be a peer/],
    ["a program without core", wrong(server, { dependencies: {} }), /@reeve\/core is no dependency/],
    ["core nowhere", wrong(store, { peerDependencies: {} }), /is no peer/],
    ["types of the other format", wrong(core, { exports: { ".": { import: types, require: types } } }), /no \.cjs/],
    [
      "types after code",
      wrong(core, { exports: { ".": { default: types.default, types: types.types } } }),
      /not the first/,
    ],
  ])("sees %s", (_what, mistakes, expected) => expect(mistakes.join("\n")).toMatch(expected));
});

describe("what npm start installs", () => {
  const packages = packagesToRun("@reeve/server");

  it("is the server and what it runs on", () => {
    const names = packages.map(({ name }) => name.replace("@reeve/", ""));
    const adapters = ["adapter-express", "adapter-fastify", "adapter-http"];
    const stores = ["store-postgres", "store-sql", "store-sqlite"];
    expect(names).toEqual([
      ...adapters,
      "client",
      "connectors",
      "console",
      "core",
      "mcp",
      "openid",
      "passkeys",
      "reference-page",
      "saml",
      "server",
      ...stores,
    ]);
  });

  const { dependencies: ofRoot } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const values = /^(?:import|export) (?!type\b)[\w\s{},*]*?from "((?:@[\w-]+\/)?[\w-][\w.-]*)/gm;

  it("has what the build of them imports", () => {
    const files = new Set(
      packages.map(({ directory }) => join(directory, "tsup.config.ts")).filter((file) => existsSync(file)),
    );
    const imported = new Set<string>();
    // The set grows while it is gone through.
    for (const file of files) {
      for (const [, from = ""] of readFileSync(file, "utf8").matchAll(
        /^(?:import|export) (?!type\b)[\w\s{},*]*?from "([^"]+)";/gm,
      )) {
        if (from.startsWith(".")) files.add(join(dirname(file), from.replace(/\.js$/, ".ts")));
        else if (!from.startsWith("node:")) imported.add(from);
      }
    }
    expect(imported).toContain("tsup");
    expect([...imported].filter((from) => ofRoot[from] === undefined)).toEqual([]);
  });

  it.each(packages.map((item) => [item.name, item] as const))(
    "has what %s imports",
    (name, { directory, manifest }) => {
      const installed = new Set(["node", name, ...Object.keys({ ...ofRoot, ...manifest.dependencies })]);
      const files = filesBelow(join(directory, "src"), (file) => /(?<![.]test)[.]m?ts$/.test(file));
      const imported = files.flatMap((file) =>
        [...readFileSync(file, "utf8").matchAll(values)].map(([, from]) => from),
      );
      expect(imported.filter((from) => !installed.has(String(from)))).toEqual([]);
    },
  );
});
