import { mkdtempSync, rmSync } from "node:fs";
import { getPriority, setPriority, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createDatabase, startPostgres } from "@reeve/testkit/postgres";
import { percentile } from "./burst.js";
import { type Kind, mixedLoad, prepareTenants, SHARES, type Tenant, type Times } from "./mixed-load.js";
import { type Prober, startProber } from "./prober.js";
import { Progress } from "./progress.js";
import type { Database } from "./server.js";
import { medianOf } from "./stats.js";
import { startWatched, type WatchedServer } from "./watched-server.js";

const PROGRAM = fileURLToPath(new URL("../../packages/server/dist/reeve.js", import.meta.url));

/** How much nicer the load is than the server. */
const NICER = 5;

const USAGE = `npm run bench -- event-loop [options]
  --store sqlite               sqlite, postgres
  --against <program>          a reeve.js of another build, measured in turn with this one
  --connections 32             connections that stay open
  --tenants 8  --assets 200    tenants, and assets in each
  --rates closed               requests a second, by commas; closed: each connection asks again at once
  --rounds 5  --seconds 20     rounds, in each of which every side is measured in turn, and how long one is
  --profile                    has the server of this build write a CPU profile to the working folder`;

/** What one round showed, by name. */
type Figures = Readonly<Record<string, number>>;

interface Side {
  readonly name: string;
  readonly server: WatchedServer;
  readonly tenants: readonly Tenant[];
  /** By rate. */
  readonly rounds: Map<string, Figures[]>;
}

/** Loads the standalone server with a mix of requests, and measures how long its event loop is held meanwhile. */
export async function benchEventLoop(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      store: { type: "string", default: "sqlite" },
      against: { type: "string" },
      connections: { type: "string", default: "32" },
      tenants: { type: "string", default: "8" },
      assets: { type: "string", default: "200" },
      rates: { type: "string", default: "closed" },
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "20" },
      profile: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${USAGE}\n`);
  const store = values.store === "postgres" ? "postgres" : "sqlite";
  const programs: [name: string, program: string][] = [["this build", PROGRAM]];
  if (values.against !== undefined) programs.unshift(["the other", resolve(values.against)]);
  const folder = mkdtempSync(join(tmpdir(), "reeve-bench-loop-"));
  const progress = new Progress();
  const sides: Side[] = [];
  const prober = startProber();
  // Writes wait for the disk in earnest.
  const databases =
    store === "postgres"
      ? await startPostgres({ settings: { fsync: "on", synchronous_commit: "on", full_page_writes: "on" } })
      : undefined;
  try {
    for (const [name, program] of programs) {
      progress.at(`starting ${name}`);
      const own = join(folder, `${sides.length}`);
      const database: Database = databases
        ? { store, location: (await createDatabase(databases.url())).url }
        : { store, location: join(own, "reeve.sqlite") };
      const flags = values.profile && program === PROGRAM ? ["--cpu-prof", `--cpu-prof-dir=${process.cwd()}`] : [];
      const server = await startWatched(program, database, own, flags);
      sides.push({ name, server, tenants: [], rounds: new Map() });
      const tenants = await prepareTenants(server.url, Number(values.tenants), Number(values.assets));
      sides[sides.length - 1] = { name, server, tenants, rounds: new Map() };
    }
    // The server goes first, so that the load does not keep it from a core.
    setPriority(getPriority() + NICER);
    const rates = values.rates.split(",");
    const load = { connections: Number(values.connections), seconds: Number(values.seconds) };
    for (const side of sides) await measure(side, prober, { ...load, seconds: Math.min(10, load.seconds) });
    for (let round = 1; round <= Number(values.rounds); round += 1) {
      for (const rate of rates) {
        for (const side of round % 2 === 0 ? sides : [...sides].reverse()) {
          progress.at(`round ${round} of ${values.rounds}: ${side.name}, ${rate}`);
          const figures = await measure(side, prober, {
            ...load,
            ...(rate === "closed" ? {} : { rate: Number(rate) }),
          });
          const taken = side.rounds.get(rate) ?? [];
          side.rounds.set(rate, [...taken, figures]);
        }
      }
    }
    for (const rate of rates) report(rate, sides);
  } finally {
    await prober.close();
    for (const { server } of sides) await server.stop();
    await databases?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  { server, tenants }: Side,
  prober: Prober,
  load: { readonly connections: number; readonly seconds: number; readonly rate?: number },
): Promise<Figures> {
  await server.delay();
  const [before, from] = [server.mainThread(), performance.now()];
  prober.begin(server.probes);
  const times = await mixedLoad({ url: server.url, tenants, ...load });
  const took = performance.now() - from;
  const [after, delay, probed] = [server.mainThread(), await server.delay(), await prober.end()];
  const all = Object.values(times).flat();
  return {
    "requests a second": (all.length / took) * 1_000,
    ...answersOf(times),
    "loop p99 by its metrics": delay.told,
    ...ofDelays("loop", delay.late),
    ...ofDelays("loop, own", delay.own),
    ...Object.fromEntries(Object.entries(probed).map(([path, ms]) => [`${path} p99`, ms])),
    "main thread, of each request": (after.ran - before.ran) / all.length,
    "main thread on a core, %": ((after.ran - before.ran) / took) * 100,
    "main thread without one, %": ((after.waited - before.waited) / took) * 100,
  };
}

const ofDelays = (name: string, sorted: readonly number[]): Figures => ({
  [`${name} p50`]: percentile(sorted, 0.5),
  [`${name} p99`]: percentile(sorted, 0.99),
  [`${name} max`]: sorted.at(-1) ?? Number.NaN,
});

function answersOf(times: Times): Figures {
  const figures: Record<string, number> = {};
  for (const kind of Object.keys(SHARES) as Kind[]) {
    const sorted = times[kind].sort((a, b) => a - b);
    figures[`${kind} p50`] = percentile(sorted, 0.5);
    figures[`${kind} p99`] = percentile(sorted, 0.99);
  }
  return figures;
}

function report(rate: string, sides: readonly Side[]): void {
  const of = ({ rounds }: Side, name: string) => (rounds.get(rate) as Figures[]).map((figures) => figures[name]);
  const names = new Set(sides.flatMap((side) => Object.keys(side.rounds.get(rate)?.[0] ?? {})));
  const rows = [...names].map((name) => [name, ...sides.map((side) => medianOf(of(side, name))?.toFixed(1) ?? "")]);
  process.stdout.write(`\n${rate === "closed" ? "Each asks again at once" : `${rate} requests a second`}\n\n`);
  const head = ["ms, if not said", ...sides.map(({ name }) => name)];
  for (const cells of [head, head.map(() => "---"), ...rows]) process.stdout.write(`| ${cells.join(" | ")} |\n`);
  const rates = sides.map((side) =>
    of(side, "requests a second")
      .map((one) => one?.toFixed(0))
      .join(", "),
  );
  process.stdout.write(`requests a second of each round: ${rates.join(" / ")}\n`);
}
