import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type ControlPlane, createMemoryStore, type Principal } from "@reeve/core";
import { type DiscoveredAsset, defineConnector, pageOf } from "@reeve/core/connectors";
import type { Store } from "@reeve/core/store";
import { z } from "zod";
import { ISSUER, MASTER_KEY, PERSON } from "./estate.js";
import { Progress } from "./progress.js";
import { copyRows } from "./raw-writes.js";
import { openControlPlane, openStore } from "./subject.js";

const DISCOVERY_USAGE = `npm run bench -- discovery [options]
  --items 100000      assets that the connected system lists
  --stores sqlite     memory, sqlite`;

/** The tables that a confirmed import fills. */
const TABLES = [
  "ai_assets",
  "ai_models",
  "events",
  "event_streams",
  "search_pending",
  "connector_import_items",
  "connector_assets",
];
const CHUNK = 200;

/** Measures the discovery of many assets and the import of all, beside the same rows by the bare driver. */
export async function benchDiscovery(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      items: { type: "string", default: "100000" },
      stores: { type: "string", default: "sqlite" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${DISCOVERY_USAGE}\n`);
  const items = Number(values.items);
  const folder = mkdtempSync(join(tmpdir(), "reeve-bench-discovery-"));
  try {
    for (const kind of values.stores.split(",")) {
      const location = join(folder, `${kind}.sqlite`);
      const store = kind === "memory" ? createMemoryStore() : openStore({ store: "sqlite", location });
      const { tenantId, discovered, imported, memoryMb } = await discovery(store, items);
      const rate = (seconds: number) => `${Math.round(items / seconds).toLocaleString("en")} a second`;
      process.stdout.write(
        `${kind}, ${items.toLocaleString("en")} assets: planned ${rate(discovered)}, imported ${rate(imported)}, peak memory ${Math.round(memoryMb)} MiB\n`,
      );
      if (kind === "memory") continue;
      const raw = await rawInserts(tenantId, location, join(folder, "raw.sqlite"), items);
      const ratio = ((discovered + imported) / raw).toFixed(2);
      process.stdout.write(`${kind}, the same rows by the bare driver: ${rate(raw)}, ratio of times ${ratio}\n`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function rawInserts(tenantId: string, from: string, to: string, items: number): Promise<number> {
  const store = openStore({ store: "sqlite", location: to });
  await store.migrate();
  await store.close();
  const at = (location: string) => ({ store: "sqlite", location }) as const;
  return copyRows(tenantId, at(from), at(to), Math.ceil(items / CHUNK), { inserted: TABLES });
}

async function discovery(store: Store, items: number) {
  const progress = new Progress();
  const controlPlane = openControlPlane(
    store,
    { issuer: ISSUER, masterKey: MASTER_KEY },
    { connectors: [listing(items)] },
  );
  const { tenantId, userId } = await controlPlane.call("registration.register", undefined, {
    body: { organization: "Bench", ...PERSON },
  });
  const principal = await controlPlane.principalOf(tenantId, userId);
  const { id } = await controlPlane.call("connectorInstances.create", principal, {
    body: { name: "Bench", providerKey: "listing", status: "active" },
  });
  const { id: importId } = await controlPlane.call("integrations.previewImport", principal, {
    params: { id },
    body: {},
  });
  let memory = 0;
  const until = async (status: string) => {
    const started = performance.now();
    for (;;) {
      await controlPlane.tick();
      memory = Math.max(memory, process.memoryUsage().rss);
      const job = await readImport(controlPlane, principal, id, importId);
      progress.at(`${job.counts.create.toLocaleString("en")} planned, ${job.done.toLocaleString("en")} imported`);
      if (job.status === status) return { job, seconds: (performance.now() - started) / 1_000 };
      if (job.failure) throw new Error(job.failure.message);
    }
  };
  const { job, seconds: discovered } = await until("awaiting_confirmation");
  const body = { planHash: job.planHash ?? "", selection: "all" as const };
  await controlPlane.call("integrations.confirmImport", principal, { params: { id, importId }, body });
  const { job: done, seconds: imported } = await until("completed");
  if (done.done !== items) throw new Error(`only ${done.done} of ${items} are imported`);
  await controlPlane.close();
  return { tenantId, discovered, imported, memoryMb: memory / 2 ** 20 };
}

const readImport = (controlPlane: ControlPlane, principal: Principal, id: string, importId: string) =>
  controlPlane.call("integrations.readImport", principal, { params: { id, importId } });

/** A connector to a system of so many models, which it makes as they are asked for. */
function listing(items: number) {
  const all: readonly number[] = Array.from({ length: items }, (_unused, at) => at);
  const modelOf = (at: number): DiscoveredAsset => ({
    externalId: `model-${at}`,
    assetType: "model",
    name: `Model ${at}`,
    description: "A model of the connected system.",
    record: { modelId: `model-${at}`, region: "eu" },
    found: [{ location: `models/${at}` }],
  });
  return defineConnector({
    manifest: {
      providerKey: "listing",
      interfaceVersion: 1,
      version: "1.0.0",
      displayName: "Listing",
      category: "other",
      description: "Lists many models.",
      capabilities: ["test", "discover"],
    },
    configuration: z.object({}),
    testConnection: async () => ({ checks: [], target: { id: "listing", name: "Listing" } }),
    async discoverAssets(_ctx, page) {
      const { items: some, ...rest } = pageOf(all, page);
      return { ...rest, items: some.map(modelOf) };
    },
  });
}
