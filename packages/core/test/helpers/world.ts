import * as testkit from "@reeve/testkit";
import type { ControlPlaneConfig, Store } from "../../src/index.js";
import { DnsServer } from "./dns-server.js";
import { copiedStore, emptyStore } from "./stores.js";

/** What a world is built alike with and without, as none of it leaves anything in the store of a new one. */
const LEAVE_NOTHING = [
  "agentCardKeys",
  "anchor",
  "authenticate",
  "checkpointKey",
  "dnsServers",
  "egressAllow",
  "hasher",
  "logger",
  "roleMap",
  "roles",
  "trustedIssuers",
];

/**
 * The test world of `@reeve/testkit`, on a store of the kind that this run of the file is about. Each worker builds a world
 * once for each configuration, and copies it. `through` puts something of the test's own between the world and its store.
 */
export async function createWorld(
  config: Partial<ControlPlaneConfig> = {},
  through: (store: Store) => Store = (store) => store,
): Promise<testkit.World> {
  const building = Object.fromEntries(Object.entries(config).filter(([name]) => !LEAVE_NOTHING.includes(name)));
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

/** Whether the key of a configuration says all of it: objects of a test's own, such as stores and ids, have no text. */
function copyable(config: Partial<ControlPlaneConfig>): boolean {
  return Object.values(config).every((value) => ["string", "number", "boolean"].includes(typeof value));
}

/** A world that asks a name server of its own for the proofs of domains, and what its tenants do with their domain. */
export async function createDomainWorld(): Promise<testkit.World & { readonly dns: DnsServer }> {
  const dns = await DnsServer.start();
  // The control plane's clock may be moved by weeks, so tokens live as long as they may.
  return { ...(await createWorld({ dnsServers: [dns.address], tokenLifetime: 86_400 })), dns };
}
