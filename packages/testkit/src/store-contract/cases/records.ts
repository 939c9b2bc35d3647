import { recordText } from "@reeve/core/store";
import { expect } from "vitest";
import { at, event, idOf, ids, idsOf, manyThings, setting, successor, thing } from "../builders.js";
import { settings, things } from "../collections.js";
import { asOwnerAndStranger, type CaseGroup } from "../contract.js";
import { assertProgress } from "../walk.js";

export const recordCases: CaseGroup = {
  "an inserted record is read back": async (c) => {
    const record = thing(1, { kind: "tool", size: 3 });
    await asOwnerAndStranger(c, {
      given: [record],
      ask: async (as) => ids(await as.getMany(things, [record.id])),
      owner: [record.id],
      stranger: [],
    });
    expect((await c.owner.get(things, record.id))?.value).toEqual(record);
  },
  "a row names its tenant, id and version": async (c) => {
    await c.owner.insert(things, thing(1));
    const row = await c.owner.get(things, idOf("thg", 1));
    expect(row).toMatchObject({ tenantId: c.owner.tenantId, id: idOf("thg", 1), version: 1, staleAt: null });
  },
  "a row carries the moment it goes stale": async (c) => {
    await c.owner.insert(things, thing(1, { expiresAt: at(500) }));
    expect((await c.owner.get(things, idOf("thg", 1)))?.staleAt).toBe(at(500));
  },
  "the text of a row is the text that was stored": async (c) => {
    const record = thing(1, { extra: { z: 1, a: [1, "two", null] }, note: "key order is kept" });
    await c.owner.insert(things, record);
    expect((await c.owner.get(things, record.id))?.text).toBe(recordText(record));
  },
  "an absent id is undefined": async (c) => {
    await asOwnerAndStranger(c, {
      given: [thing(1)],
      ask: (as) => as.get(things, idOf("thg", 2)),
      owner: undefined,
      stranger: undefined,
    });
  },
  "get shows the owner's record and nobody else's": async (c) => {
    await asOwnerAndStranger(c, {
      given: [thing(1, { name: "mine" })],
      ask: async (as) => (await as.get(things, idOf("thg", 1)))?.value.name,
      owner: "mine",
      stranger: undefined,
    });
  },
  "two tenants hold different records under one id": async (c) => {
    await c.owner.insert(things, thing(1, { name: "mine" }));
    await c.stranger.insert(things, thing(1, { name: "theirs" }));
    expect((await c.owner.get(things, idOf("thg", 1)))?.value.name).toBe("mine");
    expect((await c.stranger.get(things, idOf("thg", 1)))?.value.name).toBe("theirs");
  },
  "a second insert under one id is a duplicate of id": async (c) => {
    await c.owner.insert(things, thing(1, { name: "first" }));
    const second = c.owner.insert(things, thing(1, { name: "second" }));
    await expect(second).rejects.toMatchObject({ name: "StoreError", code: "duplicate", detail: { key: "id" } });
    expect((await c.owner.get(things, idOf("thg", 1)))?.value.name).toBe("first");
  },
  "replace puts the next version in place": async (c) => {
    const first = thing(1, { name: "before" });
    await asOwnerAndStranger(c, {
      given: [first],
      change: (owner) => owner.replace(things, successor(first, { name: "after" }), first),
      ask: async (as) => {
        const row = await as.get(things, first.id);
        return row && [row.version, row.value.version, row.value.name];
      },
      owner: [2, 2, "after"],
      stranger: undefined,
      twin: [1, 1, "before"],
    });
  },
  "replace moves the record in every index": async (c) => {
    const first = thing(1, { kind: "a", status: "draft", size: 1 });
    await asOwnerAndStranger(c, {
      given: [first],
      change: (owner) => owner.replace(things, successor(first, { kind: "b", status: "live", size: 2 }), first),
      ask: async (as) => [
        ids(await as.find(things, { where: { kind: "a" }, size: 9 })),
        ids(await as.find(things, { where: { kind: "b" }, size: 9 })),
        ids(await as.find(things, { where: { kind: "b", status: "live" }, size: 9 })),
        ids(await as.find(things, { where: { size: 2 }, size: 9 })),
      ],
      owner: [[], [first.id], [first.id], [first.id]],
      stranger: [[], [], [], []],
      twin: [[first.id], [], [], []],
    });
  },
  "replace refreshes the moment of staleness": async (c) => {
    const first = thing(1, { expiresAt: at(5) });
    await c.owner.insert(things, first);
    await c.owner.replace(things, successor(first, { expiresAt: null }), first);
    expect((await c.owner.get(things, first.id))?.staleAt).toBeNull();
  },
  "ten replaces in a row count up to version 11": async (c) => {
    let record = thing(1);
    await c.owner.insert(things, record);
    for (let n = 0; n < 10; n++) {
      const next = successor(record, { size: n });
      await c.owner.replace(things, next, record);
      record = next;
    }
    const row = await c.owner.get(things, record.id);
    expect([row?.version, row?.value.size]).toEqual([11, 9]);
  },
  "a removed record is absent from every read": async (c) => {
    const gone = thing(1, { kind: "tool", slug: "gone", note: "needle" });
    await asOwnerAndStranger(c, {
      given: [gone],
      change: (owner) => owner.remove(things, gone, at(9)),
      ask: async (as) => [
        (await as.get(things, gone.id))?.id,
        ids(await as.getMany(things, [gone.id])),
        (await as.lookup(things, "slug", { slug: "gone" }))?.id,
        ids(await as.find(things, { size: 9 })),
        ids(await as.find(things, { where: { kind: "tool" }, size: 9 })),
        ids(await as.find(things, { search: "needle", size: 9 })),
        (await as.list(things, { size: 9 })).count,
        ids(await as.scan(things, { size: 9 })),
        (await as.count(things)).count,
        [...(await as.countBy(things, "kind"))],
      ],
      owner: [undefined, [], undefined, [], [], [], 0, [], 0, []],
      stranger: [undefined, [], undefined, [], [], [], 0, [], 0, []],
      twin: [gone.id, [gone.id], gone.id, [gone.id], [gone.id], [gone.id], 1, [gone.id], 1, [["tool", 1]]],
    });
  },
  "removing one leaves the others": async (c) => {
    const all = manyThings(3);
    await asOwnerAndStranger(c, {
      given: all,
      change: (owner) => owner.remove(things, thing(2), at(9)),
      ask: async (as) => ids(await as.scan(things, { size: 9 })),
      owner: [idOf("thg", 1), idOf("thg", 3)],
      stranger: [],
      twin: idsOf(all),
    });
  },
  "the id of a removed record can be used again where the collection does not retain": async (c) => {
    await c.owner.insert(settings, setting("limits", 1));
    await c.owner.remove(settings, setting("limits", 1), at(9));
    expect(await c.owner.get(settings, "limits")).toBeUndefined();
    await c.owner.insert(settings, setting("limits", 2));
    expect((await c.owner.get(settings, "limits"))?.value.value).toBe(2);
    expect((await c.owner.scan(settings, { size: 9 })).map((row) => row.value.value)).toEqual([2]);
  },
  "a record is removed and made again in one transaction": async (c) => {
    await c.owner.insert(settings, setting("limits", 1));
    await c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.remove(settings, setting("limits", 1), at(9));
      await tx.insert(settings, setting("limits", 2));
    });
    expect((await c.owner.get(settings, "limits"))?.value.value).toBe(2);
  },
  "the id of a removed record is not given out again where the collection retains": async (c) => {
    await c.owner.insert(things, thing(1));
    await c.owner.remove(things, thing(1), at(9));
    const again = c.owner.insert(things, thing(1));
    await expect(again).rejects.toMatchObject({ code: "duplicate", detail: { key: "id" } });
    expect(await c.owner.get(things, idOf("thg", 1))).toBeUndefined();
  },
  "a record of a collection without fields keeps any value": async (c) => {
    const record = setting("limits", { nested: { deep: [1, { x: null }], text: "ä" }, zero: 0, no: false });
    await c.owner.insert(settings, record);
    expect((await c.owner.get(settings, "limits"))?.value).toEqual(record);
    expect(await c.stranger.get(settings, "limits")).toBeUndefined();
  },
  "ids of the caller's own are told apart by case": async (c) => {
    await c.owner.insertMany(settings, [setting("Key", 1), setting("key", 2), setting("KEY", 3)]);
    const rows = await c.owner.getMany(settings, ["key", "KEY", "Key"]);
    expect(rows.map((row) => row.value.value)).toEqual([2, 3, 1]);
    expect(await c.owner.get(settings, "kEY")).toBeUndefined();
  },
  "ids of the caller's own may hold anything": async (c) => {
    const strange = [
      "a b",
      "ä",
      "日本",
      "😀",
      "x'y\"z",
      "100%",
      "a_b",
      "a\\b",
      "../x",
      "-",
      "a".repeat(255),
      "é",
      "e\u0301",
    ];
    await c.owner.insertMany(
      settings,
      strange.map((id, n) => setting(id, n)),
    );
    for (const [n, id] of strange.entries()) expect((await c.owner.get(settings, id))?.value.value).toBe(n);
    expect((await c.owner.count(settings)).count).toBe(strange.length);
    expect((await c.stranger.count(settings)).count).toBe(0);
  },
  "getMany answers in the order asked": async (c) => {
    const wanted = [3, 1, 2].map((n) => idOf("thg", n));
    await asOwnerAndStranger(c, {
      given: manyThings(4),
      ask: async (as) => ids(await as.getMany(things, wanted)),
      owner: wanted,
      stranger: [],
    });
  },
  "getMany leaves absent ids out and shows each once": async (c) => {
    const [one, two] = [idOf("thg", 1), idOf("thg", 2)];
    await asOwnerAndStranger(c, {
      given: manyThings(2),
      ask: async (as) => ids(await as.getMany(things, [two, "absent", one, two, one])),
      owner: [two, one],
      stranger: [],
    });
  },
  "getMany of nothing is nothing": async (c) => {
    await asOwnerAndStranger(c, { given: manyThings(1), ask: (as) => as.getMany(things, []), owner: [], stranger: [] });
  },
  "getMany takes 1,000 ids": async (c) => {
    const wanted = Array.from({ length: 1_000 }, (_, n) => idOf("thg", 1_000 - n));
    await c.owner.insertMany(things, manyThings(1_000));
    expect(ids(await c.owner.getMany(things, wanted))).toEqual(wanted);
    expect(await c.stranger.getMany(things, wanted)).toEqual([]);
  },
  "scan shows everything in ascending id order": async (c) => {
    const all = manyThings(7, (n) => ({ createdAt: at(100 - n) }));
    await asOwnerAndStranger(c, {
      given: [...all].reverse(),
      ask: async (as) => ids(await as.scan(things, { size: 1_000 })),
      owner: idsOf(all),
      stranger: [],
    });
  },
  "scan goes on after an id, which need not exist": async (c) => {
    await asOwnerAndStranger(c, {
      given: manyThings(5),
      ask: async (as) => [
        ids(await as.scan(things, { after: idOf("thg", 2), size: 2 })),
        ids(await as.scan(things, { after: `${idOf("thg", 2)}x`, size: 2 })),
        ids(await as.scan(things, { after: idOf("thg", 5), size: 2 })),
      ],
      owner: [[idOf("thg", 3), idOf("thg", 4)], [idOf("thg", 3), idOf("thg", 4)], []],
      stranger: [[], [], []],
    });
  },
  "a scan a page at a time misses nothing and repeats nothing": async (c) => {
    const all = manyThings(53);
    await c.owner.insertMany(things, all);
    for (const size of [1, 2, 25, 100]) {
      const seen: string[] = [];
      for (;;) {
        const after = seen.at(-1);
        const rows = await c.owner.scan(things, after === undefined ? { size } : { after, size });
        if (rows.length === 0) break;
        seen.push(...ids(rows));
        assertProgress(seen);
      }
      expect(seen, `size ${size}`).toEqual(idsOf(all));
    }
  },
  "collections do not see each other": async (c) => {
    await c.owner.insert(things, thing(1));
    await c.owner.insert(settings, setting(idOf("thg", 1), "a setting"));
    await c.owner.append(event(1));
    expect((await c.owner.get(settings, idOf("thg", 1)))?.value.value).toBe("a setting");
    expect([(await c.owner.count(things)).count, (await c.owner.count(settings)).count]).toEqual([1, 1]);
  },
  "a tenant nobody heard of has nothing": async (c) => {
    await c.owner.insert(things, thing(1));
    const nobody = c.tenant();
    expect((await nobody.list(things, { size: 9 })).items).toBe("[]");
    expect((await nobody.events({ size: 9 })).events).toEqual([]);
  },
  "tenants are told apart by case and by every character": async (c) => {
    const base = c.owner.tenantId;
    const names = [base, base.toUpperCase(), `${base} `, `${base}%`, `${base}_`, `'${base}`, "%", "*"];
    for (const [n, name] of names.entries()) await c.store.forTenant(name).insert(things, thing(1, { name: `${n}` }));
    for (const [n, name] of names.entries()) {
      const found = await c.store.forTenant(name).find(things, { size: 9 });
      expect(found.rows.map((row) => row.value.name)).toEqual([`${n}`]);
    }
  },
};
