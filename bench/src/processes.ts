import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Contender } from "./contender.js";
import { type Ground, type Grounds, postgresGrounds, sqliteGrounds } from "./grounds.js";
import { launchApart } from "./launch.js";
import { operationNamed } from "./operations.js";
import { Progress } from "./progress.js";
import { median } from "./stats.js";

const PROCESSES_USAGE = `npm run bench -- processes [options]
  --processes 1,2,4            server processes of one database, each listed number in turn
  --stores sqlite,postgres     --operations read,list,create
  --connections 32             connections of all processes together
  --assets 10000               assets in the tenant
  --rounds 5  --seconds 2      bursts of each number of processes, and how long one is`;

/** Measures what further server processes of one machine add. The load comes from a process of its own beside them. */
export async function benchProcesses(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      processes: { type: "string", default: "1,2,4" },
      stores: { type: "string", default: "sqlite,postgres" },
      operations: { type: "string", default: "read,list,create" },
      connections: { type: "string", default: "32" },
      assets: { type: "string", default: "10000" },
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "2" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${PROCESSES_USAGE}\n`);
  const numbers = values.processes.split(",").map(Number);
  const operations = values.operations.split(",").map(operationNamed);
  const [connections, rounds, seconds] = [values.connections, values.rounds, values.seconds].map(Number) as [
    number,
    number,
    number,
  ];
  const progress = new Progress();
  say(`| Store | Operation | ${numbers.map((number) => `${number}, a second`).join(" | ")} |`);
  for (const store of values.stores.split(",")) {
    const grounds: Grounds =
      store === "sqlite" ? sqliteGrounds(progress, join(tmpdir(), "reeve-bench")) : await postgresGrounds(progress);
    try {
      const ground = await grounds.ground(Number(values.assets));
      const servers = await startAll(ground, Math.max(...numbers));
      for (const operation of operations) {
        const rates = numbers.map((): number[] => []);
        for (let round = 0; round <= rounds; round++) {
          for (const [at, number] of numbers.entries()) {
            progress.at(`${store}, ${operation.name}: ${number} processes, round ${round} of ${rounds}`);
            const some = servers.slice(0, number);
            const share = Math.max(1, Math.floor(connections / number));
            const results = await Promise.all(some.map((server) => server.load(operation, share, { seconds })));
            // The first round warms up.
            if (round > 0) rates[at]?.push(results.reduce((sum, { rps }) => sum + rps, 0));
          }
        }
        say(`| ${store} | ${operation.name} | ${rates.map((all) => median(all).toFixed(0)).join(" | ")} |`);
      }
      for (const server of servers) await server.close();
    } finally {
      await grounds.close();
    }
  }
}

async function startAll(ground: Ground, most: number): Promise<Contender[]> {
  const movers = new Map();
  const servers: Contender[] = [];
  const how = { kind: "reeve", framework: "fastify" } as const;
  for (let at = 0; at < most; at++) servers.push(await Contender.start(launchApart, how, ground, movers));
  return servers;
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
