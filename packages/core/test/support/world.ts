import * as testkit from "@reeve/testkit";
import type { ControlPlaneConfig } from "../../src/index.js";
import { DnsServer } from "./dns-server.js";
import { emptyStore } from "./stores.js";

/** The test world of `@reeve/testkit`, on a store of the kind that this run of the file is about. */
export async function createWorld(config: Partial<ControlPlaneConfig> = {}): Promise<testkit.World> {
  return testkit.createWorld({ ...config, store: config.store ?? (await emptyStore()) });
}

/** A world that asks a name server of its own for the proofs of domains, and what its tenants do with their domain. */
export async function createDomainWorld(): Promise<testkit.World & { readonly dns: DnsServer }> {
  const dns = await DnsServer.start();
  // The control plane's clock may be moved by weeks, so tokens live as long as they may.
  return { ...(await createWorld({ dnsServers: [dns.address], tokenLifetime: 86_400 })), dns };
}
