// Packed packages in the node_modules of a consumer.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Package, pinnedPnpm, root } from "./workspace.mjs";

/** A published package, unpacked from its tarball. */
export interface PackedPackage {
  name: string;
  /** The folder it is unpacked to. */
  directory: string;
  manifest: Manifest;
  /** Path of the tarball. */
  tarball: string;
  /** The paths in the tarball. */
  files: string[];
}

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  exports: Record<string, unknown>;
}

/** Packs with the pinned pnpm, as for publishing, and unpacks into the consumer's node_modules. */
export function packInto(consumer: string, packages: Package[]): PackedPackage[] {
  const filters = packages.flatMap(({ name }) => ["--filter", name]);
  const args = ["--yes", pinnedPnpm(), "--recursive", ...filters, "pack", "--pack-destination", consumer, "--json"];
  const output = execFileSync("npx", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const listed = JSON.parse(output) as { name: string; filename: string } | { name: string; filename: string }[];
  return [listed].flat().map(({ name, filename }) => {
    const directory = join(consumer, "node_modules", name);
    mkdirSync(directory, { recursive: true });
    execFileSync("tar", ["-xzf", filename, "-C", directory, "--strip-components=1"]);
    const files = execFileSync("tar", ["-tzf", filename], { encoding: "utf8" }).trim().split("\n");
    const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as Manifest;
    return { name, directory, manifest, tarball: filename, files: files.map((file) => file.replace(/^package\//, "")) };
  });
}

/**
 * Links the declared dependencies of a packed package from the workspace's installation, so that nothing is downloaded.
 * Returns a problem for each dependency that a registry cannot provide.
 */
export function linkDependencies(
  item: PackedPackage,
  source: Package,
  published: Set<string>,
  consumer: string,
): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = item.manifest;
  const problems: string[] = [];
  for (const [name, range] of Object.entries({ ...dependencies, ...peerDependencies })) {
    if (range.startsWith("workspace:")) problems.push(`${item.name}: ${name} is declared as ${range}`);
    if (published.has(name)) continue;
    if (name.startsWith("@reeve/")) problems.push(`${item.name}: depends on ${name}, which is not published`);
    else link(join(source.directory, "node_modules", name), join(item.directory, "node_modules", name));
  }
  for (const name of Object.keys(optionalDependencies ?? {})) {
    const installed = join(source.directory, "node_modules", name);
    if (existsSync(installed)) link(installed, join(item.directory, "node_modules", name));
  }
  link(join(root, "node_modules/@types/node"), join(consumer, "node_modules/@types/node"));
  return problems;
}

/** Links a folder to a path, unless something is there. */
export function link(target: string, path: string): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path, "junction");
}

/** The entry points of a package, and whether each has a CommonJS entry. */
export function specifiers({ name, manifest }: PackedPackage): { specifier: string; dual: boolean }[] {
  return Object.entries(manifest.exports)
    .filter(([subpath]) => !subpath.endsWith(".json"))
    .map(([subpath, entry]) => ({
      specifier: name + subpath.slice(1),
      dual: typeof entry === "object" && entry !== null && "require" in entry,
    }));
}
