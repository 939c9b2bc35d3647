import type { Page, PageRequest } from "@reeve/core/connectors";
import { expect } from "vitest";
import { listAll } from "../../calls.js";
import type { Bench } from "../bench.js";
import type { ConformanceCase } from "../case.js";
import { type Listing, listingsOf } from "../listings.js";
import { shapeMistakes } from "../shapes.js";

const SIZES = [1, 2, 3, 7, 100];

const applies: ConformanceCase["applies"] = ({ connector: { manifest } }) =>
  manifest.capabilities.some((name) => ["discover", "resources", "observe", "usage"].includes(name));

/** What holds of every listing. */
export const listingCases: readonly ConformanceCase[] = [
  {
    name: "a listing shows what is there, and is complete",
    applies,
    async run(bench) {
      const truth = await bench.target.observe();
      for (const listing of listingsOf(bench)) {
        const { items, complete } = await whole(bench, listing);
        expect(complete, `${listing.name} is not complete`).toBe(true);
        const expected = listing.expected(truth);
        const counted = items.filter((item) => listing.counts?.(item) ?? true);
        // A set, because another case finds what is named twice.
        if (expected) expect(new Set(keysOf(listing, counted)), listing.name).toEqual(new Set(expected));
      }
    },
  },
  {
    name: "a listing shows the same with every size of pages, which none exceeds",
    applies,
    async run(bench) {
      for (const listing of listingsOf(bench)) {
        const { items } = await whole(bench, listing);
        for (const limit of SIZES) await sameBy(limit, bench, listing, keysOf(listing, items));
      }
    },
  },
  {
    name: "a listing names each item once, in the form of its kind",
    applies,
    async run(bench) {
      for (const listing of listingsOf(bench)) {
        const { items } = await whole(bench, listing);
        const keys = keysOf(listing, items);
        const twice = keys.filter((key, at) => keys[at - 1] === key);
        expect(twice, `${listing.name} names items twice`).toEqual([]);
        expect(items.flatMap((item) => shapeMistakes(bench.connector, listing.name, item))).toEqual([]);
      }
    },
  },
  {
    name: "what is renamed keeps its id",
    applies: ({ connector: { manifest } }) =>
      manifest.capabilities.includes("discover") ||
      (manifest.resourceTypes ?? []).some(({ idStability }) => idStability === "immutable"),
    async run(bench) {
      if (!bench.target.rename) throw new Error("the target gives no `rename`; skip this case if nothing has a name");
      const listings = listingsOf(bench);
      const read = () => Promise.all(listings.map(async (listing) => (await whole(bench, listing)).items));
      const keys = (all: readonly (readonly unknown[])[]) =>
        all.map((items, at) => keysOf(listings[at] as Listing, items));
      const before = await read();
      await bench.target.rename();
      const after = await read();
      expect(JSON.stringify(after), "no listing shows the new name").not.toBe(JSON.stringify(before));
      expect(keys(after)).toEqual(keys(before));
    },
  },
  {
    name: "a listing goes on in another process",
    applies,
    async run(bench) {
      for (const listing of listingsOf(bench)) {
        const { items: expected } = await whole(bench, listing);
        const { memory } = bench.parts();
        const read = async (page: PageRequest): Promise<Page<unknown>> => {
          const calls = await bench.elsewhere(memory);
          return listing.read(calls, JSON.parse(JSON.stringify(page)));
        };
        const { items } = await listAll(read, 1);
        expect(keysOf(listing, items), listing.name).toEqual(keysOf(listing, expected));
      }
    },
  },
];

const keysOf = ({ key }: Listing, items: readonly unknown[]) => items.map(key).sort();

function whole(bench: Bench, listing: Listing) {
  const calls = bench.calls();
  return listAll((page) => listing.read(calls, page), 100);
}

async function sameBy(limit: number, bench: Bench, listing: Listing, expected: readonly string[]): Promise<void> {
  const calls = bench.calls();
  const read = async (page: PageRequest) => {
    const answer = await listing.read(calls, page);
    expect(answer.items.length, `${listing.name}: a page of ${limit}`).toBeLessThanOrEqual(limit);
    return answer;
  };
  const { items } = await listAll(read, limit);
  expect(keysOf(listing, items), `${listing.name} by ${limit}`).toEqual(expected);
}
