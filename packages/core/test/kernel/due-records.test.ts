import { expect, it } from "vitest";
import { z } from "zod";
import { forEachDue } from "#kernel/operation/due-records.js";
import { defineCollection } from "#kernel/records/collection.js";
import type { StoredRecord } from "#store/collection.js";
import { createMemoryStore } from "#store/memory/memory-store.js";
import { environmentOf } from "../helpers/environment.js";

interface Lease extends StoredRecord {
  readonly endsAt: string;
}

const leases = defineCollection<Lease>({
  name: "test_leases",
  prefix: null,
  schema: z.object({ id: z.string(), version: z.number(), createdAt: z.string(), endsAt: z.string() }),
  fields: { endsAt: { type: "time" } },
  indexes: [{ where: [], by: "endsAt", partial: true }],
});

const NOW = "2026-01-05T09:00:00.000Z";
const TENANTS = ["ten_a", "ten_b", "ten_c"];
const DUE = 45;

it("K12 what is due in several tenants at once leaves turns of the event loop to others", async () => {
  const store = createMemoryStore();
  const env = environmentOf({ store, clock: { now: () => Date.parse(NOW) } });
  const made = Array.from({ length: DUE }, (_, n) => ({ id: `l${n}`, version: 1, createdAt: NOW, endsAt: NOW }));
  for (const tenantId of TENANTS) await store.forTenant(tenantId).insertMany(leases, made);
  let [isOver, inTurn] = [false, 0];
  const turns: number[] = [];
  const turn = () => {
    turns.push(inTurn);
    inTurn = 0;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const end = (tenantId: string) =>
    forEachDue(env, leases, { by: "endsAt", through: NOW }, tenantId, async (ctx, lease) => {
      inTurn += 1;
      await ctx.remove(leases, lease, { event: false });
    });
  const done = await Promise.all(TENANTS.map(end));
  isOver = true;
  expect(done).toEqual(TENANTS.map(() => DUE));
  // The first batches of all begin together.
  expect(turns[0]).toBeLessThanOrEqual(10 * TENANTS.length);
  expect(Math.max(...turns.slice(1), inTurn)).toBeLessThanOrEqual(10);
});
