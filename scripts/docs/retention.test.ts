import { readFileSync } from "node:fs";
import { join } from "node:path";
import { collections, RETENTION_DAYS } from "@reeve/core/reference";
import { expect, it } from "vitest";
import { resolveOptions } from "../../packages/core/src/families/options.js";
import { SETTINGS } from "../../packages/core/src/families/platform/settings/fields.js";
import { root } from "../lib/workspace.mjs";
import { KEPT, NOT_DROPPED } from "./retention.js";

const page = readFileSync(join(root, "docs/guides/retention.md"), "utf8");
const cellsOf = (line: string) =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .map(cellsOf)
  .slice(2);
const optionOf = (kind: string) => `\`retentionDays.${kind}\``;

/** Names of collections that have not exactly one place. */
function misplaced(names: readonly string[]): string[] {
  const places = [...Object.values(KEPT), ...Object.values(NOT_DROPPED)].flat();
  return names.filter((name) => places.filter((place) => place === name).length !== 1);
}

it("K20 the page of retention has a line for every collection, or the list a reason why not", () => {
  const names = collections.map(({ name }) => name);
  expect(misplaced(names)).toEqual([]);
  expect(
    [...Object.values(KEPT), ...Object.values(NOT_DROPPED)].flat().filter((name) => !names.includes(name)),
  ).toEqual([]);
  expect(misplaced(["new_things"])).toEqual(["new_things"]);
});

it("the page of retention has the lines that are checked, and no others", () => {
  expect(rows.map(([what]) => what)).toEqual(Object.keys(KEPT));
});

it.each(Object.entries(RETENTION_DAYS))("the page of retention has one line for %s with its default", (kind, days) => {
  const kept = rows.filter(([, , option]) => option === optionOf(kind)).map(([, each]) => each);
  expect(kept).toHaveLength(1);
  expect(kept[0]).toMatch(days === null ? /^without limit$/ : new RegExp(`^${days.toLocaleString("en")} days\\b`));
});

it("the page of retention names options and settings that are there", () => {
  const kinds = Object.keys(RETENTION_DAYS).map(optionOf);
  const known = [...kinds, "`activityRetentionDays`", "setting `retention.failedDeliveryDays`", "none"];
  expect(rows.filter(([, , option = ""]) => !known.includes(option))).toEqual([]);
  const days = SETTINGS["retention.failedDeliveryDays"].byDefault(resolveOptions({ baseUrl: "https://reeve.example" }));
  expect(rows.find(([, , option]) => option?.startsWith("setting"))?.[1]).toBe(`${days} days`);
});
