import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { whileAwake } from "./awake.js";
import { type Comparison, compare, lengthOf } from "./compare.js";
import { Contender } from "./contender.js";
import type { LaunchGuards } from "./far-guards.js";
import { type Ground, type Grounds, postgresGrounds, sqliteGrounds } from "./grounds.js";
import { type Growth, measureGrowth } from "./growth.js";
import { type IdentityFigures, measureIdentity } from "./identity.js";
import { type ImportFigures, measureImport } from "./import.js";
import type { Launch } from "./launch.js";
import { describeMachine, type Machine } from "./machine.js";
import { type McpFigures, measureMcp } from "./mcp.js";
import type { LaunchMcp } from "./mcp-launch.js";
import type { Mover } from "./mover.js";
import { operations } from "./operations.js";
import type { BenchOptions } from "./options.js";
import type { Progress } from "./progress.js";
import type { ServerConfig } from "./server.js";
import { measureSessions, type SessionFigures } from "./sessions.js";
import { measureStandalone, type StandaloneFigures } from "./standalone.js";
import { compareStore, type StoreComparison } from "./store-operations.js";
import { warmUp } from "./warm-up.js";

/** The parts that need seeded databases. */
const SEEDED = ["http", "store", "growth", "identity", "sessions"];

type StoreName = BenchOptions["stores"][number];
type Framework = ServerConfig["framework"];

export interface Results {
  readonly date: string;
  readonly machine: Machine;
  readonly options: Omit<BenchOptions, "results">;
  readonly http: readonly (Comparison & {
    readonly store: StoreName;
    readonly size: number;
    readonly framework: Framework;
  })[];
  readonly store: readonly (StoreComparison & { readonly kind: StoreName; readonly size: number })[];
  readonly growth: readonly (Growth & { readonly store: StoreName; readonly sizes: readonly [number, number] })[];
  readonly identity: readonly (IdentityFigures & { readonly store: StoreName })[];
  readonly sessions: readonly (SessionFigures & { readonly store: StoreName })[];
  readonly imports: readonly (ImportFigures & { readonly store: StoreName })[];
  readonly mcp: readonly (McpFigures & { readonly store: StoreName })[];
  readonly standalone: StandaloneFigures | undefined;
}

/** How processes are started. */
export interface Launches {
  readonly server: Launch;
  readonly guards: LaunchGuards;
  readonly mcp: LaunchMcp;
}

type Found = Pick<Writable<Results>, "http" | "store" | "growth" | "identity" | "sessions" | "imports" | "mcp">;
type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };

/** Runs the requested measurements. `cache` is the folder of seeded SQLite files. */
export async function run(
  options: BenchOptions,
  launches: Launches,
  progress: Progress,
  cache = join(tmpdir(), "reeve-bench"),
): Promise<Results> {
  const { results: _folder, ...asked } = options;
  const found: Found = { http: [], store: [], growth: [], identity: [], sessions: [], imports: [], mcp: [] };
  let postgres: string | undefined;
  const standalone = options.parts.includes("process") ? await processPart(options, progress) : undefined;
  for (const name of options.stores) {
    progress.done(`${name}:`);
    const grounds = name === "sqlite" ? sqliteGrounds(progress, cache) : await postgresGrounds(progress);
    if ("version" in grounds) postgres = grounds.version as string;
    try {
      await storePart(name, grounds, options, launches, progress, found);
      if (options.parts.includes("mcp")) {
        progress.at(`${name}: scans of an MCP server`);
        const ground = await grounds.ground(options.sizes[0] as number);
        found.mcp.push({ ...(await measureMcp(ground, options, launches.mcp)), store: name });
      }
    } finally {
      await grounds.close();
    }
  }
  return { date: new Date().toISOString(), machine: describeMachine(postgres), options: asked, ...found, standalone };
}

