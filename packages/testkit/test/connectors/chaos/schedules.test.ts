import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { CAREFUL, type Habits } from "./executor.js";
import { type Outcome, run, script } from "./run.js";

const SCHEDULES = inject("isQuick") ? 50 : 200;
const scripts = fc.sample(script, { numRuns: SCHEDULES, seed: 17 });

async function totalOf(habits: Habits): Promise<Outcome> {
  const total = { lost: 0, doubled: 0, stubborn: 0, fired: 0, effects: 0 };
  for (const one of scripts) {
    const outcome = await run(one, habits);
    for (const name of Object.keys(total) as (keyof Outcome)[]) total[name] += outcome[name];
  }
  return total;
}

describe(`${SCHEDULES} scripted schedules of chaos`, () => {
  it("leave no effect lost or doubled where failures are taken by their class", async () => {
    const { fired, effects, ...wrong } = await totalOf(CAREFUL);
    process.stdout.write(
      `chaos: ${SCHEDULES} schedules, ${fired} faults fired, ${effects} effects, ${wrong.lost} lost, ${wrong.doubled} doubled\n`,
    );
    expect(wrong).toEqual({ lost: 0, doubled: 0, stubborn: 0 });
    expect(fired).toBeGreaterThan(SCHEDULES);
    expect(effects).toBeGreaterThan(SCHEDULES);
  });

  it.each<[keyof Habits, keyof Outcome]>([
    ["verifiesFirst", "doubled"],
    ["confirms", "lost"],
    ["stopsAtRefusals", "stubborn"],
    ["needsComplete", "doubled"],
  ])("show an executor without the habit %s by what is %s", async (habit, found) => {
    expect((await totalOf({ ...CAREFUL, [habit]: false }))[found]).toBeGreaterThan(0);
  });
});
