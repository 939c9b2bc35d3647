import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe } from "vitest";
import { describeAddedKeys } from "./added-keys.js";
import { describeUpgrade, type UpgradeOptions } from "./upgrade.js";

const PACKED = /\.[a-z]+\.gz$/;

/** A database that a release left behind, by the version in the name of its file. */
export interface Fixture {
  readonly version: string;
  readonly bytes: Buffer;
}

/** The databases of a folder: its packed files, `1.0.0.sql.gz` and others. Throws when there is none. */
export function fixturesIn(folder: URL): Fixture[] {
  const names = readdirSync(folder).filter((name) => PACKED.test(name));
  if (names.length === 0) throw new Error(`${folder.pathname} has no database to upgrade`);
  return names.sort().map((name) => ({
    version: name.replace(PACKED, ""),
    bytes: gunzipSync(readFileSync(new URL(name, folder))),
  }));
}

/** Upgrades every database of a folder. */
export function describeUpgrades(folder: URL, optionsOf: (fixture: Fixture) => UpgradeOptions): void {
  describe.each(fixturesIn(folder))("from $version", (fixture) => {
    const options = optionsOf(fixture);
    describeUpgrade(options);
    describeAddedKeys(options);
  });
}
