import { spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { exportEvents, type Principal, verifyChain } from "@reeve/core";
import type { Store } from "@reeve/core/store";
import { draftEvent } from "@reeve/core/testing";
import { ISSUER, MASTER_KEY, seedEstate } from "./estate.js";
import { Progress } from "./progress.js";
import { median } from "./stats.js";
import { openControlPlane, openStore } from "./subject.js";

export const AUDIT_USAGE = `npm run bench -- audit [options]
  --events 1000000        length of the chain that is verified
  --assets 1000,100000    sizes of the estate whose overview is read
  --rounds 3`;

const BATCH = 1_000;
const TENANT = "tnt_bench";
const READS = 30;

/**
 * Measures the verification of a long chain against bare SHA-256 of its bytes, and the overview of small and large
 * estates.
 */
export async function benchAudit(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      events: { type: "string", default: "1000000" },
      assets: { type: "string", default: "1000,100000" },
      rounds: { type: "string", default: "3" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${AUDIT_USAGE}\n`);
  const folder = mkdtempSync(join(tmpdir(), "reeve-bench-audit-"));
  const progress = new Progress();
  try {
    await chainFigures(folder, Number(values.events), Number(values.rounds), progress);
    await overviewFigures(folder, values.assets.split(",").map(Number), Number(values.rounds), progress);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function chainFigures(folder: string, events: number, rounds: number, progress: Progress): Promise<void> {
  const store = openStore({ store: "sqlite", location: join(folder, "chain.sqlite") });
  await store.migrate();
  await seedChain(store, events, progress);
  const reader = store.forTenant(TENANT);
  const sizes = [Math.ceil(events / 10), events];
  for (const size of sizes) {
    const [verified, hashed, read]: [number[], number[], number[]] = [[], [], []];
    const memory = peak();
    for (let round = 0; round < rounds; round++) {
      verified.push(await timed(() => verifyChain(reader, { limit: size })));
      hashed.push(await timed(() => walk(store, size, hashAll)));
      read.push(await timed(() => walk(store, size, () => undefined)));
      progress.at(`round ${round + 1} of ${rounds} over ${size.toLocaleString("en")} events`);
    }
    const bare = hashed.map((one, round) => one - (read[round] as number));
    say(`verifyChain, SQLite, ${size.toLocaleString("en")} events: ${rate(size, median(verified))} events/s`);
    say(
      `  the same events read and their bytes hashed: ${rate(size, median(hashed))} events/s (ratio ${ratio(hashed, verified)})`,
    );
    say(
      `  SHA-256 of the bytes without reading them: ${rate(size, median(bare))} events/s (ratio ${ratio(bare, verified)})`,
    );
    say(`  peak RSS of the process ${memory()} MiB`);
  }
  const file = join(folder, "export.jsonl");
  const out = createWriteStream(file);
  const exported = await timed(async () => {
    for await (const line of exportEvents(reader)) if (!out.write(line)) await once(out, "drain");
    out.end();
    await once(out, "finish");
  });
  say(`exportEvents to a file: ${rate(events, exported)} events/s, ${Math.round(statSync(file).size / 2 ** 20)} MiB`);
  await store.close();
  command(file, events);
}

/** Runs the verifier command in a process of its own, because the system counts memory per process. */
function command(file: string, events: number): void {
  const verifier = createRequire(import.meta.url).resolve("@reeve/verify-chain");
  const script = `process.argv.splice(1, 1, ${JSON.stringify(verifier)});
    await import(${JSON.stringify(verifier)});
    process.on("exit", () => process.stderr.write(String(process.resourceUsage().maxRSS)));`;
  const started = performance.now();
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", script, "x", "--quiet", file], {
    encoding: "utf8",
  });
  const milliseconds = performance.now() - started;
  if (run.status !== 0) throw new Error(`the verifier ended with ${run.status}: ${run.stdout}${run.stderr}`);
  say(
    `reeve-verify-chain: ${rate(events, milliseconds)} events/s, peak RSS ${Math.round(Number(run.stderr) / 1024)} MiB`,
  );
}

async function seedChain(store: Store, events: number, progress: Progress): Promise<void> {
  const tenant = store.forTenant(TENANT);
  for (let start = 0; start < events; start += BATCH) {
    await tenant.append(...Array.from({ length: Math.min(BATCH, events - start) }, (_, at) => draft(start + at)));
    progress.at(`seeding ${start.toLocaleString("en")} of ${events.toLocaleString("en")} events`);
  }
}

/** The event of an asset's creation. */
function draft(n: number) {
  const principal: Principal = {
    kind: "user",
    tenantId: TENANT,
    userId: "usr_bench",
    username: "",
    roles: [],
    permissions: new Set(),
  };
  const id = `ast_${String(n).padStart(26, "0")}`;
  const after = {
    id,
    name: `asset ${n}`,
    version: 1,
    status: "registered",
    description: "x".repeat(300),
    labels: { team: `team ${n % 50}` },
  };
  return draftEvent(
    {
      type: "asset.created",
      subject: { id, type: "ai_asset", path: `/api/v1/ai-assets/${id}` },
      data: { entity: { type: "ai_asset", id, name: after.name }, after },
      entered: [
        { machine: "assetLifecycle", to: "registered" },
        { machine: "governanceState", to: "unreviewed" },
      ],
    },
    {
      principal,
      requestId: `req_${n}`,
      typePrefix: "reeve",
      id: `evt_${String(n).padStart(26, "0")}`,
      time: new Date(n * 1_000).toISOString(),
    },
  );
}

type Hashed = Awaited<ReturnType<ReturnType<Store["forTenant"]>["scanEvents"]>>[number];

async function walk(store: Store, events: number, each: (event: Hashed) => void): Promise<void> {
  const reader = store.forTenant(TENANT);
  for (let after = 0; after < events; after += BATCH) {
    for (const event of await reader.scanEvents({ after, size: Math.min(BATCH, events - after) })) each(event);
  }
}

/** The minimum work of a verification: the three hashes of an event. */
function hashAll({ attributes, data, prevHash, eventHash }: Hashed): void {
  for (const text of [attributes, data ?? "", `${prevHash}${eventHash}`]) hash("sha256", text, "hex");
}

async function overviewFigures(
  folder: string,
  sizes: readonly number[],
  rounds: number,
  progress: Progress,
): Promise<void> {
  for (const size of sizes) {
    const store = openStore({ store: "sqlite", location: join(folder, `${size}.sqlite`) });
    const controlPlane = openControlPlane(store, { issuer: ISSUER, masterKey: MASTER_KEY });
    const { tenantId, userId } = await seedEstate(store, size, progress);
    const principal = await controlPlane.principalOf(tenantId, userId);
    await controlPlane.call("aiOverview.read", principal);
    const taken: number[] = [];
    for (let read = 0; read < rounds * READS; read++) {
      taken.push(await timed(() => controlPlane.call("aiOverview.read", principal)));
    }
    say(`overview of ${size.toLocaleString("en")} assets: ${median(taken).toFixed(2)} ms at the median`);
    await controlPlane.close();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Samples the memory of this process. The returned function gives the peak. */
function peak(): () => number {
  let most = 0;
  const look = () => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  const timer = setInterval(look, 50);
  return () => {
    clearInterval(timer);
    look();
    return Math.round(most / 2 ** 20);
  };
}

const rate = (events: number, milliseconds: number) => Math.round((events / milliseconds) * 1_000).toLocaleString("en");
/** How many times faster the subject is than the reference: the median of the rounds. */
const ratio = (reference: readonly number[], subject: readonly number[]) =>
  median(reference.map((one, round) => one / (subject[round] as number))).toFixed(2);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
