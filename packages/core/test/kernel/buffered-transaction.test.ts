import { thing, things } from "@reeve/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BufferedTransaction } from "#kernel/pipeline/batch/buffered-transaction.js";
import { TakenKeys } from "#kernel/pipeline/batch/taken-keys.js";
import type { Transaction } from "#store/index.js";
import { createMemoryStore } from "../../src/index.js";

type Thing = ReturnType<typeof thing>;
const TENANT = "ten_a";

/** One step of a part. Its reads must equal those of a plain transaction. */
type Step =
  | { readonly do: "insert"; readonly n: number; readonly slug: string | null }
  | { readonly do: "replace"; readonly n: number; readonly slug: string | null }
  | { readonly do: "remove"; readonly n: number }
  | { readonly do: "get"; readonly n: number }
  | { readonly do: "lookup"; readonly slug: string }
  | { readonly do: "count" }
  | { readonly do: "find" };

const n = fc.integer({ min: 1, max: 6 });
const slug = fc.constantFrom("a", "b", "c");
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("insert" as const), n, slug: fc.option(slug) }),
  fc.record({ do: fc.constant("replace" as const), n, slug: fc.option(slug) }),
  fc.record({ do: fc.constant("remove" as const), n }),
  fc.record({ do: fc.constant("get" as const), n }),
  fc.record({ do: fc.constant("lookup" as const), slug }),
  fc.constant({ do: "count" as const }),
  fc.constant({ do: "find" as const }),
);
/** Parts of a transaction. A part that `fails` is rolled back at its end. */
const parts = fc.array(fc.record({ steps: fc.array(step, { maxLength: 6 }), fails: fc.boolean() }), { maxLength: 6 });

/** The result of a step. A step that the current rows do not allow does nothing. */
async function take(tx: Transaction, one: Step): Promise<unknown> {
  if (one.do === "count") return (await tx.count(things)).count;
  if (one.do === "find") return (await tx.find(things, { size: 99 })).rows.map(({ id, version }) => [id, version]);
  if (one.do === "lookup") return (await tx.lookup(things, "slug", { slug: one.slug }))?.text;
  const fresh = thing(one.n);
  const there = await tx.get(things, fresh.id);
  if (one.do === "get") return there?.text;
  if (one.do === "remove") return there && tx.remove(things, there.value, fresh.createdAt);
  const holder = one.slug === null ? undefined : await tx.lookup(things, "slug", { slug: one.slug });
  if (holder && holder.id !== fresh.id) return "taken";
  if (one.do === "insert") {
    // The id of a removed record is never used again.
    return there || removed.has(fresh.id) ? "there" : tx.insert(things, { ...fresh, slug: one.slug });
  }
  const next = there && { ...there.value, version: there.version + 1, slug: one.slug };
  return next && tx.replace(things, next, there.value);
}

const removed = new Set<string>();

async function stateOf(store: ReturnType<typeof createMemoryStore>): Promise<string[]> {
  return (await store.forTenant(TENANT).scan(things, { size: 99 })).map(({ text }) => text);
}

describe("a held transaction", () => {
  it("answers and stores as a plain one that never ran the parts that fail", async () => {
    await fc.assert(
      fc.asyncProperty(parts, async (all) => {
        const [held, plain] = [createMemoryStore(), createMemoryStore()];
        const seed = [thing(1, { slug: "a" }), thing(2)];
        for (const store of [held, plain]) await store.forTenant(TENANT).insertMany(things, seed);
        removed.clear();
        const expected: unknown[][] = [];
        await plain.transaction(TENANT, async (tx) => {
          for (const part of all) {
            if (part.fails) continue;
            const answers: unknown[] = [];
            for (const one of part.steps) {
              answers.push(await take(tx, one));
              if (one.do === "remove") removed.add(thing(one.n).id);
            }
            expected.push(answers);
          }
        });
        removed.clear();
        let spoilt = false;
        const answered: unknown[][] = [];
        await held.transaction(TENANT, async (tx) => {
          const holding = new BufferedTransaction(tx);
          for (const [at, part] of all.entries()) {
            holding.begin(at);
            const before = new Set(removed);
            const answers: unknown[] = [];
            for (const one of part.steps) {
              answers.push(await take(holding, one));
              if (one.do === "remove") removed.add(thing(one.n).id);
            }
            if (!part.fails) {
              answered.push(answers);
              continue;
            }
            removed.clear();
            for (const id of before) removed.add(id);
            // Writes that were already sent can only be rolled back with the whole transaction.
            if (!holding.rollBack()) spoilt = true;
            if (spoilt) return;
          }
          await holding.send();
        });
        fc.pre(!spoilt);
        expect(answered).toEqual(expected);
        expect(await stateOf(held)).toEqual(await stateOf(plain));
      }),
      { numRuns: 400 },
    );
  });

  it("names the parts that took a key which the store holds, and can be begun again without them", async () => {
    const store = createMemoryStore();
    await store.forTenant(TENANT).insertMany(things, [thing(1, { slug: "a" }), thing(2, { slug: "b" })]);
    const insert = async (tx: Transaction, made: readonly (readonly [part: number, thing: Thing])[]) => {
      const holding = new BufferedTransaction(tx);
      for (const [part, one] of made) {
        holding.begin(part);
        await holding.insert(things, one);
      }
      await holding.send();
    };
    const made = ["a", "c", "b", null].map((each, at) => [at, thing(10 + at, { slug: each })] as const);
    const failed = await store.transaction(TENANT, (tx) => insert(tx, made)).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(TakenKeys);
    expect([...(failed as TakenKeys).errors.keys()].sort()).toEqual([0, 2]);
    await store.transaction(TENANT, (tx) => insert(tx, [made[1], made[3]] as never));
    expect((await store.forTenant(TENANT).count(things)).count).toBe(4);
  });

  it("refuses at once a key that a part before holds, a stale version, and what is sent cannot be taken back", async () => {
    const store = createMemoryStore();
    const first = thing(1, { slug: "a" });
    await store.transaction(TENANT, async (tx) => {
      const holding = new BufferedTransaction(tx);
      holding.begin(0);
      await holding.insert(things, first);
      holding.begin(1);
      await expect(holding.insert(things, thing(2, { slug: "a" }))).rejects.toMatchObject({ code: "duplicate" });
      const stale = { ...first, version: 2 };
      await expect(holding.replace(things, { ...stale, version: 3 }, stale)).rejects.toMatchObject({ code: "stale" });
      expect(holding.rollBack()).toBe(true);
      holding.begin(2);
      await holding.insert(things, thing(3));
      expect((await holding.find(things, { size: 9 })).rows).toHaveLength(2);
      expect(holding.rollBack()).toBe(false);
    });
    expect((await store.forTenant(TENANT).count(things)).count).toBe(2);
  });
});
