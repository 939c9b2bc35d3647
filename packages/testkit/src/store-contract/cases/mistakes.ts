import { type FindQuery, StoreError, type Where, type Writer } from "@reeve/core/store";
import { expect } from "vitest";
import { at, idOf, setting, successor, thing } from "../builders.js";
import { accounts, settings, type Thing, things } from "../collections.js";
import type { Case, CaseGroup } from "../contract.js";

const after = { by: at(1), id: idOf("thg", 1) };

export const mistakeCases: CaseGroup = {
  "a filter by an unknown field": refusedFind({ where: { colour: "red" }, size: 9 }),
  "a filter by a field the collection inherits from nowhere": refusedFind({ where: { constructor: "x" }, size: 9 }),
  "a filter by a declared field without an index": refusedFind({ where: { slug: "x" }, size: 9 }),
  "a filter by two fields that have no index together": refusedFind({ where: { name: "x", kind: "y" }, size: 9 }),
  "a filter by a part of what an order needs": refusedFind({ where: { active: true }, order: { by: "name" }, size: 9 }),
  "an order by an unknown field": refusedFind({ order: { by: "colour" }, size: 9 }),
  "an order by a field without an index": refusedFind({ order: { by: "slug" }, size: 9 }),
  "an order by id": refusedFind({ order: { by: "id" }, size: 9 }),
  "an order the filter has no index for": refusedFind({ where: { kind: "a" }, order: { by: "name" }, size: 9 }),
  "an order that is SQL": refusedFind({ order: { by: "name; DROP TABLE contract_things" }, size: 9 }),
  "a direction that is none": refusedFind({ order: { direction: "up" as "asc" }, size: 9 }),
  "a size of 0": refusedFind({ size: 0 }),
  "a size of 1,001": refusedFind({ size: 1_001 }),
  "a negative size": refusedFind({ size: -1 }),
  "a broken size": refusedFind({ size: 1.5 }),
  "a size that is no number": refusedFind({ size: Number.NaN }),
  "a negative page": refusedFind({ size: 9, page: -1 }),
  "a broken page": refusedFind({ size: 9, page: 0.5 }),
  "a page with a position": refusedFind({ size: 9, page: 0, after }),
  "a position of another type": refusedFind({ size: 9, after: { by: 5, id: "x" } }),
  "a text where a number belongs": refusedFind({ where: { size: "1" }, size: 9 }),
  "a number where text belongs": refusedFind({ where: { name: 1 }, size: 9 }),
  "a number where a boolean belongs": refusedFind({ where: { active: 1 }, size: 9 }),
  "a text where a time belongs": refusedFind({ where: { dueAt: "tomorrow" }, size: 9 }),
  "nothing where a value belongs": refusedFind({ where: { name: undefined } as unknown as Where, size: 9 }),
  "a range of another type": refusedFind({ range: { from: 5 }, size: 9 }),
  "a search ordered by something else": refusedFind({ search: "x", order: { by: "name" }, size: 9 }),
  "a search oldest first": refusedFind({ search: "x", order: { direction: "asc" }, size: 9 }),
  "a search for nothing": refusedFind({ search: "", size: 9 }),
  "a search where the collection has none": refused((as) => as.find(settings, { search: "x", size: 9 })),
  "a count by an unknown field": refused((as) => as.count(things, { where: { colour: "red" } })),
  "a count by a field without an index": refused((as) => as.count(things, { where: { slug: "x" } })),
  "a count of a search where the collection has none": refused((as) => as.count(accounts, { search: "x" })),
  "a countBy of a field that is not counted": refused((as) => as.countBy(things, "name")),
  "a countBy of an unknown field": refused((as) => as.countBy(things, "colour")),
  "a lookup by an unknown key": refused((as) => as.lookup(things, "colour", { colour: "red" })),
  "a lookup by a key nobody declared": refused((as) => as.lookup(things, "toString", {})),
  "a lookup with a part of a key": refused((as) => as.lookup(things, "place", { shelf: "a" })),
  "a lookup with more than a key": refused((as) => as.lookup(things, "slug", { slug: "a", name: "b" })),
  "a lookup of many by a part of a key": refused((as) => as.lookupMany(things, "place", [{ shelf: "a" }])),
  "a lookup of more than 1,000 keys": refused((as) =>
    as.lookupMany(
      things,
      "slug",
      Array.from({ length: 1_001 }, () => ({ slug: "s" })),
    ),
  ),
  "a first time of an unknown field": refused((as) => as.firstTimes([{ collection: things, by: "colour" }])),
  "a first time of what is no time": refused((as) => as.firstTimes([{ collection: things, by: "name" }])),
  "a first time without an index for its filter": refused((as) =>
    as.firstTimes([{ collection: things, where: { kind: "a" }, by: "dueAt" }]),
  ),
  "the first times of more than 200 fields": refused((as) =>
    as.firstTimes(Array.from({ length: 201 }, () => ({ collection: things, by: "dueAt" }))),
  ),
  "a find of each value of a field without an index": refused((as) =>
    as.findTopPerKey(things, { field: "slug", values: ["a"], size: 1 }),
  ),
  "a find of each value of a number": refused((as) =>
    as.findTopPerKey(things, { field: "size", values: ["1"], size: 1 }),
  ),
  "a find of each of more than 1,000 values": refused((as) =>
    as.findTopPerKey(things, { field: "kind", values: Array.from({ length: 1_001 }, (_, n) => `${n}`), size: 1 }),
  ),
  "a find of each value of size 0": refused((as) =>
    as.findTopPerKey(things, { field: "kind", values: ["a"], size: 0 }),
  ),
  "more than 1,000 ids": refused((as) =>
    as.getMany(
      things,
      Array.from({ length: 1_001 }, (_, n) => `${n}`),
    ),
  ),
  "a scan of size 0": refused((as) => as.scan(things, { size: 0 })),
  "a scan of size 1,001": refused((as) => as.scan(things, { size: 1_001 })),
  "events of size 0": refused((as) => as.events({ size: 0 })),
  "events of size 1,001": refused((as) => as.events({ size: 1_001 })),
  "events with a page and a sequence": refused((as) => as.events({ size: 9, page: 0, before: 5 })),
  "events of a negative page": refused((as) => as.events({ size: 9, page: -1 })),
  "events of no stream": refused((as) => as.events({ stream: [], size: 9 })),
  "events of 17 streams": refused((as) => as.events({ stream: Array.from({ length: 17 }, (_, n) => `${n}`), size: 9 })),
  "an event of no stream": refused((as) => as.event(idOf("evt", 1), [])),
  "1,001 events by id": refused((as) => as.getEvents(Array.from({ length: 1_001 }, (_, n) => idOf("evt", n)))),
  "a scan of events of size 0": refused((as) => as.scanEvents({ size: 0 })),
  "a scan of events of size 1,001": refused((as) => as.scanEvents({ size: 1_001 })),
  "an erasure of 1,001 events": refused((as) => as.eraseEvents(Array.from({ length: 1_001 }, (_, n) => n + 1))),
  "an erasure of a broken sequence": refused((as) => as.eraseEvents([1.5])),
  "pruning to a broken sequence": refused((as) => as.pruneEvents(1.5)),
  "pruning to a negative sequence": refused((as) => as.pruneEvents(-1)),
  "an insert that is not version 1": refused((as) => as.insert(things, { ...thing(1), version: 2 })),
  "an insert without an id": refused((as) => as.insert(settings, setting("", 1))),
  "a replace that skips a version": refusedReplace((one) => ({ ...one, version: 3 })),
  "a replace that keeps the version": refusedReplace((one) => ({ ...one, name: "new" })),
  "a replace under another id": refusedReplace((one) => ({ ...successor(one), id: idOf("thg", 2) })),
  "a broken number in an integer field": refused((as) => as.insert(things, thing(1, { size: 1.5 }))),
  "no number in an integer field": refused((as) => as.insert(things, thing(1, { size: Number.NaN }))),
  "an unsafe integer": refused((as) => as.insert(things, thing(1, { size: 2 ** 53 }))),
  "a number in a text field": refused((as) => as.insert(things, thing(1, { kind: 5 as unknown as string }))),
  "a text in a boolean field": refused((as) => as.insert(things, thing(1, { active: "true" as unknown as boolean }))),
  "a day in a time field": refused((as) => as.insert(things, thing(1, { dueAt: "2026-01-01" }))),
  "a time of another zone": refused((as) => as.insert(things, thing(1, { dueAt: "2026-01-01T00:00:00.000+01:00" }))),
  "a time without milliseconds in createdAt": refused((as) =>
    as.insert(things, thing(1, { createdAt: "2026-01-01T00:00:00Z" })),
  ),
};

function refusedFind(query: FindQuery): Case {
  return async (c) => {
    await refused((as) => as.find(things, query))(c);
    await refused((as) => as.list(things, query))(c);
  };
}

function refusedReplace(next: (one: Thing) => Thing): Case {
  return async (c) => {
    await c.owner.insert(things, thing(1));
    await refusedOn(c.owner, (as) => as.replace(things, next(thing(1)), thing(1)), 1);
    expect((await c.owner.get(things, idOf("thg", 1)))?.text).toBe(JSON.stringify(thing(1)));
  };
}

/** A programming mistake: refused with a TypeError, not as a failure of the store, and before anything is stored. */
function refused(mistake: (as: Writer) => Promise<unknown>): Case {
  return (c) => refusedOn(c.owner, mistake, 0);
}

async function refusedOn(as: Writer, mistake: (as: Writer) => Promise<unknown>, stored: number): Promise<void> {
  const answer = await (async () => mistake(as))().then(
    () => "no refusal",
    (problem: unknown) => problem,
  );
  expect(answer).toBeInstanceOf(Error);
  expect(answer).not.toBeInstanceOf(StoreError);
  expect((await as.count(things)).count).toBe(stored);
}
