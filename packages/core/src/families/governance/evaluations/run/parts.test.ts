import { describe, expect, it } from "vitest";
import type { Context } from "#kernel/operation/context.js";
import { yieldToEventLoop } from "#store/event-loop.js";
import { EVERYTHING, type RunScope } from "../fields.js";
import type { EvaluationRun } from "../schema.js";
import { type Part, Parts } from "./parts.js";

const ids = Array.from({ length: 10 }, (_, n) => `ast_${n}`);
const SIZE = 3;

/** A store of ten assets, of which every fourth is retired. `answer` says when, `failAt` which page cannot be read. */
function partsOf(answer: () => Promise<void>, scope: Partial<RunScope> = {}, failAt?: string) {
  const pages: string[] = [];
  const rowOf = (id: string) => {
    const value = { id, assetType: "dataset", environment: "test", createdAt: "2026-01-05T09:00:00.000Z" };
    return { id, value: { ...value, status: Number(id.slice(4)) % 4 === 3 ? "retired" : "active" } };
  };
  const page = async (some: readonly string[]) => {
    pages.push(some.join(" "));
    await answer();
    if (failAt !== undefined && some.includes(failAt)) throw new Error("the store is gone");
    return some.map(rowOf);
  };
  const db = {
    scan: ({ name }: { name: string }, { after, size }: { after?: string; size: number }) => {
      expect(name).toBe("ai_assets");
      const from = after === undefined ? 0 : ids.indexOf(after) + 1;
      return page(ids.slice(from, from + size));
    },
    getMany: async ({ name }: { name: string }, some: readonly string[]) => {
      if (name === "ai_assets") return page(some);
      await answer();
      return [];
    },
    lookupMany: async () => [],
    findTopPerKey: async () => new Map(),
  };
  const ctx = { db, now: "2026-01-05T09:00:00.000Z", derived: (_: unknown, row: { value: object }) => row.value };
  const run = { scope: { ...EVERYTHING, ...scope } } as EvaluationRun;
  return { pages, parts: new Parts(ctx as unknown as Context, run, null) };
}

const listOf = ({ list }: Part) => list.map(({ id }) => id);
const elsewhere = yieldToEventLoop;
const here = async () => {};

/** All parts, with what was asked of the store when each was there. */
async function allOf({ pages, parts }: ReturnType<typeof partsOf>) {
  const seen: string[] = [];
  const asked: number[] = [];
  for (;;) {
    const part = await parts.next(SIZE, true);
    seen.push(...listOf(part));
    asked.push(pages.length);
    const alive = part.list.filter(({ asset }) => asset.status !== "retired");
    expect([...part.snapshots.keys()]).toEqual(alive.map(({ id }) => id));
    if (part.after(part.list.length).cursor === null) return { seen, asked };
  }
}

describe.each([
  ["a scan", {}],
  ["assets by id", { assetIds: ids }],
])("parts of a run by %s", (_way, scope) => {
  it("come in order, each once, and one is read ahead where the store is elsewhere", async () => {
    const { seen, asked } = await allOf(partsOf(elsewhere, scope));
    expect(seen).toEqual(ids);
    expect(asked[0], "nothing is known of the store yet").toBe(1);
    expect(asked[1]).toBeGreaterThan(2);
  });

  it("are read one by one where the store is in this process", async () => {
    const { seen, asked } = await allOf(partsOf(here, scope));
    expect(seen).toEqual(ids);
    expect(asked).toEqual([1, 2, 3, 4]);
  });

  it("fail where they are asked for, though they were read before", async () => {
    const { parts } = partsOf(elsewhere, scope, "ast_6");
    await parts.next(SIZE, true);
    expect(listOf(await parts.next(SIZE, true))).toEqual(["ast_3", "ast_4", "ast_5"]);
    await yieldToEventLoop();
    await expect(parts.next(SIZE, true)).rejects.toThrow("the store is gone");
    await parts.close();
  });
});

it("a cursor that is reached in the middle of a part is that of its last asset", async () => {
  const { parts } = partsOf(here);
  const part = await parts.next(SIZE, false);
  expect(part.after(2)).toEqual({ cursor: "ast_1", looked: 2 });
  expect(part.after(3)).toEqual({ cursor: "ast_2", looked: 3 });
});
