import { createRequire } from "node:module";
import type Database from "better-sqlite3";
import { betterSqlite } from "./better-sqlite3.js";
import { type BunSqlite, bunSqlite } from "./bun-sqlite.js";
import type { DriverName, SqliteDriver } from "./driver.js";
import { type NodeSqlite, nodeSqlite } from "./node-sqlite.js";

const load = createRequire(import.meta.url);

const DRIVERS: Readonly<Record<DriverName, () => SqliteDriver>> = {
  "better-sqlite3": () => {
    const Handle = load("better-sqlite3") as typeof Database;
    // The native part is loaded with the first database.
    new Handle(":memory:").close();
    return betterSqlite(Handle);
  },
  "node:sqlite": () => {
    const library = load("node:sqlite") as NodeSqlite;
    if (typeof library.backup !== "function") throw new TypeError("this version of Node has an older node:sqlite");
    return nodeSqlite(library);
  },
  "bun:sqlite": () => bunSqlite(load("bun:sqlite") as BunSqlite),
};

const loaded = new Map<DriverName, SqliteDriver>();

/** A driver by its name. Throws a `TypeError` that says what is missing. */
export function driverOf(name: DriverName): SqliteDriver {
  const known = loaded.get(name);
  if (known) return known;
  try {
    const driver = DRIVERS[name]();
    loaded.set(name, driver);
    return driver;
  } catch (cause) {
    throw new TypeError(`driver: ${name} cannot be loaded here: ${firstLine(cause)}`, { cause });
  }
}

/** The driver that is there: that of Bun in Bun, elsewhere better-sqlite3 where it is installed, else that of Node. */
export function anyDriver(): SqliteDriver {
  const names: readonly DriverName[] = process.versions.bun ? ["bun:sqlite"] : ["better-sqlite3", "node:sqlite"];
  const reasons: string[] = [];
  for (const name of names) {
    try {
      return driverOf(name);
    } catch (error) {
      reasons.push(firstLine(error));
    }
  }
  throw new TypeError(
    `no SQLite is there: install better-sqlite3, or use Node 22.22.3, 24.15 or newer (${reasons.join("; ")})`,
  );
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "";
}
