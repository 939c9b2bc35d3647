import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { type Plugin, rollup } from "rollup";
import { root } from "../workspace.mjs";
import { ownModule } from "./own-module.js";
import { type Started, startedParts } from "./started.js";

interface Bundle {
  readonly directory: string;
  /** The files of the entries by name, below the package. */
  readonly entry: Readonly<Record<string, string>>;
  /** Packages that become part of the bundle. */
  readonly bundled: readonly string[];
  /** Modules that do something when they are loaded. All others only have what they export. */
  readonly effects?: readonly RegExp[];
  /** Entries whose modules are chunks of their own, the narrowest first, so that importing one loads no other. */
  readonly apart: readonly string[];
  /** Modules that are a chunk of their own, as names below `src`. */
  readonly alone: readonly string[];
}

/** The beginning of the name of a chunk that is loaded when first used. */
export const LAZY = "lazy-";

/** The end of the name of a module that has the late functions of another one. */
const LATE = "?late";

/**
 * Bundles a package: what an entry needs, what a host needs until its first asset, and by area what is loaded when first used.
 */
export async function lazyBundle({ directory, entry, bundled, effects = [], apart, alone }: Bundle): Promise<void> {
  const source = join(directory, "src");
  const started = await startedParts(directory);
  const bundle = await rollup({
    input: Object.fromEntries(Object.entries(entry).map(([name, file]) => [name, join(directory, file)])),
    plugins: [sources(source, directory, bundled, started)],
    treeshake: { moduleSideEffects: (id) => effects.some((effect) => effect.test(id)) },
    onwarn: (warning) => {
      // Chunks that are loaded late may lead back.
      if (warning.code === "CIRCULAR_CHUNK" || warning.code === "CYCLIC_CROSS_CHUNK_REEXPORT") return;
      // A comment that tells of an annotation is taken for one.
      if (warning.code === "INVALID_ANNOTATION" && warning.id?.includes("node_modules")) return;
      // A module and its late functions import each other.
      if (warning.code === "CIRCULAR_DEPENDENCY" && warning.ids?.some((id) => id.endsWith(LATE))) return;
      if (warning.code === "CIRCULAR_DEPENDENCY" && warning.ids?.every((id) => id.includes("node_modules"))) return;
      throw new Error(warning.message);
    },
  });
  const reached = new Map<string, string>();
  await bundle.write({
    dir: join(directory, "dist"),
    format: "es",
    sourcemap: true,
    sourcemapExcludeSources: true,
    generatedCode: "es2015",
    minifyInternalExports: false,
    hoistTransitiveImports: false,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    manualChunks(id, { getModuleInfo }) {
      if (reached.size === 0)
        for (const name of apart) reach(join(directory, entry[name] as string), name, reached, getModuleInfo);
      const name = relative(source, id).replaceAll(sep, "/");
      if (alone.includes(name)) return `${LAZY}${basename(name, ".ts")}`;
      return reached.get(id) ?? (started.modules.has(name) ? "start" : `${LAZY}${areaOf(name)}`);
    },
  });
  await bundle.close();
  writeFileSync(join(directory, "dist", LICENCES), bundled.map((name) => licenceOf(name, directory)).join("\n"));
}

/**
 * The file with the licences of bundled packages, which demand that they go with the code. With "license" in its name,
 * pnpm 10.34.9 would take it for the licence of the package, and leave out that one.
 */
export const LICENCES = "third-party-notices.txt";

/** The name, the version and the licence of a package. Throws when it comes without the text. */
function licenceOf(name: string, directory: string): string {
  // `npm start` installs what builds take at the root alone.
  const folder = [directory, root].map((place) => join(place, "node_modules", name)).find((place) => existsSync(place));
  if (folder === undefined) throw new Error(`${name} is not installed`);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} comes without its licence`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
}

type Info = (id: string) => { readonly importedIds: readonly string[] } | null;

function reach(id: string, chunk: string, reached: Map<string, string>, infoOf: Info): void {
  if (reached.has(id)) return;
  reached.set(id, `of-${chunk}`);
  for (const next of infoOf(id)?.importedIds ?? []) if (next.startsWith("/")) reach(next, chunk, reached, infoOf);
}

/** The folder whose modules are loaded together: an area, or a package. */
function areaOf(name: string): string {
  const [first = "", second = ""] = name.split("/");
  if (name.startsWith(".."))
    return /node_modules[/](?:@[^/]+[/])?([^/]+)[/](?!.*node_modules)/.exec(name)?.[1] ?? "packages";
  return first === "families" || first === "kernel" ? second : first;
}

/** Finds the sources by their names, and the bundled packages. All else stays an import. */
function sources(source: string, directory: string, bundled: readonly string[], started: Started): Plugin {
  const require = createRequire(join(directory, "package.json"));
  const file = (path: string) => (existsSync(path.replace(/js$/, "ts")) ? path.replace(/js$/, "ts") : path);
  return {
    name: "sources",
    resolveId(name, importer) {
      if (importer === undefined) return name;
      if (name.startsWith("/")) return name;
      if (name.startsWith("#")) return file(join(source, name.slice(1)));
      if (name.startsWith(".")) return file(resolve(dirname(importer), name));
      const own = bundled.find((one) => name === one || name.startsWith(`${one}/`));
      if (own !== undefined) return moduleOf(own, `.${name.slice(own.length)}`, require);
      return { id: name, external: true, moduleSideEffects: false };
    },
    async load(id) {
      const [path = "", late] = id.split("?");
      // Whoever installs the package has no sources of what it bundles for a map to point at.
      if (path.endsWith(".js")) return { code: readFileSync(path, "utf8"), map: { mappings: "" } };
      if (path.endsWith(".json"))
        return { code: `export default ${readFileSync(path, "utf8")};`, map: { mappings: "" } };
      const { code, map, parts } = await ownModule(path);
      const name = relative(source, path).replaceAll(sep, "/");
      const apart = new Set(parts.names.filter((part) => !started.functions.has(`${name}#${part}`)));
      if (!started.modules.has(name) || apart.size === 0) return { code, map };
      return { code: late === undefined ? parts.main(apart, () => `${path}${LATE}`) : parts.late(apart, path), map };
    },
  };
}

/** The file of a package for imports of a part of it, as `.` or `./errors`. */
function moduleOf(name: string, part: string, require: NodeJS.Require): string {
  const paths = require.resolve.paths(name) ?? [];
  const found = paths.map((path) => join(path, name)).find((path) => existsSync(join(path, "package.json")));
  if (found === undefined) throw new Error(`${name} is not installed`);
  const { exports } = JSON.parse(readFileSync(join(found, "package.json"), "utf8"));
  const given = exports[part] ?? exports;
  return join(found, typeof given === "string" ? given : (given.import ?? given.default));
}
