import * as testkit from "@reeve/testkit";
import type { ControlPlaneConfig, Store } from "../../src/index.js";
import { DnsServer } from "./dns-server.js";
import { copiedStore, emptyStore } from "./stores.js";

/** Options that write nothing to the store of a new world, so that worlds with and without them share one copy. */
const LEAVE_NOTHING = [
  "agentCardKeys",
  "anchor",
  "authenticate",
  "checkpointKey",
  "dnsServers",
  "egress",
  "egressAllow",
  "hasher",
  "logger",
  "mcp",
  "notices",
  "openid",
  "roleMap",
  "roles",
  "saml",
  "timestampUrl",
  "trustedIssuers",
];

/** Connectors of the providers that every world has write nothing else either. */
const PROVIDERS = [testkit.ScriptedConnector.providerKey, testkit.ScriptedAccess.providerKey].sort().join();

function leavesNothing(name: string, { connectors = [] }: Partial<ControlPlaneConfig>): boolean {
  if (name !== "connectors") return LEAVE_NOTHING.includes(name);
  const keys = connectors.map(({ manifest }) => manifest.providerKey);
  return keys.sort().join() === PROVIDERS;
}

/**
 * The test world of `@reeve/testkit` on a store of the kind under test. Each worker builds one world per configuration
 * and copies it. `through` wraps the store of the world.
 */
export async function createWorld(
  config: Partial<ControlPlaneConfig> = {},
  through: (store: Store) => Store = (store) => store,
): Promise<testkit.World> {
  const building = Object.fromEntries(Object.entries(config).filter(([name]) => !leavesNothing(name, config)));
  if (!copyable(building)) {
    return testkit.createWorld({ ...config, store: config.store ?? through(await emptyStore()) });
  }
  const key = `world ${JSON.stringify(building)}`;
  const store = await copiedStore(key, async (original) => {
    const world = await testkit.createWorld({ ...building, store: original });
    await world.controlPlane.close();
    originals.set(key, world);
  });
  return testkit.copyWorld(originals.get(key) as testkit.World, { ...config, store: through(store) });
}

const originals = new Map<string, testkit.World>();

/** Whether a configuration can be a key. Objects such as stores and ids cannot be written as text. */
function copyable(config: Partial<ControlPlaneConfig>): boolean {
  return Object.values(config).every((value) => ["string", "number", "boolean"].includes(typeof value));
}

/** A world with its own DNS server for the proofs of domains. */
export async function createDomainWorld(): Promise<testkit.World & { readonly dns: DnsServer }> {
  const dns = await DnsServer.start();
  // Tests may advance the clock by weeks, so tokens have their longest lifetime.
  return { ...(await createWorld({ dnsServers: [dns.address], tokenLifetime: 86_400 })), dns };
}
