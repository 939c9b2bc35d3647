import type { FindQuery, Writer } from "@reeve/core/store";
import fc from "fast-check";
import { expect } from "vitest";
import { at, ids, idsOf, successor, thing } from "../builders.js";
import { type Thing, things } from "../collections.js";
import type { CaseGroup, Contract } from "../contract.js";
import { expectedThings } from "../model.js";
import { walk } from "../walk.js";

const RUNS = { numRuns: 25 } as const;

const text = fc.constantFrom("", "a", "A", "b", "é", "e\u0301", "😀", "\uFFFD", "%", "_");
const kind = fc.constantFrom(null, "tool", "model", "agent");
const shape = fc.record({
  moment: fc.integer({ min: 0, max: 4 }),
  name: text,
  kind,
  status: fc.constantFrom("draft", "live"),
  size: fc.option(fc.integer({ min: -3, max: 3 })),
  active: fc.option(fc.boolean()),
});
type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;
const shapes = fc.array(shape, { maxLength: 30 });

const query: fc.Arbitrary<Omit<FindQuery, "size">> = fc.oneof(
  fc.record({ order: fc.record({ direction: fc.constantFrom("asc" as const, "desc" as const) }) }),
  fc.record({
    order: fc.record({
      by: fc.constantFrom("name", "size"),
      direction: fc.constantFrom("asc" as const, "desc" as const),
    }),
  }),
  fc.record({ where: fc.record({ kind }) }),
  fc.record({
    where: fc.record({ kind }),
    order: fc.record({ by: fc.constant("size"), direction: fc.constantFrom("asc" as const, "desc" as const) }),
    range: fc.oneof(
      fc.record({ from: fc.integer({ min: -3, max: 1 }), before: fc.integer({ min: 0, max: 4 }) }),
      fc.record({ from: fc.integer({ min: -3, max: 1 }), through: fc.integer({ min: -1, max: 3 }) }),
    ),
  }),
);

const step = fc.oneof(
  fc.record({ act: fc.constant("insert" as const), kind }),
  fc.record({ act: fc.constant("replace" as const), kind, pick: fc.nat(99) }),
  fc.record({ act: fc.constant("remove" as const), pick: fc.nat(99) }),
);
const history = fc.array(fc.record({ steps: fc.array(step, { maxLength: 4 }), commit: fc.boolean() }), {
  maxLength: 10,
});

type Step = { act: "insert" | "replace" | "remove"; kind?: string | null; pick?: number };

export const propertyCases: CaseGroup = {
  "a walk by cursor shows what the model shows, whatever is stored and asked": async (c) => {
    const property = fc.asyncProperty(shapes, query, fc.constantFrom(1, 2, 7, 25), async (made, asked, size) => {
      const owner = await stocked(c, made);
      expect(await walk(owner, { ...asked, size })).toEqual(idsOf(expectedThings(toThings(made), asked)));
    });
    await fc.assert(property, RUNS);
  },
  "pages and cursors cut the same row of rows": async (c) => {
    const property = fc.asyncProperty(shapes, query, fc.constantFrom(1, 3, 10), async (made, asked, size) => {
      const owner = await stocked(c, made);
      const pages: string[] = [];
      for (let page = 0; page * size <= made.length; page++) {
        pages.push(...ids(await owner.find(things, { ...asked, size, page })));
      }
      expect(pages).toEqual(await walk(owner, { ...asked, size }));
    });
    await fc.assert(property, RUNS);
  },
  "a list is the text of its find and counts the model": async (c) => {
    const property = fc.asyncProperty(shapes, query, async (made, asked) => {
      const owner = await stocked(c, made);
      const listed = await owner.list(things, { ...asked, size: 10 });
      const found = await owner.find(things, { ...asked, size: 10 });
      expect(listed.items).toBe(`[${found.rows.map((row) => row.text).join(",")}]`);
      expect(listed.total).toEqual({ count: expectedThings(toThings(made), asked).length, exact: true });
    });
    await fc.assert(property, RUNS);
  },
  "counters agree with the rows after any history": async (c) => {
    const property = fc.asyncProperty(history, async (transactions) => {
      const owner = c.tenant();
      let kept = new Map<string, Thing>();
      let made = 0;
      for (const { steps, commit } of transactions) {
        const draft = new Map(kept);
        const work = c.store.transaction(owner.tenantId, async (tx) => {
          for (const one of steps) await play(tx, draft, one, ++made);
          if (!commit) throw new Error("not kept");
        });
        await work.catch((problem: Error) => expect(problem.message).toBe("not kept"));
        if (commit) kept = draft;
      }
      await expectFigures(owner, [...kept.values()]);
    });
    await fc.assert(property, RUNS);
  },
};

async function play(tx: Writer, draft: Map<string, Thing>, one: Step, n: number): Promise<void> {
  const held = [...draft.values()];
  const target = held[(one.pick ?? 0) % Math.max(held.length, 1)];
  if (one.act === "insert" || !target) {
    const fresh = thing(n, { kind: one.kind ?? null });
    draft.set(fresh.id, fresh);
    return tx.insert(things, fresh);
  }
  if (one.act === "remove") {
    draft.delete(target.id);
    return tx.remove(things, target, at(n));
  }
  const next = successor(target, { kind: one.kind ?? null });
  draft.set(next.id, next);
  return tx.replace(things, next, target);
}

async function expectFigures(owner: Writer, kept: readonly Thing[]): Promise<void> {
  const kinds: Record<string, number> = {};
  for (const one of kept) if (one.kind !== null) kinds[one.kind] = (kinds[one.kind] ?? 0) + 1;
  expect(await owner.count(things)).toEqual({ count: kept.length, exact: true });
  expect(Object.fromEntries(await owner.countBy(things, "kind"))).toEqual(kinds);
  for (const [value, count] of Object.entries(kinds)) {
    expect(await owner.count(things, { where: { kind: value } })).toEqual({ count, exact: true });
  }
  expect((await owner.scan(things, { size: 1_000 })).length).toBe(kept.length);
}

async function stocked(c: Contract, made: readonly Shape[]): Promise<Writer> {
  const owner = c.tenant();
  await owner.insertMany(things, toThings(made));
  return owner;
}

function toThings(made: readonly Shape[]): Thing[] {
  return made.map(({ moment, ...patch }, n) => thing(n + 1, { ...patch, createdAt: at(moment) }));
}
