import { type Reader, sha256, type Writer } from "@reeve/core/store";
import { expect } from "vitest";
import { event, idOf } from "../builders.js";
import type { CaseGroup } from "../contract.js";
import { verifiedChain } from "./events.js";

const numbered = (from: number, to: number, streams: (n: number) => string[] = () => []) =>
  Array.from({ length: to - from + 1 }, (_, index) => event(from + index, streams(from + index)));

const sequencesOf = async (as: Reader) => (await as.scanEvents({ size: 1_000 })).map(({ sequence }) => sequence);
const dataOf = async (as: Reader) => (await as.scanEvents({ size: 1_000 })).map(({ data }) => data);
/** All readable data of a tenant's events, for comparing before and after. */
const viewOf = async (as: Reader) => [
  await as.scanEvents({ size: 1_000 }),
  await as.events({ size: 1_000 }),
  await as.events({ stream: "odd", size: 1_000 }),
];

/** Gives the owner and another tenant events with the same ids in the same streams. */
async function twins(owner: Writer, twin: Writer, count: number): Promise<unknown> {
  const drafts = numbered(1, count, (n) => (n % 2 === 1 ? ["odd", `own-${n}`] : [`own-${n}`]));
  await owner.append(...drafts);
  await twin.append(...drafts);
  return viewOf(twin);
}

