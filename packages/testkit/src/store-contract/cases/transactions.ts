import { StoreError, type Transaction } from "@reeve/core/store";
import { expect } from "vitest";
import { account, at, event, idOf, ids, idsOf, manyThings, setting, successor, thing } from "../builders.js";
import { accounts, settings, things } from "../collections.js";
import { asOwnerAndStranger, type Case, type CaseGroup, type Contract } from "../contract.js";

const mind = new Error("changed my mind");

/** What work waits for until it is opened. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

export const transactionCases: CaseGroup = {
  "what was written is there after the commit": async (c) => {
    const result = await c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.insert(things, thing(1));
      await tx.insert(settings, setting("a", 1));
      await tx.append(event(1));
      return "the result";
    });
    expect(result).toBe("the result");
    expect(await contents(c)).toEqual([[idOf("thg", 1)], ["a"], [1]]);
    expect((await c.stranger.count(things)).count).toBe(0);
  },
  "a transaction that only reads": async (c) => {
    await c.owner.insert(things, thing(1, { name: "there" }));
    const read = (tx: Transaction) => tx.get(things, idOf("thg", 1));
    expect((await c.store.transaction(c.owner.tenantId, read))?.value.name).toBe("there");
    expect(await c.store.transaction(c.stranger.tenantId, read)).toBeUndefined();
  },
  "a transaction that does nothing": async (c) => {
    expect(await c.store.transaction(c.owner.tenantId, async () => 7)).toBe(7);
  },
  "a throw takes everything back": async (c) => {
    await c.owner.insert(things, thing(1));
    const work = c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.insert(things, thing(2));
      await tx.replace(things, successor(thing(1)), thing(1));
      await tx.insert(settings, setting("a", 1));
      await tx.append(event(1));
      throw mind;
    });
    await expect(work).rejects.toBe(mind);
    expect(await contents(c)).toEqual([[idOf("thg", 1)], [], []]);
    expect((await c.owner.get(things, idOf("thg", 1)))?.version).toBe(1);
  },
  "a throw before the first write": async (c) => {
    const work = c.store.transaction(c.owner.tenantId, async () => {
      throw mind;
    });
    await expect(work).rejects.toBe(mind);
    await c.owner.insert(things, thing(1));
  },
  "work that fails while its read waits for its turn keeps nobody from writing": async (c) => {
    const { tenantId } = c.owner;
    const [begun, over] = [gate(), gate()];
    const first = c.store.transaction(tenantId, async (tx) => {
      await tx.count(things);
      begun.open();
      await over.opened;
    });
    await begun.opened;
    const failing = c.store.transaction(tenantId, (tx) =>
      Promise.all([tx.get(things, idOf("thg", 1)), Promise.reject(mind)]),
    );
    const failed = expect(failing).rejects.toBe(mind);
    await new Promise(setImmediate);
    over.open();
    await Promise.all([first, failed]);
    await c.owner.insert(things, thing(1));
    expect((await c.owner.count(things)).count).toBe(1);
  },
  "a thrown value that is no error is passed on": async (c) => {
    const work = c.store.transaction(c.owner.tenantId, () => Promise.reject("just text"));
    await expect(work).rejects.toBe("just text");
  },
  "a rollback of a remove": async (c) => {
    await c.owner.insert(things, thing(1, { slug: "s", kind: "tool" }));
    const work = c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.remove(things, thing(1, { slug: "s", kind: "tool" }), at(9));
      throw mind;
    });
    await expect(work).rejects.toBe(mind);
    expect((await c.owner.lookup(things, "slug", { slug: "s" }))?.id).toBe(idOf("thg", 1));
    expect(await c.owner.countBy(things, "kind")).toEqual(new Map([["tool", 1]]));
  },
  "a transaction reads what it wrote": async (c) => {
    await c.owner.insertMany(things, [thing(1, { kind: "tool" }), thing(2, { kind: "tool" })]);
    await c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.insert(things, thing(3, { kind: "tool", slug: "new" }));
      const first = thing(1, { kind: "tool" });
      await tx.replace(things, successor(first, { kind: "model" }), first);
      await tx.remove(things, thing(2, { kind: "tool" }), at(9));
      await tx.append(event(1, ["s"]));
      expect((await tx.get(things, idOf("thg", 1)))?.version).toBe(2);
      expect(ids(await tx.getMany(things, idsOf(manyThings(3))))).toEqual([idOf("thg", 1), idOf("thg", 3)]);
      expect((await tx.lookup(things, "slug", { slug: "new" }))?.id).toBe(idOf("thg", 3));
      expect(ids(await tx.find(things, { where: { kind: "tool" }, size: 9 }))).toEqual([idOf("thg", 3)]);
      expect((await tx.list(things, { size: 9 })).total).toEqual({ count: 2, exact: true });
      expect(ids(await tx.scan(things, { size: 9 }))).toEqual([idOf("thg", 1), idOf("thg", 3)]);
      expect(await tx.countBy(things, "kind")).toEqual(
        new Map([
          ["tool", 1],
          ["model", 1],
        ]),
      );
      expect((await tx.events({ stream: "s", size: 9 })).events.map((one) => one.sequence)).toEqual([1]);
      expect((await tx.event(idOf("evt", 1)))?.sequence).toBe(1);
      expect((await tx.scanEvents({ size: 9 })).length).toBe(1);
    });
  },
  "nobody outside sees what is not committed": async (c) => {
    const first = thing(1, { name: "before", note: "before" });
    await c.owner.insert(things, first);
    await c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.replace(things, successor(first, { name: "after", note: "after" }), first);
      await tx.insert(things, thing(2, { slug: "new", kind: "tool" }));
      await tx.insert(accounts, account(1));
      await tx.append(event(1));
      expect((await tx.get(things, idOf("thg", 1)))?.value.name).toBe("after");
      for (const outside of [c.owner, c.store.forTenant(c.owner.tenantId)]) {
        expect((await outside.get(things, idOf("thg", 1)))?.value.name).toBe("before");
        expect(ids(await outside.find(things, { size: 9 }))).toEqual([idOf("thg", 1)]);
        expect(ids(await outside.find(things, { search: "after", size: 9 }))).toEqual([]);
        expect(await outside.lookup(things, "slug", { slug: "new" })).toBeUndefined();
        expect((await outside.count(things)).count).toBe(1);
        expect((await outside.countBy(things, "kind")).size).toBe(0);
        expect((await outside.events({ size: 9 })).events).toEqual([]);
      }
      expect(await c.store.platform.get(accounts, idOf("acc", 1))).toBeUndefined();
      expect((await c.store.platform.find(accounts, { size: 9 })).rows).toEqual([]);
    });
    expect((await c.owner.get(things, idOf("thg", 1)))?.value.name).toBe("after");
    expect((await c.store.platform.get(accounts, idOf("acc", 1)))?.tenantId).toBe(c.owner.tenantId);
  },
  "a transaction stays within its tenant": async (c) => {
    await c.stranger.insertMany(things, [thing(1, { slug: "s" }), thing(2)]);
    await c.store.transaction(c.owner.tenantId, async (tx) => {
      expect(tx.tenantId).toBe(c.owner.tenantId);
      expect(await tx.get(things, idOf("thg", 1))).toBeUndefined();
      expect(await tx.lookup(things, "slug", { slug: "s" })).toBeUndefined();
      expect((await tx.list(things, { size: 9 })).items).toBe("[]");
      await tx.insert(things, thing(1, { slug: "s", name: "mine" }));
    });
    expect((await c.stranger.get(things, idOf("thg", 1)))?.value.name).toBe("thing 1");
  },
  "writes at the same time within a transaction are all kept": async (c) => {
    await c.store.transaction(c.owner.tenantId, async (tx) => {
      await Promise.all(manyThings(20).map((one) => tx.insert(things, one)));
      await Promise.all(Array.from({ length: 20 }, (_, n) => tx.append(event(n))));
    });
    expect((await c.owner.count(things)).count).toBe(20);
    expect((await c.owner.scanEvents({ size: 99 })).map((one) => one.sequence).at(-1)).toBe(20);
  },
  "a transaction may begin with reads at the same time, which see what it has written": async (c) => {
    const ids = [1, 2, 3].map((n) => idOf("thg", n));
    const read = (tx: Transaction) => Promise.all(ids.map((id) => tx.get(things, id)));
    const found = await c.store.transaction(c.owner.tenantId, async (tx) => {
      const before = await read(tx);
      await tx.insert(things, thing(1));
      return before;
    });
    expect(found).toEqual([undefined, undefined, undefined]);
    const written = await c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.insert(things, thing(2));
      return read(tx);
    });
    expect(written.map((row) => row?.id)).toEqual([ids[0], ids[1], undefined]);
  },
  "a swallowed duplicate never reports success": swallowed((tx) => tx.insert(things, thing(1))),
  "a swallowed duplicate key never reports success": swallowed((tx) => tx.insert(things, thing(5, { slug: "taken" }))),
  "a swallowed duplicate batch never reports success": swallowed((tx) => tx.insertMany(things, [thing(6), thing(1)])),
  "a swallowed stale replace never reports success": swallowed((tx) =>
    tx.replace(things, successor(successor(thing(1))), successor(thing(1))),
  ),
  "a swallowed stale remove never reports success": swallowed((tx) => tx.remove(things, thing(77), at(9))),
  "a swallowed duplicate event never reports success": swallowed((tx) => tx.append(event(1))),
  "a swallowed rejection of another tenant never reports success": swallowed((tx, c) =>
    tx.as(c.stranger.tenantId).remove(things, thing(77), at(9)),
  ),
  "a read after a rejected write is no success either": async (c) => {
    await c.owner.insert(things, thing(1));
    const work = c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.insert(things, thing(2));
      await tx.insert(things, thing(1)).catch(() => undefined);
      await tx.get(things, idOf("thg", 2)).catch(() => undefined);
      return "all is well";
    });
    await expect(work).rejects.toBeInstanceOf(StoreError);
    expect(ids(await c.owner.scan(things, { size: 9 }))).toEqual([idOf("thg", 1)]);
  },
  "reads at the same time after a rejected write are all refused": async (c) => {
    await c.owner.insert(things, thing(1));
    const reported: string[] = [];
    const work = c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.count(things);
      await tx.insert(things, thing(2));
      await tx.insert(things, thing(1)).catch(() => undefined);
      const asked = [2, 1, 2].map((n) => tx.get(things, idOf("thg", n)));
      for (const { status } of await Promise.allSettled(asked)) reported.push(status);
    });
    await expect(work).rejects.toBeInstanceOf(StoreError);
    expect(reported).toEqual(["rejected", "rejected", "rejected"]);
  },
  "the store works on after a rollback": async (c) => {
    for (let n = 1; n <= 20; n++) {
      const work = c.store.transaction(c.owner.tenantId, async (tx) => {
        await tx.insert(things, thing(n));
        throw mind;
      });
      await expect(work).rejects.toBe(mind);
    }
    await c.owner.insert(things, thing(1));
    await c.stranger.insert(things, thing(1));
    expect((await c.owner.count(things)).count).toBe(1);
  },
  "a transaction cannot be used after it committed": async (c) => {
    const left = await c.store.transaction(c.owner.tenantId, async (tx) => ({ tx }));
    await expect(left.tx.insert(things, thing(1))).rejects.toThrow();
    await expect(left.tx.get(things, idOf("thg", 1))).rejects.toThrow();
    await expect(left.tx.as(c.stranger.tenantId).insert(things, thing(1))).rejects.toThrow();
    expect([(await c.owner.count(things)).count, (await c.stranger.count(things)).count]).toEqual([0, 0]);
  },
  "a transaction cannot be used after it rolled back": async (c) => {
    const left: Transaction[] = [];
    const work = c.store.transaction(c.owner.tenantId, async (tx) => {
      left.push(tx);
      throw mind;
    });
    await expect(work).rejects.toBe(mind);
    for (const tx of left) await expect(tx.insert(things, thing(1))).rejects.toThrow();
    expect((await c.owner.count(things)).count).toBe(0);
  },
  "as writes for another tenant in the same transaction": async (c) => {
    await c.store.transaction(c.owner.tenantId, async (tx) => {
      const other = tx.as(c.stranger.tenantId);
      expect(other.tenantId).toBe(c.stranger.tenantId);
      await tx.insert(things, thing(1, { name: "mine" }));
      await other.insert(things, thing(1, { name: "theirs" }));
      await other.append(event(1));
      expect((await tx.get(things, idOf("thg", 1)))?.value.name).toBe("mine");
      expect((await other.get(things, idOf("thg", 1)))?.value.name).toBe("theirs");
      expect(await c.stranger.get(things, idOf("thg", 1))).toBeUndefined();
    });
    expect((await c.owner.get(things, idOf("thg", 1)))?.value.name).toBe("mine");
    expect((await c.stranger.get(things, idOf("thg", 1)))?.value.name).toBe("theirs");
    expect((await c.owner.scanEvents({ size: 9 })).length).toBe(0);
    expect((await c.stranger.scanEvents({ size: 9 })).length).toBe(1);
  },
  "as is taken back with the rest": async (c) => {
    const work = c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.insert(things, thing(1));
      await tx.as(c.stranger.tenantId).insert(things, thing(1));
      await tx.as(c.stranger.tenantId).append(event(1));
      throw mind;
    });
    await expect(work).rejects.toBe(mind);
    expect([(await c.owner.count(things)).count, (await c.stranger.count(things)).count]).toEqual([0, 0]);
    expect((await c.stranger.events({ size: 9 })).total.count).toBe(0);
  },
  "as leads back to the first tenant": async (c) => {
    await c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.as(c.stranger.tenantId).as(c.owner.tenantId).insert(things, thing(1));
      expect(ids(await tx.scan(things, { size: 9 }))).toEqual([idOf("thg", 1)]);
    });
    expect((await c.stranger.count(things)).count).toBe(0);
  },
  "a replace and its event and a count stand or fall together": async (c) => {
    const first = thing(1, { kind: "tool" });
    await asOwnerAndStranger(c, {
      given: [first],
      change: (owner) =>
        c.store.transaction(owner.tenantId, async (tx) => {
          await tx.replace(things, successor(first, { kind: "model" }), first);
          await tx.append(event(1, [first.id]));
        }),
      ask: async (as) => [
        (await as.get(things, first.id))?.version,
        (await as.events({ stream: first.id, size: 9 })).total.count,
        [...(await as.countBy(things, "kind"))],
      ],
      owner: [2, 1, [["model", 1]]],
      stranger: [undefined, 0, []],
      twin: [1, 0, [["tool", 1]]],
    });
  },
};

async function contents(c: Contract) {
  return [
    ids(await c.owner.scan(things, { size: 99 })),
    ids(await c.owner.scan(settings, { size: 99 })),
    (await c.owner.scanEvents({ size: 99 })).map((one) => one.sequence),
  ];
}

/** A transaction must fail even if its work catches the rejection of a write and continues. */
function swallowed(write: (tx: Transaction, c: Contract) => Promise<void>): Case {
  return async (c) => {
    await c.owner.insertMany(things, [thing(1), thing(2, { slug: "taken" })]);
    await c.owner.append(event(1));
    const work = c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.insert(things, thing(3));
      await write(tx, c).catch(() => undefined);
      await tx.append(event(3)).catch(() => undefined);
      return "all is well";
    });
    await expect(work).rejects.toBeInstanceOf(StoreError);
    expect(await contents(c)).toEqual([[idOf("thg", 1), idOf("thg", 2)], [], [1]]);
    expect((await c.stranger.count(things)).count).toBe(0);
    await c.owner.insert(things, thing(3));
  };
}
