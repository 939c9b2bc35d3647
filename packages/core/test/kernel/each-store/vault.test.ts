import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { storeOf } from "#kernel/config/store-access.js";
import { dataKeys } from "#kernel/operation/vault/data-keys.js";
import { renewDataKey, rewrapKeys } from "#kernel/operation/vault/rotate.js";
import { vault } from "#kernel/operation/vault/vault.js";
import { keyEncryption } from "#ports/key-encryption.js";
import { collections } from "#reference/index.js";
import { manualClock } from "#testing/index.js";
import type { ReeveError } from "../../../src/index.js";
import { emptyStore } from "../../helpers/stores.js";
import { openAll, placeOf, sealing, storeSecrets, vaultBench } from "../../helpers/vault-bench.js";

const [first, second] = [randomBytes(32), randomBytes(32)];
const T = "tnt_alpha";
const place = placeOf(T, "key_1");
const unavailable = expect.objectContaining({ code: "secret_unavailable", status: 503 });

describe("the vault", () => {
  it("opens a secret only where it was sealed", async () => {
    const env = vaultBench(await emptyStore(), first);
    const sealed = await env.use(vault).seal(place, "canary-4711");
    expect(sealed).not.toContain("canary-4711");
    expect(await env.use(vault).open(place, sealed)).toBe("canary-4711");
    const elsewhere = [
      { ...place, tenantId: "tnt_bravo" },
      { ...place, collection: "users" },
      { ...place, id: "key_2" },
      { ...place, field: "name" },
    ];
    for (const other of elsewhere) await expect(env.use(vault).open(other, sealed)).rejects.toEqual(unavailable);
  });

  it("notices every changed character", async () => {
    const env = vaultBench(await emptyStore(), first);
    const sealed = await env.use(vault).seal(place, "canary-4711");
    for (let at = 0; at < sealed.length; at++) {
      const changed = `${sealed.slice(0, at)}${sealed[at] === "A" ? "B" : "A"}${sealed.slice(at + 1)}`;
      await expect(env.use(vault).open(place, changed), `character ${at}`).rejects.toEqual(unavailable);
    }
  });

  it("says that a secret is unavailable when its master key is not at hand, and gives no plain text", async () => {
    const store = await emptyStore();
    const sealed = await vaultBench(store, first).use(vault).seal(place, "canary-4711");
    const failure = await vaultBench(store, second)
      .use(vault)
      .open(place, sealed)
      .catch((error: unknown) => error);
    expect(failure).toEqual(unavailable);
    expect((failure as ReeveError).detail).not.toContain("canary");
    const withoutOld = { current: 2, keys: { 2: second } };
    await expect(vaultBench(store, withoutOld).use(vault).open(place, sealed)).rejects.toEqual(unavailable);
  });

  it("refuses master keys that are short, constant or missing", () => {
    for (const bad of [randomBytes(31), Buffer.alloc(32), "", "short", { current: 2, keys: { 1: first } }]) {
      expect(() => keyEncryption(bad)).toThrow(/masterKey/);
    }
  });

  it("makes one data key when many need the first one at once", async () => {
    const env = vaultBench(await emptyStore(), first);
    const places = Array.from({ length: 20 }, (_, index) => placeOf(T, `key_${index}`));
    const sealed = await Promise.all(places.map((one) => vaultBench(storeOf(env), first).use(vault).seal(one, one.id)));
    expect(await env.store.forTenant(T).scan(dataKeys, { size: 10 })).toHaveLength(1);
    for (const [index, one] of places.entries()) {
      expect(await env.use(vault).open(one, sealed[index] as string)).toBe(one.id);
    }
  });

  it("lets the old master key go after a rotation, for every tenant, and changes no secret", async () => {
    const store = await emptyStore();
    const before = vaultBench(store, first);
    for (const tenant of [T, "tnt_bravo"]) await storeSecrets(before, tenant, 20);
    const both = vaultBench(store, { current: 2, keys: { 1: first, 2: second } });
    for (const tenant of [T, "tnt_bravo"]) expect(await rewrapKeys(both, tenant)).toBe(1);
    expect(await rewrapKeys(both, T)).toBe(0);
    const after = vaultBench(store, { current: 2, keys: { 2: second } });
    for (const tenant of [T, "tnt_bravo"]) expect((await openAll(after, tenant)).opened).toBe(20);
  });

  it("seals everything under a new data key, and drops the old one an hour later", async () => {
    const store = await emptyStore();
    const clock = manualClock("2026-01-05T09:00:00.000Z");
    const env = vaultBench(store, first, clock);
    await storeSecrets(env, T, 450);
    const [old] = [...(await openAll(env, T)).keys];
    expect(await renewDataKey(env, T, collections)).toBe(450);
    const renewed = await openAll(env, T);
    expect([renewed.opened, renewed.keys.size, renewed.keys.has(old as string)]).toEqual([450, 1, false]);
    expect(await store.forTenant(T).get(dataKeys, old as string)).toBeDefined();
    expect(await renewDataKey(env, T, collections)).toBe(0);
    clock.advance(2 * 3_600_000);
    expect(await renewDataKey(env, T, collections)).toBe(450);
    expect(await store.forTenant(T).get(dataKeys, old as string)).toBeUndefined();
    expect((await openAll(vaultBench(store, first, clock), T)).opened).toBe(450);
    expect(await renewDataKey(env, "tnt_without_secrets", collections)).toBe(0);
  });

  it("loses no change that is made to a record while it is sealed anew", async () => {
    const store = await emptyStore();
    const env = vaultBench(store, first);
    const ids = await storeSecrets(env, T, 250);
    const renewing = renewDataKey(env, T, collections);
    for (const id of ids.slice(0, 40)) {
      await store.transaction(T, async (tx) => {
        const previous = (await tx.get(sealing, id))?.value;
        if (previous)
          await tx.replace(
            sealing,
            { ...previous, version: previous.version + 1, publicJwk: { changed: true } },
            previous,
          );
      });
    }
    await renewing;
    const changed = await store.forTenant(T).getMany(sealing, ids.slice(0, 40));
    expect(changed.every(({ value }) => value.publicJwk.changed === true)).toBe(true);
    expect(await openAll(env, T)).toMatchObject({ opened: 250 });
  });
});

it("declares every property that holds sealed text", () => {
  const names = collections.flatMap((collection) =>
    "shape" in collection.schema
      ? Object.keys(collection.schema.shape as object).filter((name) => /^sealed/.test(name))
      : [],
  );
  expect(names.length).toBeGreaterThan(0);
  expect(collections.flatMap(({ sealed }) => sealed).sort()).toEqual([...names].sort());
});