async function storePart(
  name: StoreName,
  grounds: Grounds,
  options: BenchOptions,
  { server: launch, guards }: Launches,
  progress: Progress,
  found: Found,
): Promise<void> {
  if (options.parts.includes("import")) {
    found.imports.push({ ...(await measureImport(grounds, options, progress)), store: name });
    progress.done(`${name}: import measured`);
  }
  if (!options.parts.some((part) => SEEDED.includes(part))) return;
  const seeded = new Map<number, { ground: Ground; movers: Map<string, Mover> }>();
  for (const size of options.sizes) seeded.set(size, { ground: await grounds.ground(size), movers: new Map() });
  const [smallest, largest] = [options.sizes[0] as number, options.sizes.at(-1) as number];
  // Runs first, while both databases are as seeded.
  if (options.parts.includes("growth") && smallest !== largest) {
    const start = async (size: number) => {
      const { ground, movers } = seeded.get(size) as { ground: Ground; movers: Map<string, Mover> };
      return {
        size,
        contender: await Contender.start(launch, { kind: "reeve", framework: "fastify" }, ground, movers),
      };
    };
    const [small, large] = [await start(smallest), await start(largest)];
    const measured = await whileAwake(options.awake, () => measureGrowth(small, large, options, progress));
    for (const growth of measured) {
      found.growth.push({ ...growth, store: name, sizes: [smallest, largest] });
    }
    await small.contender.close();
    await large.contender.close();
    progress.done(`${name}: growth from ${smallest} to ${largest} measured`);
  }
  if (options.parts.includes("identity")) {
    progress.at(`${name}: tokens and sign-in`);
    const { ground } = seeded.get(smallest) as { ground: Ground };
    found.identity.push({ ...(await measureIdentity(ground, options)), store: name });
  }
  if (options.parts.includes("sessions")) {
    progress.at(`${name}: sessions`);
    const { ground } = seeded.get(smallest) as { ground: Ground };
    found.sessions.push({ ...(await measureSessions(ground, options, guards)), store: name });
  }
  for (const [size, { ground, movers }] of seeded) {
    if (options.parts.includes("store")) {
      progress.at(`${name}, ${size}: store beside driver`);
      for (const one of await compareStore(ground, options)) found.store.push({ ...one, kind: name, size });
    }
    if (!options.parts.includes("http")) continue;
    for (const framework of options.frameworks.filter((each) => size === smallest || each === "fastify")) {
      const label = `${name}, ${size.toLocaleString("en")} assets, ${framework}`;
      for (const one of await httpPart(label, framework, ground, movers, options, launch, progress)) {
        found.http.push({ ...one, store: name, size, framework });
      }
      progress.done(`${label} measured`);
    }
  }
}

async function httpPart(
  label: string,
  framework: Framework,
  ground: Ground,
  movers: Map<string, Mover>,
  options: BenchOptions,
  launch: Launch,
  progress: Progress,
): Promise<Comparison[]> {
  const contenders: Contender[] = [];
  try {
    for (const kind of ["reeve", "dto", "text"] as const) {
      contenders.push(await Contender.start(launch, { kind, framework }, ground, movers));
    }
    const found: Comparison[] = [];
    for (const operation of operations) {
      if (options.operations && !options.operations.includes(operation.name)) continue;
      // Both hand-written servers write in the same way.
      const rivals = contenders.filter(({ kind }) => kind !== "text" || !(operation.writes || operation.beside));
      await whileAwake(options.awake && !operation.writes, async () => {
        for (const contender of rivals) await warmUp(contender, operation, options.connections.at(-1) ?? 2, options);
        for (const connections of options.connections) {
          progress.at(`${label}: ${operation.name} at ${connections} connections`);
          found.push(
            await compare(operation, rivals, { connections, rounds: options.rounds, length: lengthOf(options) }),
          );
        }
      });
      await sleep(100);
    }
    return found;
  } finally {
    for (const contender of contenders) await contender.close();
  }
}

async function processPart(options: BenchOptions, progress: Progress): Promise<StandaloneFigures | undefined> {
  progress.at("starting the standalone server");
  const figures = await measureStandalone(options.rounds, options.seconds);
  progress.done(figures ? "standalone server measured" : "the standalone server is not built: not measured");
  return figures;
}
