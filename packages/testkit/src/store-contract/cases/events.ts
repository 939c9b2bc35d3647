import { GENESIS_HASH, linkHash, type Reader, type StoredEvent, sha256 } from "@reeve/core/store";
import { expect } from "vitest";
import { event, idOf } from "../builders.js";
import type { CaseGroup } from "../contract.js";
import { assertProgress } from "../walk.js";

const sequences = (events: readonly StoredEvent[]) => events.map((one) => one.sequence);

export const eventCases: CaseGroup = {
  "an event is read back as it was written": async (c) => {
    const draft = event(1);
    await c.owner.append(draft);
    const eventHash = linkHash(GENESIS_HASH, 1, draft.recordHash);
    const { id, attributes, data } = draft;
    expect(await c.owner.event(id)).toEqual({ sequence: 1, id, attributes, data, prevHash: GENESIS_HASH, eventHash });
    expect(await c.stranger.event(id)).toBeUndefined();
  },
  "the texts of an event are kept to the letter": async (c) => {
    const data = '{"z":1,"a":"é e\u0301 😀 \\" % _ \\\\","n":1e21}';
    const attributes = '{"subject":"\u2028","id":"x"}';
    await c.owner.append({ ...event(1), data, attributes, recordHash: sha256(attributes) });
    const [stored] = await c.owner.scanEvents({ size: 9 });
    expect([stored?.data, stored?.attributes]).toEqual([data, attributes]);
  },
  "sequences start at 1 for each tenant": async (c) => {
    await c.owner.append(event(1), event(2));
    await c.stranger.append(event(1));
    expect(sequences(await c.owner.scanEvents({ size: 9 }))).toEqual([1, 2]);
    expect(sequences(await c.stranger.scanEvents({ size: 9 }))).toEqual([1]);
  },
  "events of one append keep their order": async (c) => {
    await c.owner.append(...[5, 3, 9, 1].map((n) => event(n)));
    const stored = await c.owner.scanEvents({ size: 9 });
    expect(stored.map((one) => one.id)).toEqual([5, 3, 9, 1].map((n) => idOf("evt", n)));
  },
  "an append of nothing adds nothing": async (c) => {
    await c.owner.append();
    await c.owner.append(event(1));
    expect(sequences(await c.owner.scanEvents({ size: 9 }))).toEqual([1]);
  },
  "every event links to the one before": async (c) => {
    await c.owner.append(event(1), event(2));
    await c.owner.append(event(3));
    await c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.append(event(4));
      await tx.append(event(5));
    });
    expect(await verifiedChain(c.owner)).toBe(5);
  },
  "appenders at the same time leave no gap": async (c) => {
    await Promise.all(Array.from({ length: c.parallel }, (_, n) => c.owner.append(event(n))));
    expect(await verifiedChain(c.owner)).toBe(c.parallel);
    expect(await verifiedChain(c.stranger)).toBe(0);
  },
  "appenders in transactions at the same time leave no gap": async (c) => {
    await Promise.all(
      Array.from({ length: c.parallel }, (_, n) =>
        c.store.transaction(c.owner.tenantId, async (tx) => {
          await tx.append(event(2 * n));
          await tx.append(event(2 * n + 1));
        }),
      ),
    );
    expect(await verifiedChain(c.owner)).toBe(2 * c.parallel);
  },
  "appenders of two tenants keep two chains": async (c) => {
    await Promise.all(
      Array.from({ length: c.parallel }, (_, n) => (n % 2 === 0 ? c.owner : c.stranger).append(event(n))),
    );
    expect(await verifiedChain(c.owner)).toBe(Math.ceil(c.parallel / 2));
    expect(await verifiedChain(c.stranger)).toBe(Math.floor(c.parallel / 2));
  },
  "events of a rollback leave no gap": async (c) => {
    await c.owner.append(event(1));
    const work = c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.append(event(2), event(3));
      throw new Error("changed my mind");
    });
    await expect(work).rejects.toThrow("changed my mind");
    await c.owner.append(event(2));
    expect(await verifiedChain(c.owner)).toBe(2);
  },
  "an id holds once in a tenant": async (c) => {
    await c.owner.append(event(1));
    await expect(c.owner.append(event(1))).rejects.toMatchObject({ code: "duplicate", detail: { key: "id" } });
    await expect(c.owner.append(event(2), event(2))).rejects.toMatchObject({ code: "duplicate" });
    await c.stranger.append(event(1));
    expect([await verifiedChain(c.owner), await verifiedChain(c.stranger)]).toEqual([1, 1]);
  },
  "events come newest first": async (c) => {
    await c.owner.append(event(1), event(2), event(3));
    const page = await c.owner.events({ size: 9 });
    expect(sequences(page.events)).toEqual([3, 2, 1]);
    expect(page.total).toEqual({ count: 3, exact: true });
    expect(page.next).toBeUndefined();
    expect(await c.stranger.events({ size: 9 })).toEqual({ events: [], total: { count: 0, exact: true } });
  },
  "a stream shows its events only": async (c) => {
    await c.owner.append(event(1, ["a"]), event(2, ["b"]), event(3, ["a", "b"]), event(4));
    await c.stranger.append(event(9, ["a"]));
    const streams: Record<string, number[]> = {};
    for (const stream of ["a", "b", "c"]) {
      const page = await c.owner.events({ stream, size: 9 });
      streams[stream] = sequences(page.events);
      expect(page.total).toEqual({ count: page.events.length, exact: true });
    }
    expect(streams).toEqual({ a: [3, 1], b: [3, 2], c: [] });
    expect(sequences((await c.stranger.events({ stream: "a", size: 9 })).events)).toEqual([1]);
    expect((await c.stranger.events({ stream: "b", size: 9 })).total.count).toBe(0);
  },
  "several streams show the events of each, in one order and once": async (c) => {
    await c.owner.append(event(1, ["a"]), event(2, ["b"]), event(3, ["a", "b"]), event(4), event(5, ["c", "a"]));
    await c.stranger.append(event(7, ["b"]), event(8, ["a"]), event(9));
    const of = async (as: Reader, ...stream: string[]) => {
      const { events, total, next } = await as.events({ stream, size: 9 });
      expect([total, next]).toEqual([{ count: events.length, exact: true }, undefined]);
      return sequences(events);
    };
    expect(await of(c.owner, "a", "b")).toEqual([5, 3, 2, 1]);
    expect(await of(c.owner, "b", "a")).toEqual([5, 3, 2, 1]);
    expect(await of(c.owner, "c", "b", "none")).toEqual([5, 3, 2]);
    expect(await of(c.owner, "a", "a")).toEqual([5, 3, 1]);
    expect(await of(c.owner, "none", "never")).toEqual([]);
    expect(await of(c.stranger, "a", "b")).toEqual([2, 1]);
    expect(await of(c.stranger, "a", "c")).toEqual([2]);
    const most = Array.from({ length: 14 }, (_, n) => `none ${n}`);
    expect(await of(c.owner, "a", "b", ...most)).toEqual([5, 3, 2, 1]);
  },
  "paging through several streams": async (c) => {
    await c.owner.append(
      ...numbered(60, (n) => [...(n % 3 === 0 ? ["third"] : []), ...(n % 4 === 0 ? ["fourth"] : [])]),
    );
    const wanted = down(60).filter((n) => n % 3 === 0 || n % 4 === 0);
    for (const size of [1, 2, 7, 30, 100]) {
      expect(await walkEvents(c.owner, size, ["third", "fourth"])).toEqual(wanted);
      expect(await walkEvents(c.stranger, size, ["third", "fourth"])).toEqual([]);
    }
    for (const page of [0, 1, 3, 5]) {
      const { events, total, next } = await c.owner.events({ stream: ["fourth", "third"], size: 6, page });
      expect(sequences(events)).toEqual(wanted.slice(page * 6, page * 6 + 6));
      expect(total).toEqual({ count: 30, exact: true });
      expect(next).toBe(page * 6 + 6 < wanted.length ? wanted[page * 6 + 5] : undefined);
    }
  },
  "an event of several streams is counted once, up to the bound": async (c) => {
    await c.owner.append(...numbered(1_000, (n) => (n % 2 === 0 ? ["one", "both"] : ["other", "both"])));
    const total = async (...stream: string[]) => (await c.owner.events({ stream, size: 1 })).total;
    expect(await total("one", "both")).toEqual({ count: 1_000, exact: true });
    await c.owner.append(event(1_001, ["one"]));
    expect(await total("one", "both")).toEqual({ count: 1_000, exact: false });
    expect(await total("one", "other")).toEqual({ count: 1_000, exact: false });
  },
  "a stream named twice is one stream": async (c) => {
    await c.owner.append(event(1, ["a", "a"]));
    expect((await c.owner.events({ stream: "a", size: 9 })).total.count).toBe(1);
  },
  "streams are told apart by every character": async (c) => {
    const names = ["a", "A", "a ", "%", "_", "é", "e\u0301", "😀", "a:b", "'"];
    await c.owner.append(...names.map((name, n) => event(n, [name])));
    for (const [n, stream] of names.entries()) {
      expect(sequences((await c.owner.events({ stream, size: 99 })).events)).toEqual([n + 1]);
    }
  },
  "paging by sequence": async (c) => {
    await c.owner.append(...numbered(60, (n) => (n % 3 === 0 ? ["third"] : [])));
    for (const size of [1, 2, 25, 100]) {
      expect(await walkEvents(c.owner, size)).toEqual(down(60));
      expect(await walkEvents(c.owner, size, "third")).toEqual(down(60).filter((n) => n % 3 === 0));
      expect(await walkEvents(c.stranger, size)).toEqual([]);
    }
  },
  "paging by page": async (c) => {
    await c.owner.append(...numbered(30, (n) => (n % 3 === 0 ? ["third"] : [])));
    expect(sequences((await c.owner.events({ size: 7, page: 0 })).events)).toEqual(down(30).slice(0, 7));
    expect(sequences((await c.owner.events({ size: 7, page: 4 })).events)).toEqual([2, 1]);
    expect(sequences((await c.owner.events({ size: 7, page: 5 })).events)).toEqual([]);
    expect(sequences((await c.owner.events({ stream: "third", size: 4, page: 1 })).events)).toEqual([18, 15, 12, 9]);
    expect((await c.owner.events({ size: 7, page: 4 })).total).toEqual({ count: 30, exact: true });
    expect(sequences((await c.stranger.events({ size: 7, page: 0 })).events)).toEqual([]);
  },
  "a full last page says that nothing follows": async (c) => {
    await c.owner.append(event(1), event(2), event(3), event(4));
    expect((await c.owner.events({ size: 4 })).next).toBeUndefined();
    expect((await c.owner.events({ size: 2 })).next).toBe(3);
    expect((await c.owner.events({ size: 2, before: 3 })).next).toBeUndefined();
    expect((await c.owner.events({ size: 2, page: 0 })).next).toBe(3);
  },
  "before the first there is nothing": async (c) => {
    await c.owner.append(event(1));
    const page = await c.owner.events({ size: 9, before: 1 });
    expect([page.events, page.total.count]).toEqual([[], 1]);
  },
  "a walk is not disturbed by new events": async (c) => {
    await c.owner.append(...numbered(10, () => []));
    const first = await c.owner.events({ size: 4 });
    await c.owner.append(event(11), event(12));
    const second = await c.owner.events(first.next === undefined ? { size: 9 } : { size: 9, before: first.next });
    expect([...sequences(first.events), ...sequences(second.events)]).toEqual(down(10));
  },
  "an event by id is seen inside its streams only": async (c) => {
    await c.owner.append(event(1, ["a"]), event(2));
    const sequence = async (as: Reader, n: number, stream?: string) =>
      (await as.event(idOf("evt", n), stream))?.sequence;
    expect(await sequence(c.owner, 1)).toBe(1);
    expect(await sequence(c.owner, 1, "a")).toBe(1);
    expect(await sequence(c.owner, 1, "b")).toBeUndefined();
    expect(await sequence(c.owner, 2, "a")).toBeUndefined();
    expect(await sequence(c.owner, 3)).toBeUndefined();
    expect(await sequence(c.stranger, 1)).toBeUndefined();
    const inOneOf = async (as: Reader, n: number, ...streams: string[]) =>
      (await as.event(idOf("evt", n), streams))?.sequence;
    expect(await inOneOf(c.owner, 1, "b", "a")).toBe(1);
    expect(await inOneOf(c.owner, 1, "b", "c")).toBeUndefined();
    expect(await inOneOf(c.stranger, 1, "b", "a")).toBeUndefined();
    await c.stranger.append(event(5), event(1, ["b"]));
    expect(await sequence(c.owner, 1, "b")).toBeUndefined();
    expect(await sequence(c.stranger, 1, "b")).toBe(2);
    expect(await sequence(c.stranger, 1, "a")).toBeUndefined();
  },
  "events by ids come in the order asked, each once": async (c) => {
    await c.owner.append(event(1), event(2), event(3));
    await c.stranger.append(event(1), event(9));
    const sequences = async (as: Reader, ...ns: number[]) =>
      (await as.getEvents(ns.map((n) => idOf("evt", n)))).map(({ id, sequence }) => [id, sequence]);
    expect(await sequences(c.owner, 3, 9, 1, 3)).toEqual([
      [idOf("evt", 3), 3],
      [idOf("evt", 1), 1],
    ]);
    expect(await sequences(c.stranger, 2, 9, 1)).toEqual([
      [idOf("evt", 9), 2],
      [idOf("evt", 1), 1],
    ]);
    expect(await sequences(c.owner)).toEqual([]);
  },
  "scanEvents goes on after a sequence": async (c) => {
    await c.owner.append(...numbered(12, () => []));
    expect(sequences(await c.owner.scanEvents({ size: 5 }))).toEqual([1, 2, 3, 4, 5]);
    expect(sequences(await c.owner.scanEvents({ after: 5, size: 5 }))).toEqual([6, 7, 8, 9, 10]);
    expect(sequences(await c.owner.scanEvents({ after: 10, size: 5 }))).toEqual([11, 12]);
    expect(await c.owner.scanEvents({ after: 12, size: 5 })).toEqual([]);
    expect(await c.stranger.scanEvents({ size: 5 })).toEqual([]);
  },
  "a thousand events in one append": async (c) => {
    await c.owner.append(...numbered(1_000, () => ["all"]));
    expect(await verifiedChain(c.owner)).toBe(1_000);
    expect((await c.owner.events({ stream: "all", size: 1 })).total).toEqual({ count: 1_000, exact: true });
  },
  "the whole tenant's total is exact beyond any bound": async (c) => {
    await c.owner.append(...numbered(1_050, () => []));
    expect((await c.owner.events({ size: 1 })).total).toEqual({ count: 1_050, exact: true });
    expect((await c.stranger.events({ size: 1 })).total).toEqual({ count: 0, exact: true });
  },
};

