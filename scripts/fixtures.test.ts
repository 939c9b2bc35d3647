import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, inject, it, onTestFinished } from "vitest";
import { openConnection } from "../packages/store-sqlite/src/connection.js";
import { anyDriver } from "../packages/store-sqlite/src/driver/choose.js";
import { appliedMigrations } from "../packages/store-sqlite/src/migrate.js";
import { PINS, type Pin } from "./lib/migration-checksums.js";
import { root } from "./lib/workspace.mjs";

const advice = "migration 1 was edited since the fixtures were written: `npm run fixtures:make` writes them again";
const pins: readonly Pin[] = JSON.parse(readFileSync(`${root}/${PINS}`, "utf8"));
const fixturesOf = (store: "sqlite" | "postgres") => {
  const folder = `${root}/packages/store-${store}/test/fixtures`;
  const names = readdirSync(folder).filter((name) => name.endsWith(".gz"));
  return names.map((name) => [name, gunzipSync(readFileSync(join(folder, name)))] as const);
};

it.each(fixturesOf("sqlite"))("K17 %s was written by migrations that are pinned", (_name, bytes) => {
  const folder = mkdtempSync(join(inject("temporaryFolder"), "reeve-fixture-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "reeve.sqlite");
  writeFileSync(file, bytes);
  const db = openConnection(anyDriver(), { file, synchronous: "NORMAL" });
  onTestFinished(() => void db.close());
  const sums = appliedMigrations(db).map(({ checksum }) => checksum);
  expect(sums.length).toBeGreaterThan(0);
  expect(sums, advice).toEqual(pins.slice(0, sums.length).map(({ sqlite }) => sqlite));
});

it.each(fixturesOf("postgres"))("K17 %s was written by migrations that are pinned", (_name, bytes) => {
  const rows = /INSERT INTO "reeve"\.migrations .* VALUES \(\d+, '[^']*', '([0-9a-f]{64})'/g;
  const sums = Array.from(bytes.toString().matchAll(rows), ([, sum]) => sum);
  expect(sums.length).toBeGreaterThan(0);
  expect(sums, advice).toEqual(pins.slice(0, sums.length).map(({ postgres }) => postgres));
});