export const eventRetentionCases: CaseGroup = {
  "erasing takes the data and nothing else": async (c) => {
    const twin = c.tenant();
    const kept = await twins(c.owner, twin, 4);
    const before = await c.owner.scanEvents({ size: 9 });
    await c.owner.eraseEvents([2, 4]);
    const after = await c.owner.scanEvents({ size: 9 });
    expect(after).toEqual(before.map((one) => (one.sequence % 2 === 0 ? { ...one, data: null } : one)));
    expect((await c.owner.event(idOf("evt", 2)))?.data).toBeNull();
    expect((await c.owner.events({ stream: "own-4", size: 9 })).events[0]?.data).toBeNull();
    expect(await viewOf(twin), "another tenant's").toEqual(kept);
  },
  "erasing twice, what is not there and nothing at all changes nothing more": async (c) => {
    await c.owner.append(...numbered(1, 3));
    await c.owner.eraseEvents([1]);
    const once = await c.owner.scanEvents({ size: 9 });
    await c.owner.eraseEvents([1, 1]);
    await c.owner.eraseEvents([77]);
    await c.owner.eraseEvents([]);
    await c.stranger.eraseEvents([1, 2, 3]);
    expect(await c.owner.scanEvents({ size: 9 })).toEqual(once);
  },
  "an erasure that is rolled back leaves the data": async (c) => {
    await c.owner.append(event(1));
    const work = c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.append(event(2));
      await tx.eraseEvents([1, 2]);
      expect(await dataOf(tx)).toEqual([null, null]);
      throw new Error("changed my mind");
    });
    await expect(work).rejects.toThrow("changed my mind");
    expect(await dataOf(c.owner)).toEqual([event(1).data]);
  },
  "one transaction erases, appends and writes on": async (c) => {
    await c.owner.append(event(1), event(2));
    await c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.eraseEvents([1]);
      await tx.append(event(3, ["erasures"]));
      await tx.eraseEvents([2]);
    });
    expect(await dataOf(c.owner)).toEqual([null, null, event(3).data]);
    expect((await c.owner.events({ stream: "erasures", size: 9 })).total.count).toBe(1);
  },
  "a thousand events are erased at once": async (c) => {
    await c.owner.append(...numbered(1, 1_000));
    await c.owner.eraseEvents(Array.from({ length: 1_000 }, (_, index) => index + 1));
    expect(new Set(await dataOf(c.owner))).toEqual(new Set([null]));
  },
  "pruning drops the oldest from every read": async (c) => {
    const twin = c.tenant();
    const kept = await twins(c.owner, twin, 10);
    const before = await c.owner.scanEvents({ size: 99 });
    await c.owner.pruneEvents(6);
    expect(await c.owner.scanEvents({ size: 99 })).toEqual(before.slice(6));
    expect(await c.owner.scanEvents({ after: 3, size: 2 })).toEqual(before.slice(6, 8));
    expect(await c.owner.scanEvents({ after: 8, size: 9 })).toEqual(before.slice(8));
    const page = await c.owner.events({ size: 99 });
    expect([page.events.length, page.total, page.next]).toEqual([4, { count: 4, exact: true }, undefined]);
    const odd = await c.owner.events({ stream: "odd", size: 99 });
    expect([odd.events.map(({ sequence }) => sequence), odd.total.count]).toEqual([[9, 7], 2]);
    expect((await c.owner.events({ stream: "own-5", size: 9 })).total.count).toBe(0);
    expect(await c.owner.event(idOf("evt", 6))).toBeUndefined();
    expect(await c.owner.event(idOf("evt", 6), "own-6")).toBeUndefined();
    expect((await c.owner.event(idOf("evt", 7), "own-7"))?.sequence).toBe(7);
    expect(await viewOf(twin), "another tenant's").toEqual(kept);
  },
  "pruning again, less far, what is not there or in another tenant changes nothing more": async (c) => {
    await c.owner.append(...numbered(1, 5));
    await c.owner.pruneEvents(3);
    for (const upTo of [3, 1, 0]) await c.owner.pruneEvents(upTo);
    await c.stranger.pruneEvents(9);
    expect(await sequencesOf(c.owner)).toEqual([4, 5]);
    await c.stranger.append(event(1));
    expect(await sequencesOf(c.stranger)).toEqual([1]);
  },
  "the newest event stays, and the chain goes on from it": async (c) => {
    await c.owner.append(...numbered(1, 5));
    const last = (await c.owner.scanEvents({ after: 4, size: 1 }))[0];
    await c.owner.pruneEvents(99);
    expect(await c.owner.scanEvents({ size: 9 })).toEqual([last]);
    await c.owner.append(event(6));
    const [, next] = await c.owner.scanEvents({ size: 9 });
    expect([next?.sequence, next?.prevHash]).toEqual([6, last?.eventHash]);
    expect((await c.owner.events({ size: 9 })).total).toEqual({ count: 2, exact: true });
  },
  "a pruned event can be neither erased nor found, and its id can be given again": async (c) => {
    await c.owner.append(...numbered(1, 3));
    await c.owner.pruneEvents(2);
    await c.owner.eraseEvents([1, 2]);
    await c.owner.append(event(1));
    expect((await c.owner.event(idOf("evt", 1)))?.sequence).toBe(4);
    await expect(c.owner.append(event(3))).rejects.toMatchObject({ code: "duplicate" });
  },
  "a pruning that is rolled back leaves all": async (c) => {
    await c.owner.append(...numbered(1, 5, () => ["all"]));
    const work = c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.pruneEvents(3);
      expect(await sequencesOf(tx)).toEqual([4, 5]);
      expect((await tx.events({ stream: "all", size: 1 })).total.count).toBe(2);
      throw new Error("changed my mind");
    });
    await expect(work).rejects.toThrow("changed my mind");
    expect(await verifiedChain(c.owner)).toBe(5);
    expect((await c.owner.events({ stream: "all", size: 1 })).total.count).toBe(5);
  },
  "pruning beside appenders loses nothing that is newer": async (c) => {
    await c.owner.append(...numbered(1, 50));
    await Promise.all(
      Array.from({ length: c.parallel }, (_, n) =>
        n % 5 === 0 ? c.owner.pruneEvents(n) : c.owner.append(event(1_000 + n)),
      ),
    );
    const events = await c.owner.scanEvents({ size: 1_000 });
    const highest = Math.floor((c.parallel - 1) / 5) * 5;
    const appended = Array.from({ length: c.parallel }, (_, n) => n).filter((n) => n % 5 !== 0).length;
    expect(events.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 50 + appended - highest }, (_, n) => highest + 1 + n),
    );
    for (const [index, one] of events.entries()) {
      if (index > 0) expect(one.prevHash).toBe(events[index - 1]?.eventHash);
      expect(JSON.parse(one.attributes)).toMatchObject({ datahash: sha256(one.data ?? "") });
    }
  },
};
