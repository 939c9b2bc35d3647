import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type ControlPlane, createMemoryStore, type Principal } from "@reeve/core";
import { defineConnector, pageOf } from "@reeve/core/connectors";
import type { Store } from "@reeve/core/store";
import { z } from "zod";
import { ISSUER, MASTER_KEY, PERSON } from "./estate.js";
import { Progress } from "./progress.js";
import { assignment, MovedClock, seed } from "./seeded-access.js";
import { openControlPlane, openStore } from "./subject.js";

const CERTIFICATION_USAGE = `npm run bench -- certification [options]
  --items 100000      assignments under review
  --revoke 1000       of them, decided one by one and revoked
  --stores sqlite     memory, sqlite`;

const DAY = 86_400_000;
const PAGE = 100;
const REASON = "a reason of the benchmark";

/** Measures a certification of many assignments: gathered, decided in pages, carried out. */
export async function benchCertification(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      items: { type: "string", default: "100000" },
      revoke: { type: "string", default: "1000" },
      stores: { type: "string", default: "sqlite" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${CERTIFICATION_USAGE}\n`);
  const folder = mkdtempSync(join(tmpdir(), "reeve-bench-certification-"));
  try {
    for (const kind of values.stores.split(",")) {
      const location = join(folder, `${kind}.sqlite`);
      const store = kind === "memory" ? createMemoryStore() : openStore({ store: "sqlite", location });
      const reported = await certification(store, Number(values.items), Number(values.revoke));
      process.stdout.write(`${kind}, ${reported}\n`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A connector whose target has nothing, so that every revocation is confirmed at once. */
const target = defineConnector({
  manifest: {
    providerKey: "bench",
    interfaceVersion: 1,
    version: "1.0.0",
    displayName: "Bench",
    category: "other",
    description: "Has nothing.",
    capabilities: ["test", "resources", "profiles", "grant", "revoke", "verify"],
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
  listResources: async (_ctx, _type, page) => pageOf([], page),
  listAccessProfiles: async (_ctx, _query, page) => pageOf([], page),
  grant: async () => ({ outcome: "applied" }),
  revoke: async () => ({ outcome: "already_applied" }),
  verify: async () => ({ presence: "absent", checkedAt: new Date(0), authoritative: true }),
});

async function certification(store: Store, items: number, revoke: number): Promise<string> {
  const progress = new Progress();
  const clock = new MovedClock();
  const controlPlane = openControlPlane(
    store,
    { issuer: ISSUER, masterKey: MASTER_KEY },
    { connectors: [target], clock },
  );
  const { tenantId, userId } = await controlPlane.call("registration.register", undefined, {
    body: { organization: "Bench", ...PERSON },
  });
  const person = await controlPlane.principalOf(tenantId, userId);
  const { id: connectorInstanceId } = await controlPlane.call("connectorInstances.create", person, {
    body: { providerKey: "bench", name: "Bench", status: "active", governanceMode: "managed" },
  });
  const at = new Date(clock.now()).toISOString();
  const one = (number: number) => assignment(number, { connectorInstanceId, at });
  await seed(store, tenantId, "access_assignments", items, one);
  progress.done(`${items} assignments`);
  const peak = { rss: process.memoryUsage().rss };
  const before = peak.rss;
  const work = { controlPlane, person, clock, peak, progress };

  const began = performance.now();
  const { id } = await controlPlane.call("accessCertifications.create", person, {
    body: { name: "All access", stages: [{ reviewer: "users", userIds: [userId] }], maxAutoRevokePercent: 100 },
  });
  await until(work, id, ({ status, counts }) => status === "active" && (counts.held ?? 0) === 0);
  const prepared = seconds(began);
  progress.done("gathered, and reviewers asked");

  const reviewing = performance.now();
  const lookedUp = await decide(work, id, revoke);
  const decided = seconds(reviewing);
  progress.done("decided");

  const closing = performance.now();
  await until(work, id, ({ status }) => status === "remediating");
  clock.ahead += 2 * DAY;
  const done = await until(work, id, ({ status }) => status === "completed");
  const carriedOut = seconds(closing);
  await controlPlane.close();
  const rate = (time: number) => `${Math.round(items / time).toLocaleString("en")} a second`;
  const memory = `peak memory ${mib(peak.rss)} MiB, ${mib(peak.rss - before)} more than before`;
  return `${items.toLocaleString("en")} items: gathered ${rate(prepared)}, decided ${rate(decided)} (a page of ${PAGE} read in ${lookedUp.toFixed(0)} ms), carried out with the report ${rate(carriedOut)}; ${memory}; ${JSON.stringify(done.counts)}`;
}

const seconds = (since: number) => (performance.now() - since) / 1_000;
const mib = (bytes: number) => Math.round(bytes / 2 ** 20);

interface Work {
  readonly controlPlane: ControlPlane;
  readonly person: Principal;
  readonly clock: MovedClock;
  readonly peak: { rss: number };
  readonly progress: Progress;
}

interface Seen {
  readonly status: string;
  readonly counts: Readonly<Record<string, number>>;
}

function measure({ peak }: Work): void {
  peak.rss = Math.max(peak.rss, process.memoryUsage().rss);
}

/** Lets jobs run until a campaign is as wanted. */
async function until(work: Work, id: string, isDone: (seen: Seen) => boolean): Promise<Seen> {
  for (;;) {
    await work.controlPlane.tick();
    measure(work);
    const seen = (await work.controlPlane.call("accessCertifications.read", work.person, { params: { id } })) as Seen;
    if (isDone(seen)) return seen;
    work.progress.at(`${seen.status} ${JSON.stringify(seen.counts)}`);
  }
}

/** Decides everything that waits: some revoked one by one, the rest certified in pages. Returns the median read. */
async function decide(work: Work, id: string, revoke: number): Promise<number> {
  const { controlPlane, person } = work;
  const times: number[] = [];
  let cursor: string | undefined;
  let revoked = 0;
  do {
    const started = performance.now();
    const page = await controlPlane.call("accessCertificationItems.list", person, {
      query: { size: PAGE, ...(cursor === undefined ? {} : { cursor }) },
    });
    times.push(performance.now() - started);
    const items = page.items.map((item) => ({ id: item.id, expectedSnapshotVersion: item.snapshotVersion }));
    const alone = items.splice(0, Math.min(items.length, revoke - revoked));
    for (const { id: itemId, expectedSnapshotVersion } of alone)
      await controlPlane.call("accessCertifications.reviewItem", person, {
        params: { id, itemId },
        body: { decision: "revoke", expectedSnapshotVersion, reason: REASON },
      });
    revoked += alone.length;
    if (items.length > 0)
      await controlPlane.call("accessCertifications.certifyItems", person, {
        params: { id },
        body: { items, reason: REASON },
      });
    measure(work);
    work.progress.at(`${times.length * PAGE} decided`);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return times.sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}
