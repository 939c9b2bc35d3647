import { storeOf } from "#kernel/config/store-access.js";
import { renewDataKey, rewrapKeys } from "#kernel/operation/vault/rotate.js";
import { collections } from "#reference/index.js";
import { type Address, storeAt } from "./address.js";
import { vaultBench } from "./vault-bench.js";

/** A process that rotates the master key and the data key of a tenant, until it is done or killed. */
const { address, tenantId, masterKeys } = JSON.parse(process.argv[2] as string) as {
  readonly address: Address;
  readonly tenantId: string;
  readonly masterKeys: { current: number; keys: Record<number, string> };
};
const env = vaultBench(storeAt(address), masterKeys);
process.stdout.write("started\n");
await rewrapKeys(env, tenantId);
await renewDataKey(env, tenantId, collections);
await storeOf(env).close();
