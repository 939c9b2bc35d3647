import { openGuard } from "@reeve/guard";
import { createSqliteStore } from "@reeve/store-sqlite";
import { type Driver, type Played, Tools } from "./driver.js";
import { WAYS, type Way, World } from "./world.js";

/** What a model was told of the same call: before anybody approved it, after a restart, and once more. */
export type Told = readonly [before: string, after: string, again: string];

export const OVER_A_RESTART: Told = ["waits", "refund is done", "waits"];

/** Plays one call before Reeve and the agents stop, and twice after they are started again on the same file. */
export async function overARestart(drivers: readonly Driver[], file: string): Promise<[string, Told][]> {
  const first = await World.open(createSqliteStore({ file }));
  const known = await first.fill();
  const runs = drivers.flatMap((driver) => WAYS.map((way) => ({ driver, way, to: `${driver.name} ${way}` })));
  const play = async (world: World, driver: Driver, way: Way, to: string) => {
    const guard = await openGuard({ reeve: world.backend(way, known), agent: "Teller", timeoutMs: 60_000 });
    return toldIn(await driver.play(guard, [{ tool: "refund", args: { amount: 900, to } }], new Tools()));
  };
  const before: string[] = [];
  for (const { driver, way, to } of runs) before.push(await play(first, driver, way, to));
  const { items } = await first.call("aiApprovals.list", first.grace, { query: { status: ["requested"] } });
  for (const { id } of items) await first.call("aiApprovals.approve", first.grace, { params: { id } });
  await first.close();

  const second = await World.open(createSqliteStore({ file }));
  try {
    const told: [string, Told][] = [];
    for (const [at, { driver, way, to }] of runs.entries()) {
      const after = await play(second, driver, way, to);
      told.push([to, [before[at] as string, after, await play(second, driver, way, to)]]);
    }
    return told;
  } finally {
    await second.close();
  }
}

function toldIn({ told, ended }: Played): string {
  if (ended !== undefined) throw ended;
  return String(told.at(-1)).replace(/^It waits for approval.*/s, "waits");
}
