import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { countsAt, timesOf } from "#kernel/operation/counts.js";
import { defineCollection } from "#kernel/records/collection.js";
import { createMemoryStore } from "#store/memory/memory-store.js";

const Loan = z.object({
  id: z.string(),
  version: z.number(),
  createdAt: z.string(),
  state: z.enum(["lent", "due"]),
  member: z.enum(["yes", "no"]),
  shelf: z.string(),
  dueAt: z.string().nullable(),
  leavesAt: z.string().nullable(),
});
type Loan = z.output<typeof Loan>;
const isOver = (at: string | null, now: string) => at !== null && at <= now;
const loans = defineCollection<Loan>({
  name: "test_loans",
  prefix: null,
  schema: Loan,
  fields: {
    state: { type: "text" },
    member: { type: "text" },
    shelf: { type: "text" },
    /** No filter is by it. */
    urgent: {
      type: "text",
      of: ({ state, member }) => (state === "due" || member === "no" ? `${state} ${member}` : null),
    },
    both: { type: "text", combines: ["shelf", "state"] },
    dueAt: { type: "time" },
    leavesAt: { type: "time" },
  },
  indexes: [
    { where: [], by: "dueAt", partial: true },
    { where: [], by: "leavesAt", partial: true },
  ],
  filters: { state: { changesAt: "dueAt" }, member: { changesAt: "leavesAt" }, shelf: {} },
  counted: ["state", "member", "shelf", "urgent", "both"],
  staleAt: ({ dueAt, leavesAt }) => [dueAt, leavesAt].filter((at) => at !== null).sort()[0] ?? null,
  derive: (loan, now) => ({
    ...loan,
    state: isOver(loan.dueAt, now) ? "due" : loan.state,
    member: isOver(loan.leavesAt, now) ? "no" : loan.member,
  }),
});

const NOW = "2026-01-05T09:00:00.000Z";
const EARLIER = "2026-01-05T08:00:00.000Z";
const store = createMemoryStore();
const counts = async (field: string) => Object.fromEntries(await countsAt(store.forTenant("t"), loans, field, NOW));

beforeAll(async () => {
  const of = (id: string, dueAt: string | null, leavesAt: string | null): Loan => ({
    ...{ id, version: 1, createdAt: EARLIER, state: "lent", member: "yes", shelf: "a", dueAt, leavesAt },
  });
  const all = [
    of("1", NOW, null),
    of("2", null, EARLIER),
    of("3", NOW, EARLIER),
    of("4", "2026-02-01T00:00:00.000Z", null),
  ];
  await store.forTenant("t").insertMany(loans, all);
});

describe("counters at a moment", () => {
  it("look at the times that change the field, and at none where nothing does", () => {
    expect(["state", "member", "shelf", "urgent", "both"].map((field) => timesOf(loans, field))).toEqual([
      ["dueAt"],
      ["leavesAt"],
      [],
      ["dueAt", "leavesAt"],
      ["dueAt"],
    ]);
  });

  it("count each record once that several times have changed", async () => {
    expect(await counts("state")).toEqual({ lent: 2, due: 2 });
    expect(await counts("member")).toEqual({ yes: 2, no: 2 });
    expect(await counts("urgent")).toEqual({ "due yes": 1, "lent no": 1, "due no": 1 });
    expect(await counts("both")).toEqual({ "a:lent": 2, "a:due": 2 });
  });
});
