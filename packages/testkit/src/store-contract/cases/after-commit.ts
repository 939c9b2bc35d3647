import type { Reader, Transaction } from "@reeve/core/store";
import { expect } from "vitest";
import { event, idOf, ids, manyThings, setting, successor, thing } from "../builders.js";
import { settings, things } from "../collections.js";
import type { CaseGroup, Contract } from "../contract.js";

const mind = new Error("changed my mind");
const aborted = { code: "aborted" };

/** Runs work with a post-commit read of all things. Returns the outcomes of both. */
async function asking(c: Contract, work: (tx: Transaction) => Promise<unknown>) {
  let asked: Promise<unknown> = Promise.resolve();
  const done = c.store.transaction(c.owner.tenantId, async (tx) => {
    asked = tx.afterCommit.find(things, { size: 9 });
    asked.catch(() => undefined);
    return work(tx);
  });
  const [worked] = await Promise.allSettled([done]);
  const [answered] = await Promise.allSettled([asked]);
  return { worked: worked.status, answered };
}

export const afterCommitCases: CaseGroup = {
  "afterCommit shows what a transaction made, changed and removed": async (c) => {
    await c.owner.insertMany(things, manyThings(2));
    const found = await c.store.transaction(c.owner.tenantId, async (tx) => {
      const all = [tx.afterCommit.scan(things, { size: 9 }), tx.afterCommit.get(things, idOf("thg", 1))] as const;
      await tx.insert(things, thing(3));
      const [first, second] = manyThings(2);
      if (first) await tx.replace(things, successor(first, { name: "changed" }), first);
      if (second) await tx.remove(things, second, "2026-01-01T00:00:00.000Z");
      return { all };
    });
    const [all, first] = await Promise.all(found.all);
    expect(ids(all)).toEqual([idOf("thg", 1), idOf("thg", 3)]);
    expect(first).toMatchObject({ version: 2, value: { name: "changed" } });
  },
  "committed shows within a transaction what another tenant has committed": async (c) => {
    const other = c.stranger.tenantId;
    await c.stranger.insert(things, thing(1));
    await c.owner.insert(things, thing(2));
    const seen = await c.store.transaction(c.owner.tenantId, async (tx) => {
      const theirs = tx.committed(other);
      const first = await theirs.find(things, { size: 9 });
      await tx.insert(things, thing(3));
      const second = await theirs.get(things, idOf("thg", 1));
      return {
        theirs: theirs.tenantId,
        first: ids(first.rows),
        second: second?.id,
        own: ids(await tx.scan(things, { size: 9 })),
      };
    });
    expect(seen).toEqual({
      theirs: other,
      first: [idOf("thg", 1)],
      second: idOf("thg", 1),
      own: [idOf("thg", 2), idOf("thg", 3)],
    });
    expect(ids(await c.owner.scan(things, { size: 9 }))).toEqual([idOf("thg", 2), idOf("thg", 3)]);
  },
  "afterCommit is of one tenant": async (c) => {
    await c.stranger.insert(things, thing(1));
    const answers = await c.store.transaction(c.owner.tenantId, async (tx) => {
      const theirs = tx.as(c.stranger.tenantId);
      const all = [tx.afterCommit.scan(things, { size: 9 }), theirs.afterCommit.scan(things, { size: 9 })];
      await tx.insert(things, thing(2));
      await theirs.insert(things, thing(3));
      return { all };
    });
    const [own, theirs] = await Promise.all(answers.all);
    expect(ids(own ?? [])).toEqual([idOf("thg", 2)]);
    expect(ids(theirs ?? [])).toEqual([idOf("thg", 1), idOf("thg", 3)]);
  },
  "afterCommit of a transaction that wrote in many steps, and read between": async (c) => {
    const answer = await c.store.transaction(c.owner.tenantId, async (tx) => {
      const found = tx.afterCommit.find(things, { size: 9 });
      await tx.insert(things, thing(1));
      expect((await tx.count(things)).count).toBe(1);
      await tx.insert(settings, setting("a", 1));
      await tx.append(event(1));
      return { found };
    });
    expect(ids(await answer.found)).toEqual([idOf("thg", 1)]);
  },
  "afterCommit of a transaction that only reads, or does nothing": async (c) => {
    await c.owner.insert(things, thing(1));
    for (const work of [(tx: Transaction) => tx.get(things, idOf("thg", 1)), async () => undefined]) {
      const { worked, answered } = await asking(c, work);
      expect(worked).toBe("fulfilled");
      expect(answered).toMatchObject({ value: { rows: [{ id: idOf("thg", 1) }] } });
    }
  },
  "afterCommit can be asked when it is over": async (c) => {
    let later: Reader | undefined;
    await c.store.transaction(c.owner.tenantId, async (tx) => {
      later = tx.afterCommit;
      await tx.insert(things, thing(1));
    });
    expect((await later?.get(things, idOf("thg", 1)))?.version).toBe(1);
    expect((await later?.count(things))?.count).toBe(1);
  },
  "afterCommit of what did not commit is refused": async (c) => {
    await c.owner.insert(things, thing(1));
    const works: ((tx: Transaction) => Promise<unknown>)[] = [
      async () => Promise.reject(mind),
      async (tx) => {
        await tx.insert(things, thing(2));
        throw mind;
      },
      async (tx) => tx.insert(things, thing(1)),
      async (tx) => tx.replace(things, successor(successor(thing(1))), successor(thing(1))),
    ];
    for (const work of works) {
      const { worked, answered } = await asking(c, work);
      expect(worked).toBe("rejected");
      expect(answered).toMatchObject({ reason: aborted });
    }
    let later: Reader | undefined;
    const failed = c.store.transaction(c.owner.tenantId, async (tx) => {
      later = tx.afterCommit;
      throw mind;
    });
    await expect(failed).rejects.toBe(mind);
    await expect(later?.get(things, idOf("thg", 1))).rejects.toMatchObject(aborted);
    expect(ids(await c.owner.scan(things, { size: 9 }))).toEqual([idOf("thg", 1)]);
  },
  "afterCommit that is asked nonsense undoes nothing": async (c) => {
    const { wrong } = await c.store.transaction(c.owner.tenantId, async (tx) => {
      const question = tx.afterCommit.find(things, { size: -1 });
      question.catch(() => undefined);
      await tx.insert(things, thing(1));
      return { wrong: question };
    });
    await expect(wrong).rejects.toThrow(TypeError);
    expect((await c.owner.get(things, idOf("thg", 1)))?.version).toBe(1);
  },
};
