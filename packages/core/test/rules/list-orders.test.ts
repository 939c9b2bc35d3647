import { pathOf, sampleOf, table, type World, withQuery } from "@reeve/testkit";
import { beforeAll, describe, expect, inject, it } from "vitest";
import type { z } from "zod";
import type { Operation } from "#reference/index.js";
import { isProviders } from "../helpers/facts.js";
import { createWorld } from "../helpers/world.js";

/** What pages and searches are asked by. All else of a query narrows a list. */
const OF_PAGES = ["page", "size", "cursor", "sort", "search"];

const shapeOf = ({ query }: Operation) =>
  (query as unknown as { readonly shape?: Readonly<Record<string, z.ZodType>> } | undefined)?.shape ?? {};

/** The words that a parameter takes, where it takes only some. */
function wordsOf(schema: z.ZodType): readonly string[] {
  const def = schema.def as unknown as Readonly<Record<string, z.ZodType | Readonly<Record<string, string>>>>;
  if (def.entries) return Object.values(def.entries as Readonly<Record<string, string>>);
  for (const inner of [def.innerType, def.out, def.element]) {
    const words = inner ? wordsOf(inner as z.ZodType) : [];
    if (words.length > 0) return words;
  }
  return [];
}

/** Two values of a parameter as one would write them, or one where it takes one only. */
function sampleWord(schema: z.ZodType): string | undefined {
  const [one, two] = wordsOf(schema);
  const tried = [
    ...(one ? [`${one},${two ?? one}`, one] : []),
    "x,y",
    "true",
    "x",
    "2026-01-05T09:00:00.000Z",
    "1",
    "P1D",
  ];
  return tried.find((value) => schema.safeParse(value).success);
}

const lists = table.filter(
  (operation) => operation.method === "GET" && operation.access !== "public" && "size" in shapeOf(operation),
);

/** What narrows a list: each parameter that `path` does not hold yet, and each two of them. */
function narrowed(operation: Operation, path: string): readonly string[] {
  const given = Object.entries(shapeOf(operation)).flatMap(([name, schema]) => {
    const value = OF_PAGES.includes(name) || path.includes(`${name}=`) ? undefined : sampleWord(schema);
    return value === undefined ? [] : [`&${name}=${value}`];
  });
  const pairs = given.flatMap((one, at) => given.slice(at + 1).map((other) => one + other));
  // Which index serves is chosen before a store is asked, so that two together are asked for in memory alone.
  const both = inject("store") === undefined ? pairs : [];
  return [...("search" in shapeOf(operation) ? ["&search=zq"] : []), ...given, ...both];
}

/** Each order of a list, and two of them together. */
function ordersOf({ sort }: Readonly<Record<string, z.ZodType>>): readonly string[] {
  // Upwards only, because newest first is what every index has.
  const names = sort ? wordsOf(sort).filter((word) => !word.startsWith("-")) : [];
  return [...names, ...(names.length > 1 ? [names.slice(-2).join()] : [])].map((names) => `&sort=${names}`);
}

describe("a list by its filters and orders", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ rateLimits: "off" });
  });

  it.each(lists.map((operation) => [operation.id, operation] as const))("%s", async (_id, operation) => {
    const { a, provider } = world;
    const sender = isProviders(operation) ? provider.owner : a.owner;
    const params = (await sampleOf(operation).arrange?.(a, sender)) ?? {};
    const path = pathOf(operation, params, a);
    const statusOf = async (query: string) =>
      (await a.send("GET", withQuery(path, `?size=2${query}`), { token: sender.token })).status;
    const orders = ordersOf(shapeOf(operation));
    for (const order of ["", ...orders]) expect([order, await statusOf(order)]).toEqual([order, 200]);
    for (const filter of narrowed(operation, path)) {
      // A filter may be refused, for what it names or beside another. It never fails.
      for (const order of ["", ...orders])
        expect([200, 400, 404], `${filter}${order}`).toContain(await statusOf(filter + order));
    }
  });

  it("asks of filters that are taken", () => {
    expect(lists.filter((operation) => narrowed(operation, "").length > 0).length).toBeGreaterThan(60);
  });
});
