import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type ControlPlane, createMemoryStore, type Principal } from "@reeve/core";
import { collections } from "@reeve/core/reference";
import type { Store, StoredCollection, StoredRecord } from "@reeve/core/store";
import { assets, ISSUER, MASTER_KEY, seedEstate } from "./estate.js";
import { Progress } from "./progress.js";
import { median } from "./stats.js";
import { openControlPlane, openStore } from "./subject.js";

const PROMOTIONS_USAGE = `npm run bench -- promotions [options]
  --policies 20       gating policies in force, each with one rule
  --agents 200        agents to promote, one after the other
  --estate 1000       other assets of the tenant
  --stores sqlite     memory, sqlite`;

type Changeable = StoredCollection<StoredRecord & { readonly status: string }>;
const policies = collections.find(({ name }) => name === "ai_policies") as unknown as Changeable;

/** Measures promotions of agents that pass every gate, with and without gates. */
export async function benchPromotions(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      policies: { type: "string", default: "20" },
      agents: { type: "string", default: "200" },
      estate: { type: "string", default: "1000" },
      stores: { type: "string", default: "sqlite" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${PROMOTIONS_USAGE}\n`);
  const [agents, estate] = [Number(values.agents), Number(values.estate)];
  const folder = mkdtempSync(join(tmpdir(), "reeve-bench-promotions-"));
  try {
    for (const kind of values.stores.split(",")) {
      for (const gates of [0, Number(values.policies)]) {
        const location = join(folder, `${kind}-${gates}.sqlite`);
        const store = kind === "memory" ? createMemoryStore() : openStore({ store: "sqlite", location });
        const taken = await promotions(store, { gates, agents, estate });
        const middle = median(taken).toFixed(2);
        const slow = taken[Math.floor(taken.length * 0.99)]?.toFixed(2);
        process.stdout.write(`${kind}, ${gates} gates, ${agents} promotions: median ${middle} ms, p99 ${slow} ms\n`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The times of promotions in ms, in ascending order. */
async function promotions(
  store: Store,
  { gates, agents, estate }: { readonly gates: number; readonly agents: number; readonly estate: number },
): Promise<number[]> {
  const controlPlane = openControlPlane(store, { issuer: ISSUER, masterKey: MASTER_KEY });
  const { tenantId, userId } = await seedEstate(store, estate, new Progress());
  const principal = await controlPlane.principalOf(tenantId, userId);
  for (let at = 0; at < gates; at++) await addGate(controlPlane, principal, store, at);
  const ready = await readyAgents(controlPlane, principal, store, agents);
  const taken: number[] = [];
  for (const id of ready) {
    const started = performance.now();
    await controlPlane.call("aiAssets.changeLifecycle", principal, { params: { id }, body: { status: "production" } });
    taken.push(performance.now() - started);
  }
  await controlPlane.close();
  return taken.sort((one, other) => one - other);
}

/** A gating policy in force over agents. Every other one reads the technical side, and what is around the agent. */
async function addGate(controlPlane: ControlPlane, principal: Principal, store: Store, at: number): Promise<void> {
  const assert =
    at % 2 === 0
      ? `asset.hasOwner && asset.riskScore <= ${100 + at}`
      : `!spec.identityShared && spec.tools.all(tool, tool.name != "nobody ${at}")`;
  const configuration = {
    key: `gate-${at}`,
    gate: true,
    selector: { assetTypes: ["agent" as const], environments: [], expression: null },
    rules: [{ key: "holds", assert, message: "{asset.name} fails." }],
    tests: [{ name: "elsewhere", input: { asset: { assetType: "tool" } }, expect: "skip" as const }],
  };
  const body = { status: "observe" as const, configuration };
  const { id } = await controlPlane.call("aiGovernancePolicies.create", principal, { body });
  await rewrite(store.forTenant(principal.tenantId), policies, id, { status: "active" });
}

/** Agents that only gates keep from production: written as approved, because that takes two people. */
async function readyAgents(
  controlPlane: ControlPlane,
  principal: Principal,
  store: Store,
  count: number,
): Promise<string[]> {
  const ready: string[] = [];
  const sponsor = { type: "user" as const, id: principal.userId };
  for (let at = 0; at < count; at++) {
    const body = { name: `promoted ${at}`, owner: sponsor, sponsor };
    const { assetId } = await controlPlane.call("aiAgents.create", principal, { body });
    const state = { status: "validation", governanceState: "approved" };
    await rewrite(store.forTenant(principal.tenantId), assets as unknown as Changeable, assetId, state);
    ready.push(assetId);
  }
  return ready;
}

async function rewrite(
  tenant: ReturnType<Store["forTenant"]>,
  collection: Changeable,
  id: string,
  patch: Readonly<Record<string, unknown>>,
): Promise<void> {
  const row = await tenant.get(collection, id);
  if (!row) throw new Error(`${id} is not stored`);
  await tenant.replace(collection, { ...row.value, ...patch, version: row.value.version + 1 }, row.value);
}
