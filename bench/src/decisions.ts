import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { preparsePolicySet, statefulIsAuthorized } from "@cedar-policy/cedar-wasm/nodejs";
import { parse } from "@marcbachmann/cel-js";
import { type ControlPlane, createMemoryStore, type Principal } from "@reeve/core";
import type { Store } from "@reeve/core/store";
import { newEnforcer, newModelFromString } from "casbin";
import { ISSUER, MASTER_KEY, seedEstate, signIn } from "./estate.js";
import { shuffled } from "./operations.js";
import { Progress } from "./progress.js";
import { median } from "./stats.js";
import { openControlPlane, openStore, serveReeve } from "./subject.js";

const DECISIONS_USAGE = `npm run bench -- decisions [options]
  --policies 50    policies in force, each with one rule
  --rounds 5       --calls 500    calls of each contender a round`;

/** Decisions at once, and how many such calls of each contender a round. */
const IN_FLIGHT = 64;
const FLIGHTS = 20;

/** A way to decide the same request. Returns whether it is allowed. */
type Decide = () => boolean | Promise<boolean>;

const LIMIT = 1_000;
const AMOUNT = 120;
const BASE = "CEL, compiled";
/** Decisions until all of their code is compiled; some of it only after thousands. */
const WARM_UP = 6_000;
/** Node 20.20.2 ends within its WebAssembly after several thousand calls. */
const CEDAR = "Cedar, preparsed";

/**
 * Measures a runtime decision in process and over HTTP against tools that do less: the bare expressions, node-casbin
 * and Cedar, which read no state and write no records. All decide the same request by the same number of rules.
 */
