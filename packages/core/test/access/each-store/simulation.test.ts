import { describe, expect, inject, it } from "vitest";
import { accessBench } from "../../helpers/access.js";
import { MortalStore, random, runHistories } from "../../helpers/access-histories.js";
import { createWorld } from "../../helpers/world.js";

/** Histories that run in every test; `REEVE_ACCESS_HISTORIES` sets another number. */
const USUAL = inject("store") === "postgres" ? 100 : 200;
const HISTORIES = Number(process.env.REEVE_ACCESS_HISTORIES ?? USUAL);
const TOGETHER = 100;
const SEED = Number(process.env.REEVE_ACCESS_SEED ?? 1);

describe("random histories of grants", () => {
  it(`end as their decisions say, in ${HISTORIES} with failed calls, lost answers and dying processes`, async () => {
    let deaths = 0;
    for (let done = 0; done < HISTORIES; done += TOGETHER) {
      const seed = SEED + done;
      const next = random(seed);
      const mortal = new MortalStore(next);
      const world = await createWorld({ tokenLifetime: 86_400 }, (store) => mortal.around(store));
      const wrong = await runHistories(world, mortal, Math.min(TOGETHER, HISTORIES - done), next);
      expect(wrong, `seed ${seed}`).toEqual([]);
      deaths += mortal.deaths;
    }
    expect(deaths).toBeGreaterThan(0);
  }, 3_600_000);
});

describe("a grant whose store fails more often than a target may", () => {
  it("is given in the end, since that counts as no attempt", async () => {
    const fates: number[] = [];
    const mortal = new MortalStore(() => fates.shift() ?? 0.5);
    const world = await createWorld({ tokenLifetime: 86_400 }, (store) => mortal.around(store));
    const bench = await accessBench(world);
    const id = await bench.decide();
    Object.assign(mortal, { armed: true, only: world.a.tenantId });
    bench.account.script = (method) => {
      if (method === "verify" && mortal.deaths < 8) fates.push(0);
    };
    for (let minute = 0; minute < 12; minute += 1) {
      world.clock.advance(60_000);
      await world.controlPlane.tick();
    }
    mortal.armed = false;
    expect(mortal.deaths).toBe(8);
    expect(await bench.read(id)).toMatchObject({ status: "active", failure: null });
    expect(bench.account.held.size).toBe(1);
  });
});
