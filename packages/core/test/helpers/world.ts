import * as testkit from "@reeve/testkit";
import type { ControlPlaneConfig } from "../../src/index.js";
import { DnsServer } from "./dns-server.js";
import { copiedStore, emptyStore } from "./stores.js";

/**
 * The test world of `@reeve/testkit`, on a store of the kind that this run of the file is about. Each worker builds a world
 * once for each configuration, and copies it.
 */
export async function createWorld(config: Partial<ControlPlaneConfig> = {}): Promise<testkit.World> {
  if (!copyable(config)) return testkit.createWorld({ ...config, store: config.store ?? (await emptyStore()) });
  const key = `world ${JSON.stringify(config)}`;
  const store = await copiedStore(key, async (original) => {
    const world = await testkit.createWorld({ ...config, store: original });
    await world.controlPlane.close();
    originals.set(key, world);
  });
  return testkit.copyWorld(originals.get(key) as testkit.World, { ...config, store });
}

const originals = new Map<string, testkit.World>();

/** Whether the key of a configuration says all of it: objects of a test's own, such as stores and loggers, have no text. */
function copyable(config: Partial<ControlPlaneConfig>): boolean {
  return Object.values(config).every((value) => ["string", "number", "boolean"].includes(typeof value));
}

/** A world that asks a name server of its own for the proofs of domains, and what its tenants do with their domain. */
export async function createDomainWorld(): Promise<testkit.World & { readonly dns: DnsServer }> {
  const dns = await DnsServer.start();
  // The control plane's clock may be moved by weeks, so tokens live as long as they may.
  return { ...(await createWorld({ dnsServers: [dns.address], tokenLifetime: 86_400 })), dns };
}