export async function benchDecisions(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      policies: { type: "string", default: "50" },
      rounds: { type: "string", default: "5" },
      calls: { type: "string", default: "500" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${DECISIONS_USAGE}\n`);
  const [policies, rounds, calls] = [values.policies, values.rounds, values.calls].map(Number) as [
    number,
    number,
    number,
  ];
  const folder = mkdtempSync(join(tmpdir(), "reeve-bench-decisions-"));
  const progress = new Progress();
  const closing: (() => Promise<void>)[] = [];
  try {
    const contenders = await contendersOf(policies, folder, progress, closing);
    for (const [name, decide] of contenders) {
      progress.at(`warming up: ${name}`);
      await timesOf(decide, name === CEDAR ? calls : WARM_UP);
    }
    const taken = new Map(contenders.map(([name]) => [name, [] as Taken[]]));
    for (let round = 1; round <= rounds; round++) {
      for (const [name, decide] of shuffled(contenders)) taken.get(name)?.push(await timesOf(decide, calls));
      progress.at(`round ${round} of ${rounds}`);
    }
    const base = taken.get(BASE) as Taken[];
    say(`a decision by ${policies} policies, medians of ${rounds} rounds of ${calls} calls`);
    for (const [name, some] of taken) {
      const ratio = median(some.map(({ p50 }, round) => p50 / (base[round] as Taken).p50));
      const [p50, p99] = [median(some.map((one) => one.p50)), median(some.map((one) => one.p99))];
      say(`${name}: p50 ${micro(p50)}, p99 ${micro(p99)}, ${ratio.toFixed(1)} times ${BASE}`);
    }
    for (const [name, decide] of contenders.filter(([each]) => each.startsWith("decide"))) {
      const rates: number[] = [];
      for (let round = 0; round < rounds; round++) rates.push(await rateOf(decide));
      say(`${name}: ${Math.round(median(rates)).toLocaleString("en")} a second with ${IN_FLIGHT} in flight`);
    }
  } finally {
    for (const close of closing) await close();
    rmSync(folder, { recursive: true });
  }
}

/** Decisions a second with as many in flight. */
async function rateOf(decide: Decide): Promise<number> {
  const started = performance.now();
  let left = IN_FLIGHT * FLIGHTS;
  const one = async () => {
    while (left-- > 0) await decide();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, one));
  return (IN_FLIGHT * FLIGHTS * 1_000) / (performance.now() - started);
}

interface Taken {
  readonly p50: number;
  readonly p99: number;
}

async function timesOf(decide: Decide, calls: number): Promise<Taken> {
  const times: number[] = [];
  for (let call = 0; call < calls; call++) {
    const started = performance.now();
    const allowed = await decide();
    times.push(performance.now() - started);
    if (!allowed) throw new Error("what every contender must allow was denied");
  }
  times.sort((one, other) => one - other);
  return { p50: median(times), p99: times[Math.ceil(times.length * 0.99) - 1] as number };
}

const actions = (policies: number) => Array.from({ length: policies }, (_, at) => `act${at}`);

async function contendersOf(
  policies: number,
  folder: string,
  progress: Progress,
  closing: (() => Promise<void>)[],
): Promise<(readonly [name: string, decide: Decide])[]> {
  const asked = `act${policies >> 1}`;
  const inMemory = await reeve(createMemoryStore(), policies, progress);
  closing.push(() => inMemory.controlPlane.close());
  const file = join(folder, "decisions.sqlite");
  const onDisk = await reeve(openStore({ store: "sqlite", location: file }), policies, progress);
  const token = await signIn(openStore({ store: "sqlite", location: file }));
  closing.push(() => onDisk.controlPlane.close());
  const database = { store: "sqlite", location: file } as const;
  const server = await serveReeve({ framework: "fastify", database, issuer: ISSUER, masterKey: MASTER_KEY } as never);
  closing.push(() => server.close());
  const body = JSON.stringify(requestOf(onDisk.assetId, asked));
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const inProcess =
    ({ controlPlane, principal, assetId }: Reeve): Decide =>
    async () =>
      (await controlPlane.decide(principal, requestOf(assetId, asked))).decision;
  return [
    [BASE, bareExpressions(policies, asked)],
    ["node-casbin", await casbin(policies, asked)],
    [CEDAR, cedar(policies, asked)],
    ["decide, memory", inProcess(inMemory)],
    ["decide, SQLite", inProcess(onDisk)],
    [
      "HTTP, SQLite",
      async () => {
        const answer = await fetch(`${server.url}/api/v1/ai/policies/evaluate`, { method: "POST", headers, body });
        return ((await answer.json()) as { decision: boolean }).decision;
      },
    ],
  ];
}

interface Reeve {
  readonly controlPlane: ControlPlane;
  readonly principal: Principal;
  readonly assetId: string;
}

const requestOf = (assetId: string, name: string) => ({
  subject: { type: "asset", id: assetId },
  action: { name, properties: { amount: AMOUNT } },
  resource: { type: "table", id: "customers" },
});

/** A control plane with one policy per action, and an asset that asks. */
async function reeve(store: Store, policies: number, progress: Progress): Promise<Reeve> {
  const controlPlane = openControlPlane(store, { issuer: ISSUER, masterKey: MASTER_KEY });
  const { tenantId, userId } = await seedEstate(store, 10, progress);
  const principal = await controlPlane.principalOf(tenantId, userId);
  for (const name of actions(policies)) {
    const rules = [{ key: "small", effect: "allow", if: conditionOf(name), message: "Small enough." }];
    const tests = [
      { name: "small", input: { action: { name, properties: { amount: 1 } } }, expect: "allow" },
      { name: "another", input: { action: { name: "another" } }, expect: "none" },
    ];
    const configuration = { kind: "runtime", key: name, rules, tests };
    await controlPlane.call("aiGovernancePolicies.create", principal, { body: { status: "active", configuration } });
  }
  const { id } = await controlPlane.call("aiAssets.create", principal, { body: { assetType: "application" } });
  return { controlPlane, principal, assetId: id };
}

const conditionOf = (name: string) => `action.name == "${name}" && action.properties.amount < ${LIMIT}`;

function bareExpressions(policies: number, name: string): Decide {
  const programs = actions(policies).map((action) => parse(conditionOf(action)));
  const values = { action: { name, properties: { amount: BigInt(AMOUNT) } } };
  return () => programs.map((program) => program(values)).includes(true);
}

async function casbin(policies: number, name: string): Promise<Decide> {
  const model = newModelFromString(`
[request_definition]
r = sub, obj, act, amount
[policy_definition]
p = act, most
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = r.act == p.act && r.amount < p.most
`);
  const enforcer = await newEnforcer(model);
  await enforcer.addPolicies(actions(policies).map((action) => [action, String(LIMIT)]));
  return () => enforcer.enforce("someone", "customers", name, AMOUNT);
}

function cedar(policies: number, name: string): Decide {
  const texts = actions(policies).map(
    (action) => `permit(principal, action == Action::"${action}", resource) when { context.amount < ${LIMIT} };`,
  );
  const parsed = preparsePolicySet("bench", { staticPolicies: texts.join("\n") });
  if (parsed.type !== "success") throw new Error("Cedar refuses the policies");
  return () => {
    const answer = statefulIsAuthorized({
      principal: { type: "Person", id: "someone" },
      action: { type: "Action", id: name },
      resource: { type: "Table", id: "customers" },
      context: { amount: AMOUNT },
      preparsedPolicySetId: "bench",
      entities: [],
    });
    return answer.type === "success" && answer.response.decision === "allow";
  };
}

const micro = (milliseconds: number) => `${(milliseconds * 1_000).toFixed(1)} µs`;
const say = (line: string) => void process.stdout.write(`${line}\n`);
