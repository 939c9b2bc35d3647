import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createMemoryStore } from "@reeve/core";
import { defineConnector, type ObservedGrant, type Page, type PageRequest } from "@reeve/core/connectors";
import type { Store } from "@reeve/core/store";
import { z } from "zod";
import { ISSUER, MASTER_KEY, PERSON } from "./estate.js";
import { Progress } from "./progress.js";
import { assignment, drift, grantOf, MovedClock, reconciliation, resource, seed } from "./seeded-access.js";
import { openControlPlane, openStore } from "./subject.js";

const ACCESS_USAGE = `npm run bench -- access [options]
  --assignments 100000  assignments of one target
  --reads 40            reads of each list
  --stores sqlite       memory, sqlite`;

const DAY = 86_400_000;
const ASSETS = 100;
/** Grants that the target lacks, and that nobody granted. */
const DRIFTING = 5;

/** Measures lists of access, and a scan for drift, over many assignments. */
export async function benchAccess(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      assignments: { type: "string", default: "100000" },
      reads: { type: "string", default: "40" },
      stores: { type: "string", default: "sqlite" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${ACCESS_USAGE}\n`);
  const folder = mkdtempSync(join(tmpdir(), "reeve-bench-access-"));
  try {
    for (const kind of values.stores.split(",")) {
      const location = join(folder, `${kind}.sqlite`);
      const store = kind === "memory" ? createMemoryStore() : openStore({ store: "sqlite", location });
      for (const line of await access(store, Number(values.assignments), Number(values.reads)))
        process.stdout.write(`${kind}, ${line}\n`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A connector whose target has what was granted, but for some by hand. */
const target = (count: number) =>
  defineConnector({
    manifest: {
      providerKey: "bench",
      interfaceVersion: 1,
      version: "1.0.0",
      displayName: "Bench",
      category: "other",
      description: "Has what was granted, but for some.",
      capabilities: ["test", "resources", "profiles", "observe", "grant", "revoke", "verify"],
      resourceTypes: [
        {
          type: "thing",
          displayName: "Thing",
          idStability: "immutable",
          profileSource: "static",
          grantableTo: ["service_account"],
        },
      ],
      expiry: "managed",
    },
    configuration: z.object({}),
    testConnection: async () => ({ checks: [], target: { id: "bench", name: "Bench" } }),
    listResources: async () => ({ items: [], complete: true }),
    listAccessProfiles: async () => ({ items: [], complete: true }),
    listGrants: async (_ctx, _query, page) => grantsFrom(count, page),
    grant: async () => ({ outcome: "applied" }),
    revoke: async () => ({ outcome: "already_applied" }),
    verify: async () => ({ presence: "absent", authoritative: true }),
  });

function grantsFrom(count: number, { cursor, limit }: PageRequest): Page<ObservedGrant> {
  const start = cursor === undefined ? DRIFTING : Number(cursor);
  const end = Math.min(count, start + limit);
  const items = Array.from({ length: end - start }, (_, index): ObservedGrant => {
    const { principal, ...grant } = grantOf(start + index);
    return {
      ...grant,
      principal: { type: principal.type, externalId: principal.externalId },
      parameters: {},
      source: "direct",
    };
  });
  return end < count ? { items, nextCursor: String(end), complete: false } : { items, complete: true };
}

async function access(store: Store, count: number, reads: number): Promise<string[]> {
  const progress = new Progress();
  const clock = new MovedClock();
  const config = { issuer: ISSUER, masterKey: MASTER_KEY };
  const controlPlane = openControlPlane(store, config, { connectors: [target(count)], clock });
  const { tenantId, userId } = await controlPlane.call("registration.register", undefined, {
    body: { organization: "Bench", ...PERSON },
  });
  const person = await controlPlane.principalOf(tenantId, userId);
  const { id: connectorInstanceId } = await controlPlane.call("connectorInstances.create", person, {
    body: { providerKey: "bench", name: "Bench", status: "active", governanceMode: "managed" },
  });
  const at = new Date(clock.now()).toISOString();
  const ends = (number: number) => new Date(clock.now() + ((number % 365) + 1) * DAY).toISOString();
  const owner = { type: "user" as const, id: userId, name: PERSON.username };
  const assetIds: string[] = [];
  for (let number = 0; number < ASSETS; number += 1) {
    const body = { name: `Agent ${number}`, assetType: "agent" as const, owner };
    assetIds.push((await controlPlane.call("aiAssets.create", person, { body })).id);
  }
  const of = { connectorInstanceId, at };
  const activatedAt = new Date(clock.now() - 60 * DAY).toISOString();
  await seed(store, tenantId, "access_assignments", count, (number) => {
    const assetId = assetIds[number % ASSETS];
    return assignment(number, { ...of, assetId, activatedAt, isPermanent: false, expiresAt: ends(number) });
  });
  await seed(store, tenantId, "access_resources", count, (number) => resource(number, of));
  await seed(store, tenantId, "access_lanes", count, (number) => reconciliation(number, of));
  await seed(store, tenantId, "access_drift", count, (number) => drift(number, of));
  progress.done(`${count} assignments`);
  clock.ahead += 1_000;

  const before = process.memoryUsage().rss;
  let peak = before;
  const began = performance.now();
  const params = { connectorInstanceId };
  const { id: scanId } = await controlPlane.call("accessTargets.scanForDrift", person, { params });
  let scan = await controlPlane.call("accessTargets.readDriftScan", person, { params: { ...params, scanId } });
  while (scan.status === "running") {
    await controlPlane.tick();
    peak = Math.max(peak, process.memoryUsage().rss);
    scan = await controlPlane.call("accessTargets.readDriftScan", person, { params: { ...params, scanId } });
    progress.at(JSON.stringify(scan.counts));
  }
  const rate = Math.round((count / (performance.now() - began)) * 1_000).toLocaleString("en");
  progress.done("scanned");
  const mib = (bytes: number) => Math.round(bytes / 2 ** 20);
  const lines = [
    `${count.toLocaleString("en")} grants: ${scan.status}, compared ${rate} a second; peak memory ${mib(peak)} MiB, ${mib(peak - before)} more than before; ${JSON.stringify(scan.counts)}`,
  ];

  const lists = {
    "drift, newest": () => controlPlane.call("accessDrift.list", person, { query: { size: 50 } }),
    "drift, open of one kind": () =>
      controlPlane.call("accessDrift.list", person, {
        query: { size: 50, status: ["open"], kind: ["expiry_mismatch"] },
      }),
    "expiring within 7 days": () => controlPlane.call("accessLifecycle.expiring", person, { query: { size: 50 } }),
    "unused, and of unknown use": () => controlPlane.call("accessLifecycle.unused", person, { query: { size: 50 } }),
    dashboard: () => controlPlane.call("accessLifecycle.dashboard", person),
  };
  for (const [name, read] of Object.entries(lists)) lines.push(`${name}: ${await median(reads, read)} ms`);
  await controlPlane.close();
  return lines;
}

async function median(reads: number, read: () => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let at = 0; at < reads; at += 1) {
    const began = performance.now();
    await read();
    times.push(performance.now() - began);
  }
  return (times.sort((one, other) => one - other)[Math.floor(reads / 2)] ?? 0).toFixed(2);
}
