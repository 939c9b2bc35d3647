import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { ControlPlane, Principal } from "@reeve/core";
import { type CerbosServer, cerbosProgram, startCerbos } from "@reeve/testkit/programs";
import { burst, percentile } from "./burst.js";
import { actionsOf, type Ground, groundOf, SERVER, TOOL } from "./doors-ground.js";
import { ISSUER, MASTER_KEY, PERSON } from "./estate.js";
import { launchApart, type Running } from "./launch.js";
import { shuffled } from "./operations.js";
import { Progress } from "./progress.js";
import type { Database } from "./server.js";
import { median } from "./stats.js";
import { openControlPlane, openStore } from "./subject.js";

const USAGE = `npm run bench -- doors [options]
  --policies 50    policies in force, each with one rule
  --rounds 7       --calls 1500    decisions through each door a round, one at a time`;

const IN_PROCESS = "in process";
const CERBOS = "Cerbos 0.55.0, AuthZEN";
const OPERATION = "`POST /ai/policies/evaluate`";
/** Questions of one request by AuthZEN's batch. */
const BATCH = 10;

const subject = { type: "user", id: PERSON.username };
const resource = { type: "tool", id: TOOL, properties: { server: SERVER } };
const question = { subject, action: { name: "tools/call", properties: { arguments: { amount: 5 } } }, resource };

interface Door {
  readonly request: {
    readonly method: "GET" | "POST";
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: object;
  };
  /** What an allowed answer holds. */
  readonly allowed: string;
  readonly decisions?: number;
  readonly status?: number;
}

const post = (path: string, body: object) => ({ method: "POST" as const, path, body });
const authzen = (): Door => ({ request: post("/access/v1/evaluation", question), allowed: '"decision":true' });
/** Doors by the standard that they answer. All ask about the same tool of the same server and log each decision. */
const DOORS: Readonly<Record<string, (toolId: string) => Door>> = {
  [OPERATION]: (toolId) => ({
    request: post("/api/v1/ai/policies/evaluate", { ...question, resource: { type: "tool", id: toolId } }),
    allowed: '"allow"',
    status: 201,
  }),
  AuthZEN: authzen,
  [`AuthZEN, ${BATCH} in a batch`]: () => ({
    request: post("/access/v1/evaluations", { ...question, evaluations: Array.from({ length: BATCH }, () => ({})) }),
    allowed: '"decision":true',
    decisions: BATCH,
  }),
  "Open Policy Agent": () => ({
    request: post("/v1/data/reeve/allow", { input: question }),
    allowed: '"result":true',
  }),
  "forward auth": () => ({
    request: {
      ...{ method: "GET", path: "/forward-auth" },
      headers: { "mcp-method": "tools/call", "mcp-name": TOOL, "x-reeve-server": SERVER },
    },
    allowed: "",
  }),
  ToolHive: () => ({
    request: post("/decision", {
      principal: { sub: subject.id },
      ...{ operation: "mcp:tool:call", resource: `mrn:mcp:${SERVER}:tool:${TOOL}` },
      context: { mcp: { args: { amount: 5 } } },
    }),
    allowed: '"allow":true',
  }),
};

/**
 * Measures what one decision costs through each door beside the same decision in process, on SQLite, each decision logged.
 * Where it is installed, Cerbos answers the same question of AuthZEN by as many rules, and logs each decision to a file.
 */
export async function benchDoors(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      policies: { type: "string", default: "50" },
      rounds: { type: "string", default: "7" },
      calls: { type: "string", default: "1500" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${USAGE}\n`);
  const [policies, rounds, calls] = [values.policies, values.rounds, values.calls].map(Number) as [
    number,
    number,
    number,
  ];
  const folder = mkdtempSync(join(tmpdir(), "reeve-bench-doors-"));
  const progress = new Progress();
  const served: Database = { store: "sqlite", location: join(folder, "served.sqlite") };
  const own: Database = { store: "sqlite", location: join(folder, "own.sqlite") };
  progress.at("putting policies in force");
  const [far, near] = [await groundOf(served, policies), await groundOf(own, policies)];
  const server = await launchApart({
    ...{ kind: "reeve", framework: "fastify", database: served, issuer: ISSUER, masterKey: MASTER_KEY },
    doors: true,
  });
  const controlPlane = openControlPlane(openStore(own), { issuer: ISSUER, masterKey: MASTER_KEY });
  let cerbos: CerbosServer | undefined;
  try {
    cerbos = await cerbosBy(policies);
    const caller = await controlPlane.principalOf(near.tenantId, near.userId);
    const ways: Record<string, () => Promise<number>> = {
      [IN_PROCESS]: () => askInProcess(controlPlane, caller, near.toolId, calls),
    };
    for (const [name, doorOf] of Object.entries(DOORS))
      ways[name] = async () => {
        const door = doorOf(far.toolId);
        const decisions = door.decisions ?? 1;
        return (await askThrough(server, far, door, Math.ceil(calls / decisions))) / decisions;
      };
    const peer = cerbos;
    if (peer) ways[CERBOS] = () => askThrough(peer, far, authzen(), calls);
    for (const way of Object.values(ways)) await way();
    const taken = new Map(Object.keys(ways).map((name) => [name, [] as number[]]));
    for (let round = 1; round <= rounds; round += 1) {
      for (const name of shuffled(Object.keys(ways)))
        taken.get(name)?.push(await (ways[name] as () => Promise<number>)());
      progress.at(`round ${round} of ${rounds}`);
    }
    const base = taken.get(IN_PROCESS) as number[];
    process.stdout.write(`${policies} policies, medians of ${rounds} rounds of ${calls} decisions, one at a time\n\n`);
    process.stdout.write("| Door | p50 of a decision, ms | Beside in process |\n| --- | --- | --- |\n");
    for (const [name, some] of taken) {
      const ratio = median(some.map((one, round) => one / (base[round] as number)));
      process.stdout.write(`| ${name} | ${median(some).toFixed(2)} | ${ratio.toFixed(1)} |\n`);
    }
  } finally {
    await cerbos?.stop();
    await server.close();
    await controlPlane.close();
    rmSync(folder, { recursive: true });
  }
}

/** Cerbos with a rule for each of the policies. */
async function cerbosBy(policies: number): Promise<CerbosServer | undefined> {
  const { path, note } = cerbosProgram();
  if (path) return startCerbos(path, { tool: actionsOf(policies).map((name) => ({ actions: [name] })) });
  process.stderr.write(`Cerbos${note}\n`);
  return undefined;
}

/** The middle time of a decision in this process, in milliseconds. */
async function askInProcess(controlPlane: ControlPlane, caller: Principal, toolId: string, calls: number) {
  const times: number[] = [];
  for (let count = 0; count < calls; count += 1) {
    const started = performance.now();
    const { decision } = await controlPlane.decide(caller, { ...question, resource: { type: "tool", id: toolId } });
    times.push(performance.now() - started);
    if (!decision) throw new Error("denied where a permission was due");
  }
  return percentile(
    times.sort((a, b) => a - b),
    0.5,
  );
}

/** The middle time of a request through a door, in milliseconds. */
async function askThrough(
  { url, pid }: Pick<Running, "url" | "pid">,
  { token }: Ground,
  { request, allowed, status = 200 }: Door,
  requests: number,
) {
  const { body, ...rest } = request;
  const headers = {
    ...{ ...request.headers, authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const { p50 } = await burst({
    ...{ url, pid, connections: 1, length: { requests }, expected: status },
    requests: () => [
      {
        ...{ ...rest, headers, verifyBody: (text: string) => text.includes(allowed) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
    ],
  });
  return p50;
}
