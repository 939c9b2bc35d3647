import { freePort } from "../../../postgres/free-port.js";
import { withContext } from "../../calls.js";
import { type Bench, soon } from "../bench.js";
import type { ConformanceCase } from "../case.js";
import { invoke, type MethodCall } from "../methods.js";

/** What becomes of calls to a target that is not there, hangs, or must not be called. */
export const failureCases: readonly ConformanceCase[] = [
  {
    name: "a target that cannot be reached is a failure that may pass, of every method that calls it",
    async run(bench) {
      const at = { host: "127.0.0.1", port: await freePort() };
      for (const method of await callingTarget(bench)) {
        const classes = method.write ? (["transient", "outcome_unknown"] as const) : (["transient"] as const);
        await bench.failsAs(classes, bench.make(method, bench.calls({ at })), method.name);
      }
    },
  },
  {
    name: "nothing is reached but through the context",
    async run(bench) {
      for (const method of await callingTarget(bench)) {
        bench.relay.disturb();
        const call = bench.make(method, bench.calls({ allow: [] }));
        await call.catch(() => undefined);
        if (bench.relay.connections > 0) throw new Error(`${method.name} reached a target that is not allowed`);
        await bench.failsAs(["config"], call, method.name);
      }
    },
  },
  {
    name: "a call that is given up ends soon, and closes its connections",
    async run(bench) {
      for (const method of await callingTarget(bench)) await giveUp(bench, method);
    },
  },
  {
    name: "no connection stays open after a call",
    async run(bench) {
      for (const method of bench.methods) {
        await bench.ready(method);
        await bench.make(method);
        await soon(bench.relay.idle(), `${method.name} left a connection open`);
      }
    },
  },
];

/** Methods that call the target. One with fixed answers need not. */
async function callingTarget(bench: Bench): Promise<readonly MethodCall[]> {
  const calling: MethodCall[] = [];
  for (const method of bench.methods) {
    await bench.ready(method);
    await bench.make(method);
    if (bench.relay.connections > 0) calling.push(method);
  }
  await bench.reset();
  return calling;
}

async function giveUp(bench: Bench, method: MethodCall): Promise<void> {
  bench.relay.disturb({ silent: true });
  const leaving = new AbortController();
  let settled: Promise<unknown> = Promise.resolve();
  const call = withContext(
    bench.connector,
    bench.parts(),
    (ctx) => {
      const work = invoke(bench.connector, ctx, method);
      settled = work.catch(() => undefined);
      return work;
    },
    { signal: leaving.signal, capability: method.capability },
  );
  call.catch(() => undefined);
  await soon(Promise.race([bench.relay.connected(), call.catch(() => undefined)]), `${method.name} calls nothing`);
  leaving.abort();
  await bench.failureOf(call, method.name);
  await soon(settled, `${method.name} went on after its signal`);
  await soon(bench.relay.idle(), `${method.name} left a connection open after its signal`);
}
