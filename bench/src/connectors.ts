import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Clock, type ControlPlane, createMemoryStore, type Principal } from "@reeve/core";
import { defineConnector } from "@reeve/core/connectors";
import { z } from "zod";
import { ISSUER, MASTER_KEY, PERSON } from "./estate.js";
import { median } from "./stats.js";
import { openControlPlane } from "./subject.js";

const CONNECTORS_USAGE = `npm run bench -- connectors [options]
  --rounds 7          rounds, each without and with a hanging system
  --calls 200         tests of another tenant's connection in a round
  --hanging 40        tests under way of the system that hangs
  --instances 200     connections that are tested on schedule
  --ticks 20          times that all of them are due`;

const QUARTER = 900_001;

/** Measures tests of one tenant beside a system of another that hangs, and the memory of many schedules. */
export async function benchConnectors(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: "string", default: "7" },
      calls: { type: "string", default: "200" },
      hanging: { type: "string", default: "40" },
      instances: { type: "string", default: "200" },
      ticks: { type: "string", default: "20" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${CONNECTORS_USAGE}\n`);
  const [rounds, calls, hanging] = [Number(values.rounds), Number(values.calls), Number(values.hanging)];
  process.stdout.write(`${await besideHanging(rounds, calls, hanging)}\n`);
  process.stdout.write(`${await schedules(Number(values.instances), Number(values.ticks))}\n`);
}

/** A connector whose system answers after 2 ms, or never. */
const system = defineConnector({
  manifest: {
    providerKey: "bench",
    interfaceVersion: 1,
    version: "1.0.0",
    displayName: "Bench",
    category: "other",
    description: "Answers soon or never.",
    capabilities: ["test"],
  },
  configuration: z.object({ hangs: z.boolean().default(false) }),
  async testConnection({ config, signal }) {
    if (config.hangs) await once(signal, "abort");
    await sleep(2);
    return { checks: [], target: { id: "bench", name: "Bench" } };
  },
});

/** The greatest of the least 99 of 100. */
const p99 = (times: readonly number[]) =>
  [...times].sort((one, other) => one - other)[Math.ceil(times.length * 0.99) - 1] as number;

async function besideHanging(rounds: number, calls: number, hanging: number): Promise<string> {
  const controlPlane = opened();
  const [other, own] = [await tenantOf(controlPlane, "other"), await tenantOf(controlPlane, "own")];
  const quick = await connection(controlPlane, own, { name: "quick", status: "active" });
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const alone = p99(await timed(controlPlane, own, quick, calls));
    const ids = await Promise.all(
      Array.from({ length: hanging }, (_unused, at) =>
        connection(controlPlane, other, { name: `${round} ${at}`, configuration: { hangs: true } }),
      ),
    );
    const waiting = Promise.allSettled(ids.map((id) => test(controlPlane, other, id)));
    await sleep(50);
    const beside = p99(await timed(controlPlane, own, quick, calls));
    await waiting;
    ratios.push(beside / alone);
  }
  await controlPlane.close();
  return `p99 of a test beside ${hanging} that hang in another tenant: ${median(ratios).toFixed(2)} of alone, median of ${rounds} rounds`;
}

/** A clock that the bench moves on. */
class MovedClock implements Clock {
  ahead = 0;
  now = () => Date.now() + this.ahead;
}

async function schedules(instances: number, ticks: number): Promise<string> {
  const clock = new MovedClock();
  const controlPlane = opened(clock);
  const tenant = await tenantOf(controlPlane, "scheduled");
  for (let at = 0; at < instances; at += 1)
    await connection(controlPlane, tenant, { name: `connection ${at}`, status: "active" });
  const times: number[] = [];
  const memory: number[] = [];
  for (let at = 0; at < ticks; at += 1) {
    clock.ahead += QUARTER;
    const started = performance.now();
    await controlPlane.tick();
    times.push(performance.now() - started);
    memory.push(process.memoryUsage().rss / 2 ** 20);
  }
  await controlPlane.close();
  const [first = 0, last = 0] = [memory[1], memory.at(-1)];
  return `${instances} scheduled tests of 2 ms: ${median(times).toFixed(0)} ms a round, memory ${first.toFixed(0)} MiB after 2 rounds and ${last.toFixed(0)} after ${ticks}`;
}

const opened = (clock: Clock = new MovedClock()) =>
  openControlPlane(createMemoryStore(), { issuer: ISSUER, masterKey: MASTER_KEY }, { connectors: [system], clock });

async function tenantOf(controlPlane: ControlPlane, organization: string): Promise<Principal> {
  const person = { ...PERSON, username: `${organization}@bench.example` };
  const { tenantId, userId } = await controlPlane.call("registration.register", undefined, {
    body: { organization, ...person },
  });
  return controlPlane.principalOf(tenantId, userId);
}

async function connection(controlPlane: ControlPlane, principal: Principal, body: object): Promise<string> {
  const { id } = await controlPlane.call("connectorInstances.create", principal, {
    body: { providerKey: "bench", ...body },
  });
  return id;
}

const test = (controlPlane: ControlPlane, principal: Principal, id: string) =>
  controlPlane.call("integrations.runDiagnostics", principal, { params: { id }, body: {} });

async function timed(controlPlane: ControlPlane, principal: Principal, id: string, calls: number): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < calls; at += 1) {
    const started = performance.now();
    await test(controlPlane, principal, id);
    times.push(performance.now() - started);
  }
  return times;
}
