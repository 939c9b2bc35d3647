import { randomOf, things } from "@reeve/testkit";
import { expect, it } from "vitest";
import { lieOf, underFire, type WriteUnderFire } from "./kills.js";
import { randomStrikes } from "./random-strike.js";
import type { Side } from "./strike.js";

/** A night run tries thousands, an ordinary one some dozens. */
const KILLS = Number(process.env.REEVE_FAULTS_KILLS ?? 60);
const SEED = Number(process.env.REEVE_FAULTS_SEED ?? Date.now() % 1_000_000);

it(`K1, O1, O3 no answer lies about a write whose connection is killed, ${KILLS} times with seed ${SEED}`, {
  timeout: 60_000 + KILLS * 2_000,
}, async ({ annotate }) => {
  const { way, store, writes, admin } = await underFire();
  const random = randomOf(SEED);
  const strikeOf = randomStrikes(random, admin);

  /** Messages of each write once its statements are prepared. */
  const lengths = new Map<WriteUnderFire, Record<Side, number>>();
  for (const write of writes) {
    await write.write(0);
    const { seen } = way.strike();
    expect(await write.write(1)).toBe("done");
    lengths.set(write, { ...seen });
  }

  const tally: Record<string, number> = { done: 0, failed: 0, unknown: 0 };
  const lies: string[] = [];
  let [kills, n] = [0, 1];
  while (kills < KILLS) {
    n += 1;
    const write = writes[n % writes.length] as WriteUnderFire;
    const { name, strike } = strikeOf(lengths.get(write) ?? { client: 1, server: 1 });
    const aim = way.strike(strike);
    const reported = await write.write(n);
    way.strike();
    // A cancelled query leaves its connection alive, and a write on a shorter way may be over before the strike.
    if (aim.hasStruck && name !== "cancel") kills += 1;
    const found = [lieOf(reported, await write.stored(n))];
    // The pool may hold a connection whose end is still under way, and its next user is told that nothing is stored.
    let again = await write.write(n);
    if (again === "failed" || again === "unknown") again = await write.write(n);
    found.push(again === "done" ? undefined : `not done afterwards: ${JSON.stringify(again)}`);
    found.push(lieOf("done", await write.stored(n)));
    for (const lie of found)
      if (lie !== undefined)
        lies.push(`write ${n}, ${write.name}, ${name} at ${strike.side} message ${strike.message}: ${lie}`);
    if (typeof reported === "string") tally[reported] = (tally[reported] ?? 0) + 1;
  }

  const answers = `${tally.done} done, ${tally.failed} failed, ${tally.unknown} unknown`;
  await annotate(`seed ${SEED}: ${kills} kills in ${n - 1} writes, ${lies.length} lies (${answers})`);
  expect(lies).toEqual([]);
  const tenant = store.forTenant("t");
  expect((await tenant.events({ size: 1 })).total.count).toBe((await tenant.count(things)).count);
});
