import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import type { ControlPlane, Principal } from "@reeve/core";
import { createPostgresStore } from "@reeve/store-postgres";
import { createDatabase, startPostgres } from "@reeve/testkit/postgres";
import { percentile } from "./burst.js";
import { ISSUER, MASTER_KEY, PERSON } from "./estate.js";
import { median } from "./stats.js";
import { openControlPlane } from "./subject.js";

const HOT_TENANT_USAGE = `npm run bench -- hot-tenant [options]
  --delay 5           how long each flush of the log takes, in ms
  --clients 64        creates under way at any time, in one tenant or spread over all
  --tenants 16        tenants that the one is measured beside
  --pool 10           connections of the store
  --rounds 5          rounds, in each of which both are measured in turn
  --seconds 2         length of each measurement`;

/** Creates a second, and how long one took, in ms. */
interface Measured {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
}

/** Measures creates of one busy tenant beside those of many, on a PostgreSQL whose commits are slow. */
export async function benchHotTenant(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      delay: { type: "string", default: "5" },
      clients: { type: "string", default: "64" },
      tenants: { type: "string", default: "16" },
      pool: { type: "string", default: "10" },
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "2" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${HOT_TENANT_USAGE}\n`);
  const [clients, tenants] = [Number(values.clients), Number(values.tenants)];
  // The server sleeps before it flushes, and others may share the flush meanwhile: a slow disk in all that matters here.
  const slow = { commit_delay: Number(values.delay) * 1_000, commit_siblings: 0 };
  const server = await startPostgres({ settings: { fsync: "on", synchronous_commit: "on", ...slow } });
  try {
    const { url } = await createDatabase(server.url());
    const store = createPostgresStore({ url, poolSize: Number(values.pool) });
    await store.migrate();
    const controlPlane = openControlPlane(store, { issuer: ISSUER, masterKey: MASTER_KEY });
    const principals: Principal[] = [];
    for (let at = 0; at < tenants; at += 1) principals.push(await owner(controlPlane, at));
    const load = (among: readonly Principal[], seconds: number) => creates(controlPlane, among, clients, seconds);
    for (const among of [principals.slice(0, 1), principals]) await load(among, 1);
    const [one, many]: [Measured[], Measured[]] = [[], []];
    for (let round = 0; round < Number(values.rounds); round += 1) {
      const sides = [
        () => load(principals.slice(0, 1), Number(values.seconds)),
        () => load(principals, Number(values.seconds)),
      ];
      const order = round % 2 === 0 ? [0, 1] : [1, 0];
      for (const side of order) (side === 0 ? one : many).push(await (sides[side] as () => Promise<Measured>)());
    }
    await controlPlane.close();
    say(`| 1 | ${row(one)} |`);
    say(`| ${tenants} | ${row(many)} |`);
    const ratios = one.map(({ rate }, at) => rate / (many[at] as Measured).rate);
    say(`ratio ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(", ")})`);
  } finally {
    await server.stop();
  }
}

async function owner(controlPlane: ControlPlane, at: number): Promise<Principal> {
  const body = { organization: `Bench ${at}`, ...PERSON, username: `bench-${at}@reeve.example` };
  const { tenantId, userId } = await controlPlane.call("registration.register", undefined, { body });
  return controlPlane.principalOf(tenantId, userId);
}

async function creates(
  controlPlane: ControlPlane,
  principals: readonly Principal[],
  clients: number,
  seconds: number,
): Promise<Measured> {
  const times: number[] = [];
  const started = performance.now();
  const end = started + seconds * 1_000;
  const client = async (at: number) => {
    const principal = principals[at % principals.length] as Principal;
    for (let before = performance.now(); before < end; before = performance.now()) {
      await controlPlane.call("aiAssets.create", principal, { body: { name: "Asset", assetType: "application" } });
      times.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, at) => client(at)));
  const rate = (times.length / (performance.now() - started)) * 1_000;
  times.sort((a, b) => a - b);
  return { rate, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

function row(all: readonly Measured[]): string {
  const middle = (of: keyof Measured) => median(all.map((measured) => measured[of]));
  return [middle("rate").toFixed(0), middle("p50").toFixed(0), middle("p99").toFixed(0)].join(" | ");
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
