import { expect, it } from "vitest";
import { z } from "zod";
import { everyPage, everyRow } from "#kernel/operation/every-page.js";
import { defineCollection } from "#kernel/records/collection.js";
import type { StoredRecord } from "#store/collection.js";
import { createMemoryStore } from "#store/memory/memory-store.js";

interface Job extends StoredRecord {
  readonly state: string;
}

const jobs = defineCollection<Job>({
  name: "test_jobs",
  prefix: null,
  schema: z.object({ id: z.string(), version: z.number(), createdAt: z.string(), state: z.string() }),
  fields: { state: { type: "text" } },
  indexes: [{ where: ["state"] }],
});

const T = "ten_a";
const open = { where: { state: "open" } };

async function storeWith(count: number) {
  const store = createMemoryStore();
  const createdAt = "2026-01-05T09:00:00.000Z";
  const made = Array.from({ length: count }, (_, n) => ({ id: `j${n}`, version: 1, createdAt, state: "open" }));
  if (count > 0) await store.forTenant(T).insertMany(jobs, made);
  return store;
}

it("gives each row of a query once, in pages of a size", async () => {
  const reader = (await storeWith(25)).forTenant(T);
  const sizes: number[] = [];
  const ids = new Set<string>();
  for await (const rows of everyPage(reader, jobs, { ...open, size: 10 })) {
    sizes.push(rows.length);
    for (const { id } of rows) ids.add(id);
  }
  expect([sizes, ids.size]).toEqual([[10, 10, 5], 25]);
  expect((await everyRow(reader, jobs, open)).length).toBe(25);
});

it("misses none where rows leave the query on the way, and reads no further than is asked for", async () => {
  const store = await storeWith(25);
  let left = 0;
  await store.transaction(T, async (tx) => {
    for await (const rows of everyPage(tx, jobs, { ...open, size: 10 }))
      for (const { value } of rows) {
        await tx.replace(jobs, { ...value, version: 2, state: "done" }, value);
        left += 1;
      }
  });
  expect([left, await everyRow(store.forTenant(T), jobs, open)]).toEqual([25, []]);
  let finds = 0;
  const reader = store.forTenant(T);
  const counting: Pick<typeof reader, "find"> = {
    find: (collection, query) => {
      finds += 1;
      return reader.find(collection, query);
    },
  };
  for await (const rows of everyPage(counting, jobs, { where: { state: "done" }, size: 10 }))
    if (rows.length > 0) break;
  expect(finds).toBe(1);
});

it("gives one empty page of another tenant, and of nothing", async () => {
  const store = await storeWith(3);
  const pages = [];
  for await (const rows of everyPage(store.forTenant("ten_b"), jobs, open)) pages.push(rows);
  expect(pages).toEqual([[]]);
});
