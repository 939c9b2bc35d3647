import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCollection } from "#kernel/records/collection.js";
import { compareText, compareValues } from "../compare.js";
import type { Store } from "../store.js";
import { copyMemoryStore, createMemoryStore } from "./memory-store.js";
import { Queue } from "./queue.js";

const notes = defineCollection({
  name: "notes",
  prefix: "not",
  schema: z.object({ id: z.string(), version: z.number(), createdAt: z.string(), kind: z.string() }),
  fields: { kind: { type: "text" } },
  counted: ["kind"],
});
const note = { id: "not_1", version: 1, createdAt: "2026-01-01T00:00:00.000Z", kind: "a" };

describe("compareText", () => {
  it("orders as UTF-8 bytes do, where UTF-16 units would not", () => {
    const texts = ["", "a", "ab", "b", "é", "\uD7FF", "\uE000", "\uFFFD", "😀", "\u{10FFFF}"];
    for (const left of texts) {
      for (const right of texts) {
        const bytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
        expect(Math.sign(compareText(left, right)), `${left} and ${right}`).toBe(bytes);
      }
    }
    expect("\uFFFD" < "😀").toBe(false);
  });
});

describe("compareValues", () => {
  it("puts null last, false before true and numbers in their order", () => {
    expect([3, null, -1, 10].sort(compareValues)).toEqual([-1, 3, 10, null]);
    expect([true, null, false].sort(compareValues)).toEqual([false, true, null]);
    expect(compareValues(null, null)).toBe(0);
  });
});

describe("Queue", () => {
  it("runs one task at a time in order, also after a failure", async () => {
    const queue = new Queue();
    const steps: string[] = [];
    const task = (name: string, problem?: Error) => async () => {
      steps.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      steps.push(`${name} ends`);
      if (problem) throw problem;
    };
    const failing = queue.run(task("a", new Error("failed")));
    const following = queue.run(task("b"));
    await expect(failing).rejects.toThrow("failed");
    await following;
    expect(steps).toEqual(["a begins", "a ends", "b begins", "b ends"]);
  });
});

describe("createMemoryStore", () => {
  it("refuses a previous that differs from what is stored, which would make the counters of a SQL store drift", async () => {
    const tenant = createMemoryStore().forTenant("ten_1");
    await tenant.insert(notes, note);
    const falsified = { ...note, kind: "b" };
    await expect(tenant.replace(notes, { ...note, version: 2 }, falsified)).rejects.toThrow(TypeError);
    await expect(tenant.remove(notes, falsified, note.createdAt)).rejects.toThrow(TypeError);
    await tenant.remove(notes, { ...note }, note.createdAt);
  });

  it("refuses to wait inside a transaction for what the transaction itself holds up", async () => {
    const store = createMemoryStore();
    const past = store.transaction("ten_1", () => store.forTenant("ten_1").insert(notes, note));
    await expect(past).rejects.toThrow("write through the transaction");
    const nested = store.transaction("ten_1", () => store.transaction("ten_2", (tx) => tx.insert(notes, note)));
    await expect(nested).rejects.toThrow("write through the transaction");
    await store.forTenant("ten_1").insert(notes, note);
  });

  it("refuses it from within a transaction of another store too, and lets other stores be written to", async () => {
    const [outer, inner] = [createMemoryStore(), createMemoryStore()];
    const through = outer.transaction("ten_1", () =>
      inner.transaction("ten_1", () => outer.forTenant("ten_1").insert(notes, note)),
    );
    await expect(through).rejects.toThrow("write through the transaction");
    await outer.transaction("ten_1", () => inner.forTenant("ten_1").insert(notes, note));
    expect(await inner.forTenant("ten_1").get(notes, note.id)).toBeDefined();
  });

  it("refuses it also after a transaction of another store within this one has ended", async () => {
    const [store, other] = [createMemoryStore(), createMemoryStore()];
    const nested = store.transaction("ten_1", async () => {
      await other.forTenant("ten_1").insert(notes, note);
      await store.forTenant("ten_1").insert(notes, note);
    });
    await expect(nested).rejects.toThrow("write through the transaction");
  });

  it("shares nothing between two stores", async () => {
    await createMemoryStore().forTenant("ten_1").insert(notes, note);
    expect(await createMemoryStore().forTenant("ten_1").get(notes, note.id)).toBeUndefined();
  });
});

describe("copyMemoryStore", () => {
  const claim = { key: "k", limit: 1, until: 1_000, spent: 0, wanted: 1 };
  const draft = {
    id: "evt_1",
    attributes: "{}",
    data: "{}",
    time: "2026-01-01T00:00:00.000Z",
    recordHash: "0".repeat(64),
    streams: [],
  };

  it("holds what was committed, also by a store that is closed", async () => {
    const store = createMemoryStore();
    await store.transaction("ten_1", async (tx) => {
      await tx.insert(notes, note);
      await tx.append(draft);
    });
    await store.reserveQuota("ten_1", [claim], 0);
    await store.close();
    const copy = copyMemoryStore(store);
    const tenant = copy.forTenant("ten_1");
    expect((await tenant.get(notes, note.id))?.value).toEqual(note);
    expect(await tenant.scanEvents({ after: 0, size: 10 })).toHaveLength(1);
    expect(await copy.reserveQuota("ten_1", [claim], 0)).toEqual([{ granted: 0, left: 0 }]);
    await expect(tenant.insert(notes, note)).rejects.toMatchObject({ code: "duplicate" });
  });

  it("shares nothing that is written afterwards", async () => {
    const store = createMemoryStore();
    await store.forTenant("ten_1").insert(notes, note);
    const copy = copyMemoryStore(store);
    await copy.forTenant("ten_1").replace(notes, { ...note, version: 2, kind: "b" }, note);
    await copy.transaction("ten_1", (tx) => tx.append(draft));
    await copy.reserveQuota("ten_1", [claim], 0);
    const tenant = store.forTenant("ten_1");
    expect((await tenant.get(notes, note.id))?.value).toEqual(note);
    expect(await tenant.scanEvents({ after: 0, size: 10 })).toEqual([]);
    expect(await store.reserveQuota("ten_1", [claim], 0)).toEqual([{ granted: 1, left: 0 }]);
  });

  it("copies no other store", () => {
    expect(() => copyMemoryStore({} as Store)).toThrow(TypeError);
  });
});
