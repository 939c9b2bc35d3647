import { ulid } from "ulid";
import { signingKeys } from "#families/identity/keys/schema.js";
import type { Environment } from "#kernel/config/environment.js";
import { storeOf } from "#kernel/config/store-access.js";
import { vault } from "#kernel/operation/vault/vault.js";
import type { Clock } from "#ports/clock.js";
import { systemClock } from "#ports/clock.js";
import { keyEncryption } from "#ports/key-encryption.js";
import { lateSecretBox } from "#ports/secret-box.js";
import { ulidSource } from "#testing/index.js";
import type { MasterKey, Store } from "../../src/index.js";
import { environmentOf } from "./environment.js";

/** An environment with only a store and keys, for tests of the vault. */
export function vaultBench(store: Store, masterKey: MasterKey, clock: Clock = systemClock): Environment {
  return environmentOf(
    { store, clock },
    { ids: ulidSource(), keyEncryption: keyEncryption(masterKey), secretBox: lateSecretBox() },
  );
}

/** A collection whose records have a sealed property. */
export const sealing = signingKeys;

export const placeOf = (tenantId: string, id: string) => ({
  tenantId,
  collection: sealing.name,
  id,
  field: "sealedPrivateJwk",
});

/** Stores records with one secret each: the text `secret of ` and their id. Returns their ids. */
export async function storeSecrets(env: Environment, tenantId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `key_${ulid()}`);
  const records = await Promise.all(
    ids.map(async (id) => ({
      id,
      version: 1,
      createdAt: "2026-01-01T00:00:00.000Z",
      status: "retiring" as const,
      activatedAt: null,
      retiresAt: null,
      alg: "ES256" as const,
      publicJwk: {},
      sealedPrivateJwk: await env.use(vault).seal(placeOf(tenantId, id), `secret of ${id}`),
    })),
  );
  for (let start = 0; start < count; start += 500) {
    await storeOf(env)
      .forTenant(tenantId)
      .insertMany(sealing, records.slice(start, start + 500));
  }
  return ids;
}

/** Unseals every secret of a tenant and returns the data keys in use. Throws when one cannot be unsealed. */
export async function openAll(env: Environment, tenantId: string): Promise<{ opened: number; keys: Set<string> }> {
  const keys = new Set<string>();
  let opened = 0;
  let after: string | undefined;
  for (;;) {
    const rows = await env.store.forTenant(tenantId).scan(sealing, { size: 500, ...(after ? { after } : {}) });
    for (const { id, value } of rows) {
      const plain = await env.use(vault).open(placeOf(tenantId, id), value.sealedPrivateJwk);
      if (plain !== `secret of ${id}`) throw new Error(`${id} opened as something else`);
      keys.add(value.sealedPrivateJwk.split(".")[1] as string);
      opened += 1;
    }
    after = rows.at(-1)?.id;
    if (rows.length < 500) return { opened, keys };
  }
}
