import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type ControlPlane, createMemoryStore, type Principal } from "@reeve/core";
import { defineConnector, pageOf } from "@reeve/core/connectors";
import type { Store } from "@reeve/core/store";
import { z } from "zod";
import { ISSUER, MASTER_KEY, PERSON } from "./estate.js";
import { assignment, seed } from "./seeded-access.js";
import { median } from "./stats.js";
import { openControlPlane, openStore } from "./subject.js";

const EXECUTE_USAGE = `npm run bench -- execute [options]
  --rounds 15      --calls 50     calls of each way in a round, each with a token of its own: 19 and 60 at most
  --stores memory,sqlite`;

/** Measures a call of a tool with an agent-tool token, beside the same request to its target alone. */
export async function benchExecute(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: "string", default: "15" },
      calls: { type: "string", default: "50" },
      stores: { type: "string", default: "memory,sqlite" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${EXECUTE_USAGE}\n`);
  const folder = mkdtempSync(join(tmpdir(), "reeve-bench-execute-"));
  const target = await startTarget();
  try {
    for (const kind of values.stores.split(",")) {
      const location = join(folder, `${kind}.sqlite`);
      const store = kind === "memory" ? createMemoryStore() : openStore({ store: "sqlite", location });
      const reported = await execute(store, target.url, Number(values.rounds), Number(values.calls));
      process.stdout.write(`${kind}: ${reported}\n`);
    }
  } finally {
    await target.stop();
    rmSync(folder, { recursive: true });
  }
}

/** A system that answers a note over HTTP at once. */
async function startTarget() {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "application/json").end('{"note":"Nothing new."}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const grantableTo = ["service_account"] as const;
const THING = { type: "thing", externalId: "grant 0", name: "Thing" };
const PROFILE = {
  ...{ externalId: "profile 0", resourceType: "thing", name: "Reader", permissions: ["read"], grantableTo },
  privilegeLevel: 1,
} as const;

const notes = defineConnector({
  manifest: {
    providerKey: "bench",
    interfaceVersion: 1,
    version: "1.0.0",
    displayName: "Bench",
    category: "code",
    description: "Reads a note.",
    capabilities: ["test", "resources", "profiles", "grant", "revoke", "tools"],
    resourceTypes: [
      { type: "thing", displayName: "Thing", idStability: "immutable", profileSource: "static", grantableTo },
    ],
    tools: [
      {
        name: "read_note",
        description: "Reads a note.",
        inputSchema: { type: "object", properties: { path: { type: "string" } }, additionalProperties: false },
        effect: "read",
        idempotent: true,
        requiresProfiles: [PROFILE.externalId],
      },
    ],
    expiry: "managed",
  },
  configuration: z.object({ url: z.string() }),
  testConnection: async () => ({ checks: [], target: { id: "bench", name: "Bench" } }),
  listResources: async (_ctx, _type, page) => pageOf([THING], page),
  listAccessProfiles: async (_ctx, _query, page) => pageOf([PROFILE], page),
  grant: async () => ({ outcome: "applied" }),
  revoke: async () => ({ outcome: "already_applied" }),
  executeTool: async (ctx) => ({ ok: true, output: await (await ctx.fetch(`${ctx.config.url}/note`)).json() }),
});

async function execute(store: Store, url: string, rounds: number, calls: number): Promise<string> {
  const config = { issuer: ISSUER, masterKey: MASTER_KEY };
  const controlPlane = openControlPlane(store, config, { connectors: [notes], egressAllow: ["127.0.0.1"] });
  const issue = await access(controlPlane, store, url);
  let token = "";
  const ways = {
    alone: async () => void (await (await fetch(`${url}/note`)).json()),
    governed: async () => {
      const body = { token, tool: "read_note", arguments: { path: "a" } };
      const { status } = await controlPlane.call("agentTools.execute", undefined, { body });
      if (status !== "ok") throw new Error("the tool failed");
    },
  };
  const medians = { alone: [] as number[], governed: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    token = await issue();
    for (const way of ["alone", "governed"] as const) {
      const taken = await timesOf(ways[way], calls);
      // The first round warms up.
      if (round > 0) medians[way].push(median(taken));
    }
  }
  await controlPlane.close();
  const [alone, governed] = [median(medians.alone), median(medians.governed)];
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  return `the target alone ${ms(alone)}, through Reeve ${ms(governed)}, ${ms(governed - alone)} more, ratio ${(governed / alone).toFixed(2)}`;
}

/** Access in force, which tokens are issued for. */
async function access(controlPlane: ControlPlane, store: Store, url: string): Promise<() => Promise<string>> {
  const { tenantId, userId } = await controlPlane.call("registration.register", undefined, {
    body: { organization: "Bench", ...PERSON },
  });
  const person: Principal = await controlPlane.principalOf(tenantId, userId);
  const { id: connectorInstanceId } = await controlPlane.call("connectorInstances.create", person, {
    body: {
      ...{ providerKey: "bench", name: "Bench", status: "active", governanceMode: "managed" },
      configuration: { url },
    },
  });
  const params = { connectorInstanceId };
  await controlPlane.call("accessTargets.sync", person, { params, query: { resourceType: ["thing"] } });
  await controlPlane.tick();
  const [profile] = (await controlPlane.call("accessTargets.listProfiles", person, { params })).items;
  const [resource] = (await controlPlane.call("accessTargets.listResources", person, { params })).items;
  if (!profile || !resource) throw new Error("the sync found nothing");
  const { id: accessProfileId, definitionHash: approvedHash } = profile;
  const approval = { params: { id: accessProfileId }, body: { definitionHash: approvedHash } };
  await controlPlane.call("accessProfiles.approve", person, approval);
  const owner = { type: "user" as const, id: userId, name: PERSON.username };
  const asset = { name: "Agent", assetType: "agent" as const, owner };
  const { id: assetId } = await controlPlane.call("aiAssets.create", person, { body: asset });
  const { id: identityId } = await controlPlane.call("accessIdentities.declare", person, {
    params: { assetId },
    body: { connectorInstanceId, principal: { type: "service_account", externalId: "service 0", displayName: null } },
  });
  const of = { ...params, at: new Date().toISOString(), assetId, identityId, accessProfileId, approvedHash };
  await seed(store, tenantId, "access_assignments", 1, () => assignment(0, { ...of, resourceId: resource.id }));
  const issuing = { params: { assetId }, body: { ttlSeconds: 3_600 } };
  return async () => (await controlPlane.call("agentToolTokens.issue", person, issuing)).token;
}

async function timesOf(work: () => Promise<void>, calls: number): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times.sort((one, other) => one - other);
}
