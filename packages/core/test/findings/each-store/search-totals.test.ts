import { expect, it } from "vitest";
import { type Finding, findings, fingerprintOf } from "#families/findings/index.js";
import { SCAN_LIMIT, SEARCH_COUNT_LIMIT } from "#store/index.js";
import { FINDINGS, findingsOf } from "../../helpers/findings.js";
import { createWorld } from "../../helpers/world.js";

/** The same finding at another locus. */
function copyOf(finding: Finding, index: number): Finding {
  const locus = `place ${index}`;
  return {
    ...{ ...finding, locus },
    id: `fnd_1${String(index).padStart(25, "0")}`,
    fingerprint: fingerprintOf({ ...finding, locus }),
  };
}

it("K25 a search with more hits than are counted has no number of pages", async () => {
  const world = await createWorld();
  const at = findingsOf(world);
  const first = await at.found({ title: "a needle here" });
  const copies = Array.from({ length: SCAN_LIMIT + 1 }, (_, index) => copyOf(first, index));
  const store = world.store.forTenant(world.a.tenantId);
  await store.insertMany(findings, copies.slice(0, 99));
  const page = async () => (await at.ask("GET", `${FINDINGS}?search=needle&size=25`)).json;
  expect(await page()).toMatchObject({ totalItems: 100, totalPages: 4, totalRelation: "exact" });
  for (let from = 99; from < copies.length; from += 1_000)
    await store.insertMany(findings, copies.slice(from, from + 1_000));
  const { items, nextCursor, ...more } = await page();
  expect(more).toMatchObject({ totalItems: SEARCH_COUNT_LIMIT, totalPages: null, totalRelation: "atLeast" });
  expect([items.length, typeof nextCursor]).toEqual([25, "string"]);
});
