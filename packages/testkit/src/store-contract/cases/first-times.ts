import type { FirstQuery } from "@reeve/core/store";
import { expect } from "vitest";
import { at, successor, thing } from "../builders.js";
import { things, tickets } from "../collections.js";
import { asOwnerAndStranger, type CaseGroup } from "../contract.js";

const due: FirstQuery = { collection: things, by: "dueAt" };
const dueDraft: FirstQuery = { collection: things, where: { status: "draft" }, by: "dueAt" };
const dueDone: FirstQuery = { collection: things, where: { status: "done" }, by: "dueAt" };
const created: FirstQuery = { collection: tickets, by: "createdAt" };
const ASKED = [due, dueDraft, created, dueDone];

export const firstTimeCases: CaseGroup = {
  "the first time of each field is found, among the rows that are asked for": (c) =>
    asOwnerAndStranger(c, {
      given: [
        thing(1, { dueAt: at(50) }),
        thing(2, { dueAt: at(20), status: "done" }),
        thing(3, { dueAt: at(30) }),
        thing(4, { dueAt: null }),
        thing(5, { dueAt: at(10), status: "done" }),
      ],
      change: async (owner) => {
        await owner.remove(things, thing(5, { dueAt: at(10), status: "done" }), at(60));
      },
      ask: (as) => as.firstTimes(ASKED),
      owner: [at(20), at(30), undefined, at(20)],
      stranger: [undefined, undefined, undefined, undefined],
      twin: [at(10), at(30), undefined, at(10)],
    }),
  "a transaction finds what it has written itself": async (c) => {
    const [first, second] = [thing(1, { dueAt: at(1) }), thing(2, { dueAt: at(2) })];
    await c.owner.insertMany(things, [first, second]);
    const found = await c.store.transaction(c.owner.tenantId, async (tx) => {
      await tx.replace(things, successor(first, { dueAt: null }), first);
      const beside = await tx.firstTimes([due]);
      await tx.remove(things, second, at(9));
      await tx.insert(things, thing(3, { dueAt: at(7) }));
      return [...beside, ...(await tx.firstTimes([due]))];
    });
    expect(found).toEqual([at(2), at(7)]);
    expect(await c.owner.firstTimes([due])).toEqual([at(7)]);
  },
  "nothing is asked without a field": async (c) => {
    expect(await c.owner.firstTimes([])).toEqual([]);
  },
  "a hundred fields are asked in one statement": async (c) => {
    await c.owner.insert(things, thing(1, { dueAt: at(4) }));
    const asked = Array.from({ length: 100 }, (_, n) => ASKED[n % 4] as FirstQuery);
    const [first] = await Promise.all([c.owner.firstTimes(asked), c.owner.firstTimes([created])]);
    expect(first).toEqual(Array.from({ length: 25 }, () => [at(4), at(4), undefined, undefined]).flat());
  },
};
