import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { fixturesIn } from "@reeve/testkit";
import { expect, inject, it, onTestFinished } from "vitest";

function folderWith(names: readonly string[]): URL {
  const folder = mkdtempSync(join(inject("temporaryFolder"), "reeve-fixtures-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of names) writeFileSync(join(folder, name), gzipSync(name));
  return pathToFileURL(`${folder}/`);
}

it("K17 every database that a release left behind is one to upgrade", () => {
  const found = fixturesIn(folderWith(["unreleased.sql.gz", "notes.md", "1.0.0.sql.gz", "1.1.0.sqlite.gz"]));
  expect(found.map(({ version, bytes }) => [version, bytes.toString()])).toEqual([
    ["1.0.0", "1.0.0.sql.gz"],
    ["1.1.0", "1.1.0.sqlite.gz"],
    ["unreleased", "unreleased.sql.gz"],
  ]);
});

it("K17 a folder without a database is a mistake, not an upgrade that succeeds", () => {
  expect(() => fixturesIn(folderWith(["notes.md"]))).toThrow(/no database to upgrade/);
});

it.each(["sqlite", "postgres"])(
  "K17 the tests of store-%s upgrade the databases of their folder, and name none",
  (store) => {
    const test = readFileSync(new URL(`../../store-${store}/test/upgrade.test.ts`, import.meta.url), "utf8");
    expect(test).toContain('describeUpgrades(new URL("./fixtures/", import.meta.url)');
    expect(test).not.toContain(".gz");
  },
);
