import { parseArgs } from "node:util";
import { createPostgresStore, type PostgresStoreOptions } from "@reeve/store-postgres";
import { burst } from "./burst.js";
import { ISSUER, MASTER_KEY, PERSON, seedAssets } from "./estate.js";
import { launchApart, type Running } from "./launch.js";
import { Mover } from "./mover.js";
import { type Operation, operationNamed, type Scene, shuffled } from "./operations.js";
import { Progress } from "./progress.js";
import { median } from "./stats.js";
import { openControlPlane } from "./subject.js";

const BESIDE_USAGE = `npm run bench -- beside --on <name>=<options> --on <name>=<options> [options]
  --on one='{"url":"postgres://…"}'   an empty database, with options of the store in JSON; what follows the first is
                               compared with it; "distribute":true distributes its tables, "copyOf":"<name>" has the
                               rows of that one, as a pooler or a standby beside it has
  --operations create,read,list,search
  --clients 4                  keep-alive connections, each of a tenant of its own
  --assets 200                 assets of each tenant
  --rounds 7  --seconds 2      bursts of each database, in turn, and how long one is`;

type On = Partial<PostgresStoreOptions> & {
  readonly url: string;
  readonly distribute?: boolean;
  readonly copyOf?: string;
};

interface Place {
  readonly name: string;
  readonly server: Running;
  readonly scenes: readonly Scene[];
}

/** Measures one process of Reeve on databases that somebody else has started, beside the first of them. */
export async function benchBeside(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      on: { type: "string", multiple: true, default: [] },
      operations: { type: "string", default: "create,read,list,search" },
      clients: { type: "string", default: "4" },
      assets: { type: "string", default: "200" },
      rounds: { type: "string", default: "7" },
      seconds: { type: "string", default: "2" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help || values.on.length < 2) return void process.stdout.write(`${BESIDE_USAGE}\n`);
  const operations = values.operations.split(",").map(operationNamed);
  const [clients, assets, rounds, seconds] = [values.clients, values.assets, values.rounds, values.seconds].map(
    Number,
  ) as [number, number, number, number];
  const progress = new Progress();
  const places: Place[] = [];
  try {
    for (const text of values.on) places.push(await placeOf(text, places, clients, assets, progress));
    const names = places.map(({ name }) => name);
    say(`| Operation | ${names.map((name) => `${name}, a second`).join(" | ")} | ${names.slice(1).join(" | ")} |`);
    for (const operation of operations) {
      const rates = places.map((): number[] => []);
      for (let round = 0; round <= rounds; round++) {
        for (const place of shuffled(places)) {
          progress.at(`${operation.name}: ${place.name}, round ${round} of ${rounds}`);
          const rate = await rateOf(place, operation, seconds);
          // The first round warms up.
          if (round > 0) rates[places.indexOf(place)]?.push(rate);
        }
      }
      const [first = [], ...others] = rates;
      const ratios = others.map((each) => median(each.map((rate, at) => rate / (first[at] as number))).toFixed(2));
      say(
        `| ${operation.name} | ${rates.map((each) => median(each).toFixed(0)).join(" | ")} | ${ratios.join(" | ")} |`,
      );
    }
  } finally {
    for (const { server } of places) await server.close();
  }
}

/** Starts a server on a database, which is seeded before, or has the rows of another one. */
async function placeOf(
  text: string,
  places: readonly Place[],
  clients: number,
  assets: number,
  progress: Progress,
): Promise<Place> {
  const [, name = "", json = "{}"] = /^(\w+)=(.*)$/s.exec(text) ?? [];
  const { distribute = false, copyOf, ...options } = JSON.parse(json) as On;
  const original = places.find((place) => place.name === copyOf);
  if (copyOf !== undefined && !original) throw new Error(`${name} is a copy of ${copyOf}, which is not there`);
  const scenes = original?.scenes ?? (await seeded(options, distribute, clients, assets, progress));
  const database = { store: "postgres", location: options.url, options } as const;
  const config = { kind: "reeve", framework: "fastify", database, issuer: ISSUER, masterKey: MASTER_KEY } as const;
  return { name, server: await launchApart(config), scenes };
}

async function seeded(
  options: PostgresStoreOptions,
  distribute: boolean,
  tenants: number,
  assets: number,
  progress: Progress,
): Promise<Scene[]> {
  const store = createPostgresStore(options);
  await store.migrate();
  if (distribute) await store.cluster.distribute(({ table }) => progress.at(`distributing ${table}`));
  const controlPlane = openControlPlane(store, { issuer: ISSUER, masterKey: MASTER_KEY });
  const scenes: Scene[] = [];
  for (let at = 0; at < tenants; at++) {
    const person = { ...PERSON, username: `${at}.${PERSON.username}` };
    const ids = await controlPlane.call("registration.register", undefined, {
      body: { organization: `Bench ${at}`, ...person },
    });
    const estate = { ...ids, size: assets, ...(await seedAssets(store, ids, assets, progress)) };
    const { token } = await controlPlane.call("auth.signIn", undefined, { body: person });
    scenes.push({ estate, token, mover: new Mover(estate.moves) });
  }
  await store.close();
  return scenes;
}

/** Answers a second of all clients together. */
async function rateOf({ server, scenes }: Place, operation: Operation, seconds: number): Promise<number> {
  const { url, pid } = server;
  const { expected } = operation;
  const results = await Promise.all(
    scenes.map((scene) =>
      burst({ url, pid, connections: 1, length: { seconds }, requests: () => operation.requests(scene), expected }),
    ),
  );
  return results.reduce((sum, { rps }) => sum + rps, 0);
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
