import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { ControlPlane, Principal } from "@reeve/core";
import { type BurstResult, burst } from "./burst.js";
import { ISSUER, MASTER_KEY, PERSON } from "./estate.js";
import { launchApart, type Running } from "./launch.js";
import { Progress } from "./progress.js";
import type { Database } from "./server.js";
import { median } from "./stats.js";
import { openControlPlane, openStore } from "./subject.js";

const USAGE = `npm run bench -- hooks [options]
  --policies 50     policies in force, each with one rule
  --flight 16       calls in flight, each of a session of its own
  --rounds 7        --calls 1600    calls a round`;

const COMMAND = "npm test";

/** Measures how long a coding agent waits for the decision about a call, over loopback, on SQLite, each decision logged. */
export async function benchHooks(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      policies: { type: "string", default: "50" },
      flight: { type: "string", default: "16" },
      rounds: { type: "string", default: "7" },
      calls: { type: "string", default: "1600" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${USAGE}\n`);
  const [policies, flight, rounds, calls] = [values.policies, values.flight, values.rounds, values.calls].map(
    Number,
  ) as [number, number, number, number];
  const folder = mkdtempSync(join(tmpdir(), "reeve-bench-hooks-"));
  const database: Database = { store: "sqlite", location: join(folder, "reeve.sqlite") };
  const progress = new Progress();
  let server: Running | undefined;
  try {
    progress.at("enrolling an installation");
    const credential = await seed(database, policies);
    server = await launchApart({
      kind: "reeve",
      framework: "fastify",
      database,
      issuer: ISSUER,
      masterKey: MASTER_KEY,
    });
    const round = (requests: number) => asked(server as Running, credential, flight, requests);
    await round(calls);
    const taken: BurstResult[] = [];
    for (let at = 1; at <= rounds; at += 1) {
      taken.push(await round(calls));
      progress.at(`round ${at} of ${rounds}`);
    }
    const middle = (of: "rps" | "p50" | "p95" | "p99") => median(taken.map((one) => one[of]));
    process.stdout.write(
      `a hook by ${policies} policies, ${flight} in flight, medians of ${rounds} rounds of ${calls} calls: ` +
        `p50 ${middle("p50").toFixed(1)} ms, p95 ${middle("p95").toFixed(1)} ms, p99 ${middle("p99").toFixed(1)} ms, ` +
        `${Math.round(middle("rps"))} a second\n`,
    );
  } finally {
    await server?.close();
    rmSync(folder, { recursive: true });
  }
}

/** Each connection asks as a session of its own. An answer that is no permission is an error. */
function asked({ url, pid }: Running, credential: string, flight: number, requests: number): Promise<BurstResult> {
  let connection = 0;
  return burst({
    ...{ url, pid, connections: flight, length: { requests }, expected: 200 },
    requests: () => {
      connection += 1;
      const question = {
        ...{ hook_event_name: "PreToolUse", session_id: `session-${connection}`, cwd: "/srv/shop" },
        ...{ tool_name: "Bash", tool_input: { command: COMMAND } },
      };
      const headers = { authorization: `Bearer ${credential}`, "content-type": "application/json" };
      const verifyBody = (body: string) => body.includes('"allow"');
      const request = { method: "POST" as const, path: "/api/v1/hooks/claude-code", headers };
      return [{ ...request, body: JSON.stringify(question), verifyBody }];
    },
  });
}

/** A tenant with one installation whose agent may run one command. Returns the credential. */
async function seed(database: Database, policies: number): Promise<string> {
  const controlPlane = openControlPlane(openStore(database), { issuer: ISSUER, masterKey: MASTER_KEY });
  try {
    const registered = await controlPlane.call("registration.register", undefined, {
      body: { organization: "Bench", ...PERSON },
    });
    const owner = await controlPlane.principalOf(registered.tenantId, registered.userId);
    await putInForce(controlPlane, owner, policies);
    const agent = await controlPlane.call("aiAgents.create", owner, { body: { name: "Coder" } });
    const tool = await controlPlane.call("aiTools.create", owner, {
      body: { name: "Shell", toolName: "Bash", origin: "builtin" },
    });
    await controlPlane.call("aiAgents.replace", owner, { params: { id: agent.id }, body: { toolIds: [tool.assetId] } });
    const { code } = await controlPlane.call("installationCodes.create", owner, { body: { agentId: agent.assetId } });
    const enrolled = await controlPlane.call("installations.enrol", undefined, {
      body: { code, client: "claude-code" },
    });
    return enrolled.credential;
  } finally {
    await controlPlane.close();
  }
}

/** One policy that permits the command among others that say something else. Another person puts them in force. */
async function putInForce(controlPlane: ControlPlane, owner: Principal, policies: number): Promise<void> {
  const second = await controlPlane.call("users.create", owner, {
    body: { username: "second@reeve.example", password: PERSON.password, name: "Second", roles: ["admin"] },
  });
  const admin = await controlPlane.principalOf(owner.tenantId, second.id);
  for (let at = 0; at < policies; at += 1) {
    const command = at === policies - 1 ? COMMAND : `other-${at}`;
    const properties = { tool: "Bash", arguments: { command } };
    const { id } = await controlPlane.call("aiPolicies.create", owner, {
      body: {
        ...{ key: `bench-${at}`, name: `Bench ${at}` },
        rules: [
          { key: "r0", effect: "allow", if: `action.properties.arguments.command == "${command}"`, message: "It may." },
        ],
        tests: [{ name: "t", input: { action: { name: "tools/call", properties } }, expect: "allow" }],
      },
    });
    await controlPlane.call("aiPolicies.replace", admin, { params: { id }, body: { status: "active" }, ifMatch: 1 });
  }
}
