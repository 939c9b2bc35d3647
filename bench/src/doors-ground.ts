import type { ControlPlane, Principal } from "@reeve/core";
import { ISSUER, MASTER_KEY, PERSON, signIn } from "./estate.js";
import type { Database } from "./server.js";
import { openControlPlane, openStore } from "./subject.js";

export const SERVER = "Payments";
export const TOOL = "refund";

/** A tenant whose policies allow one call, and the one who asks. */
export interface Ground {
  readonly tenantId: string;
  readonly userId: string;
  readonly toolId: string;
  readonly token: string;
}

/** Puts that many policies in force, one of which permits the calls of tools. */
export async function groundOf(database: Database, policies: number): Promise<Ground> {
  const controlPlane = openControlPlane(openStore(database), { issuer: ISSUER, masterKey: MASTER_KEY });
  try {
    const { tenantId, userId } = await controlPlane.call("registration.register", undefined, {
      body: { organization: "Bench", ...PERSON },
    });
    const owner = await controlPlane.principalOf(tenantId, userId);
    await putInForce(controlPlane, owner, policies);
    const server = await controlPlane.call("mcpServers.create", owner, {
      body: { name: SERVER, transport: "streamable_http", url: "https://payments.example/mcp" },
    });
    const { assetId: toolId } = await controlPlane.call("aiTools.create", owner, {
      body: { name: TOOL, toolName: TOOL, origin: "mcp", serverId: server.id },
    });
    return { tenantId, userId, toolId, token: await signIn(openStore(database)) };
  } finally {
    await controlPlane.close();
  }
}

/** The actions that the policies are about, one each. The one that is asked about is in the middle. */
export const actionsOf = (policies: number): string[] =>
  Array.from({ length: policies }, (_, at) => (at === policies >> 1 ? "tools/call" : `other-${at}`));

async function putInForce(controlPlane: ControlPlane, owner: Principal, policies: number): Promise<void> {
  for (const [at, name] of actionsOf(policies).entries()) {
    const rules = [{ key: "r0", effect: "allow", if: `action.name == "${name}"`, message: "It may." }];
    const tests = [{ name: "t", input: { action: { name } }, expect: "allow" }];
    const configuration = { kind: "runtime", key: `bench-${at}`, rules, tests };
    await controlPlane.call("aiGovernancePolicies.create", owner, { body: { status: "active", configuration } });
  }
}
