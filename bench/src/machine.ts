import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, release, totalmem, type } from "node:os";
import { dirname, join } from "node:path";
import Sqlite from "better-sqlite3";

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly commit: string;
  /** Version by name: Node, frameworks, drivers, databases. */
  readonly versions: Readonly<Record<string, string>>;
}

const LIBRARIES = ["fastify", "express", "better-sqlite3", "pg", "jose", "zod", "autocannon"];

/** The machine and versions of a measurement. */
export function describeMachine(postgres: string | undefined): Machine {
  const db = new Sqlite(":memory:");
  const sqlite = db.prepare("select sqlite_version()").pluck().get() as string;
  db.close();
  const [first] = cpus();
  return {
    processor: first?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    commit: commitName(),
    versions: {
      node: process.versions.node,
      ...Object.fromEntries(LIBRARIES.map((name) => [name, versionOf(name)])),
      SQLite: sqlite,
      ...(postgres === undefined ? {} : { PostgreSQL: postgres }),
    },
  };
}

function versionOf(name: string): string {
  const require = createRequire(import.meta.url);
  for (let folder = dirname(require.resolve(name)); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
        name?: string;
        version?: string;
      };
      if (manifest.name === name && manifest.version) return manifest.version;
    } catch {
      // A folder inside the package, so try its parent.
    }
  }
  return "unknown";
}

/** The commit, with a plus sign when files differ from it. */
function commitName(): string {
  const git = (...args: string[]) =>
    execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    return (
      git("rev-parse", "--short", "HEAD") + (git("status", "--porcelain", "--untracked-files=no") === "" ? "" : "+")
    );
  } catch {
    return "unknown";
  }
}