/** Verifies the chain from its first event and returns its length. */
export async function verifiedChain(as: Reader): Promise<number> {
  let previous = GENESIS_HASH;
  let sequence = 0;
  for (;;) {
    const events = await as.scanEvents({ after: sequence, size: 100 });
    if (events.length === 0) return sequence;
    for (const one of events) {
      expect(one.sequence, "no gap").toBe(sequence + 1);
      expect(one.prevHash).toBe(previous);
      expect(one.eventHash).toBe(linkHash(previous, one.sequence, sha256(one.attributes)));
      expect(JSON.parse(one.attributes)).toMatchObject({ datahash: sha256(one.data ?? "") });
      sequence = one.sequence;
      previous = one.eventHash;
    }
  }
}

async function walkEvents(as: Reader, size: number, stream?: string | string[]): Promise<number[]> {
  const seen: number[] = [];
  let before: number | undefined;
  for (;;) {
    const page = await as.events({
      size,
      ...(stream === undefined ? {} : { stream }),
      ...(before === undefined ? {} : { before }),
    });
    seen.push(...sequences(page.events));
    if (page.next === undefined) return seen;
    assertProgress(seen);
    before = page.next;
  }
}

function numbered(count: number, streams: (n: number) => string[]) {
  return Array.from({ length: count }, (_, index) => event(index + 1, streams(index + 1)));
}

function down(from: number): number[] {
  return Array.from({ length: from }, (_, n) => from - n);
}
