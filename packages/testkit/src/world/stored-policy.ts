import { collections } from "@reeve/core/reference";
import type { Scene } from "./scene.js";

/** Stores a draft of a policy as one in force, without anybody's decision. */
export async function storeInForce({ store, tenantId }: Scene, id: string): Promise<void> {
  const tenant = store.forTenant(tenantId);
  const collection = collections.find(({ name }) => name === "ai_policies");
  const row = collection && (await tenant.get(collection, id));
  if (!row) throw new Error(`there is no policy ${id}`);
  await tenant.replace(collection, { ...row.value, status: "active", version: row.version + 1 }, row.value);
}
