import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type ControlPlane, createMemoryStore, type Principal } from "@reeve/core";
import { ISSUER, MASTER_KEY, seedEstate } from "./estate.js";
import { Progress } from "./progress.js";
import { median } from "./stats.js";
import { openControlPlane, openStore } from "./subject.js";

const CONTAINMENT_USAGE = `npm run bench -- containment [options]
  --rounds 5       --calls 300    decisions of each agent a round
  --stores memory,sqlite`;

/** Measures decisions about an agent with five relations that it falls with, beside one without any. */
export async function benchContainment(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: "string", default: "5" },
      calls: { type: "string", default: "300" },
      stores: { type: "string", default: "memory,sqlite" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${CONTAINMENT_USAGE}\n`);
  const folder = mkdtempSync(join(tmpdir(), "reeve-bench-containment-"));
  try {
    for (const kind of values.stores.split(",")) {
      const location = join(folder, `${kind}.sqlite`);
      const store = kind === "memory" ? createMemoryStore() : openStore({ store: "sqlite", location });
      const controlPlane = openControlPlane(store, { issuer: ISSUER, masterKey: MASTER_KEY });
      const { tenantId, userId } = await seedEstate(store, 0, new Progress());
      const principal = await controlPlane.principalOf(tenantId, userId);
      const agents = await agentsOf(controlPlane, principal);
      const p50s = new Map(agents.map(([name]) => [name, [] as number[]]));
      for (let round = 0; round <= Number(values.rounds); round++) {
        for (const [name, id] of round % 2 === 0 ? agents : [...agents].reverse()) {
          const taken = await timesOf(controlPlane, principal, id, Number(values.calls));
          // The first round warms up.
          if (round > 0) p50s.get(name)?.push(median(taken));
        }
      }
      const [alone = 0, related = 0] = [...p50s.values()].map((some) => median(some));
      const reported = [alone, related].map((ms) => `${(ms * 1_000).toFixed(0)} µs`).join(" and ");
      process.stdout.write(
        `${kind}: without and with five relations ${reported}, ratio ${(related / alone).toFixed(2)}\n`,
      );
      await controlPlane.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** An agent without relations, and one with an identity, three models and a parent agent. */
async function agentsOf(
  controlPlane: ControlPlane,
  principal: Principal,
): Promise<readonly (readonly [name: string, id: string])[]> {
  const model = async () => (await controlPlane.call("aiModels.create", principal, { body: {} })).assetId;
  const identity = await controlPlane.call("aiIdentities.create", principal, { body: {} });
  const alone = await controlPlane.call("aiAgents.create", principal, { body: {} });
  const modelIds = [await model(), await model(), await model()];
  const body = { modelIds, identityId: identity.assetId };
  const related = await controlPlane.call("aiAgents.create", principal, { body });
  const relations = [{ type: "delegates_to" as const, targetId: related.assetId }];
  await controlPlane.call("aiAssets.create", principal, { body: { assetType: "agent", relations } });
  return [
    ["alone", alone.assetId],
    ["related", related.assetId],
  ];
}

async function timesOf(controlPlane: ControlPlane, principal: Principal, id: string, calls: number): Promise<number[]> {
  const times: number[] = [];
  const request = {
    subject: { type: "agent", id },
    action: { name: "x" },
    resource: { type: "table", id: "customers" },
  };
  for (let call = 0; call < calls; call++) {
    const started = performance.now();
    const { context } = await controlPlane.decide(principal, request);
    times.push(performance.now() - started);
    if (context?.reasons[0]?.code !== "default") throw new Error("the agent may not be used");
  }
  return times.sort((one, other) => one - other);
}
