import type { Store } from "@reeve/core";
import { collectionMigration } from "@reeve/store-sqlite";
import { createPlane, createWorld, MASTER_KEY } from "@reeve/testkit";
import { describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { tenantRegistry } from "#families/platform/index.js";
import { dataKeys } from "#kernel/operation/vault/data-keys.js";
import { renewDataKey } from "#kernel/operation/vault/rotate.js";
import { sealedBy, vault } from "#kernel/operation/vault/vault.js";
import { defineCollection } from "#kernel/records/collection.js";
import { silentLogger } from "#ports/logger.js";
import { collections } from "#reference/index.js";
import type { StoredRecord } from "#store/collection.js";
import { manualClock, PLATFORM_TENANT } from "#testing/index.js";
import { storeAt } from "../../helpers/address.js";
import { eventsOf } from "../../helpers/facts.js";
import { afterTransaction } from "../../helpers/failing-store.js";
import { providerOf } from "../../helpers/provider.js";
import { emptyDatabase } from "../../helpers/stores.js";
import { undoLater } from "../../helpers/undo.js";
import { vaultBench } from "../../helpers/vault-bench.js";

interface Letter extends StoredRecord {
  readonly sealedText: string;
}

/** A collection of a later release, whose table older code does not know. */
const letters = defineCollection<Letter>({
  name: "letters",
  prefix: null,
  schema: z.object({ id: z.string(), version: z.number(), createdAt: z.string(), sealedText: z.string() }),
  sealed: ["sealedText"],
});
const expand = { ...collectionMigration(1_000, "letters", [letters]), phase: "expand" } as const;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = "2026-01-05T09:00:00.000Z";
const GRACE = { tokenLifetime: 86_400, retentionDays: { closedTenants: 30 } };
const tooNew = { name: "StoreError", code: "schema", message: expect.stringContaining("newer version") };

/** One database as two releases open it. Only the newer one knows the letters. */
async function twoReleases() {
  const address = await emptyDatabase(inject("store") ?? "sqlite");
  const open = (...given: Parameters<typeof storeAt>) => {
    const store = storeAt(...given);
    undoLater(() => store.close());
    return store;
  };
  return { older: open(address), newer: open(address, [expand]) };
}

/** Stores a letter of a tenant with the newer release. Returns how to read its secret, and what seals it. */
async function sealLetter(newer: Store, tenantId: string, clock = manualClock(NOW)) {
  const env = vaultBench(newer, MASTER_KEY, clock);
  const place = { tenantId, collection: letters.name, id: "ltr_1", field: "sealedText" };
  const sealedText = await env.use(vault).seal(place, "a secret");
  const owner = newer.forTenant(tenantId);
  await owner.insert(letters, { id: place.id, version: 1, createdAt: NOW, sealedText });
  const sealed = async () => (await owner.get(letters, place.id))?.value.sealedText ?? "";
  const read = async () =>
    vaultBench(newer, MASTER_KEY, clock)
      .use(vault)
      .open(place, await sealed());
  return { env, read, key: async () => sealedBy(await sealed()) };
}

describe.runIf(inject("store"))("code of the release before, on a database with a table that it does not know", () => {
  it("ends nothing that a backup has brought back and leaves the mark, and the newer release does", async () => {
    const { older, newer } = await twoReleases();
    const { controlPlane } = createPlane({ store: older });
    await controlPlane.ensureTenant({ externalId: "alpha", name: "alpha" });
    await newer.migrate();
    await older.markRestored?.(true);
    await expect(controlPlane.afterRestore()).rejects.toMatchObject(tooNew);
    expect((await newer.status()).restored).toBe(true);
    await createPlane({ store: newer }).controlPlane.afterRestore();
    expect((await newer.status()).restored).toBeUndefined();
  });

  it("rotates no data keys, and the newer release does", async () => {
    const { older, newer } = await twoReleases();
    const clock = manualClock(NOW);
    const { controlPlane } = createPlane({ store: older, clock });
    const { tenantId } = await controlPlane.ensureTenant({ externalId: "alpha", name: "alpha" });
    await newer.migrate();
    expect((await newer.status()).migration).not.toHaveProperty("unknown");
    expect((await older.status()).migration).toMatchObject({ unknown: true });
    expect((await older.status()).migration).not.toHaveProperty("refused");
    const { env, read, key } = await sealLetter(newer, tenantId, clock);
    const first = await key();
    for (let round = 0; round < 2; round += 1) {
      await expect(controlPlane.rotateKeys({ dataKeys: true })).rejects.toMatchObject(tooNew);
      clock.advance(2 * HOUR);
    }
    expect([await read(), await key()]).toEqual(["a secret", first]);
    await controlPlane.rotateKeys();
    for (let round = 0; round < 2; round += 1) {
      await renewDataKey(env, tenantId, [...collections, letters]);
      clock.advance(2 * HOUR);
    }
    expect(await read()).toBe("a secret");
    expect(await key()).not.toBe(first);
    expect(await newer.forTenant(tenantId).get(dataKeys, first as string)).toBeUndefined();
  });

  it("drops no key when the newer release comes while it rotates", async () => {
    const { older, newer } = await twoReleases();
    const clock = manualClock(NOW);
    const tenantId = "ten_alpha";
    const env = vaultBench(older, MASTER_KEY, clock);
    const place = { tenantId, collection: letters.name, id: "any", field: "sealedText" };
    const first = sealedBy(await env.use(vault).seal(place, "a secret")) as string;
    await renewDataKey(env, tenantId, collections);
    clock.advance(2 * HOUR);
    const overtaken = vaultBench(
      afterTransaction(older, 1, () => newer.migrate()),
      MASTER_KEY,
      clock,
    );
    await expect(renewDataKey(overtaken, tenantId, collections)).rejects.toMatchObject(tooNew);
    expect(await older.forTenant(tenantId).get(dataKeys, first)).toBeDefined();
  });

  it("leaves closed tenants to the newer release, and says so once", async () => {
    const { older, newer } = await twoReleases();
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (_facts: object, message: string) => void warnings.push(message) };
    const world = await createWorld({ ...GRACE, store: older, logger });
    const { tenantId } = world.a;
    const { controlPlane } = createPlane({ ...GRACE, store: newer, clock: world.clock, ids: world.ids });
    const registered = async () => (await newer.forTenant(PLATFORM_TENANT).get(tenantRegistry, tenantId))?.value;
    const erased = async () =>
      (await eventsOf({ store: newer, tenantId: PLATFORM_TENANT })).filter(
        ({ attributes }) => JSON.parse(attributes).type === "reeve.tenant.erased.v1",
      );
    await newer.migrate();
    const { key } = await sealLetter(newer, tenantId, world.clock);
    expect((await providerOf(world).post(`tenants/${tenantId}/status`, { status: "closed" })).status).toBe(200);
    world.clock.advance(30 * DAY);
    for (let round = 0; round < 2; round += 1) {
      await world.controlPlane.tick();
      world.clock.advance(60_000);
    }
    expect((await registered())?.status).toBe("closed");
    await controlPlane.tick();
    world.clock.advance(60_000);
    await world.controlPlane.tick();
    expect((await registered())?.status).toBe("erasing");
    expect([await key(), await erased()]).toEqual([expect.any(String), []]);
    expect(warnings.filter((message) => message.includes("wait for a newer version"))).toHaveLength(1);
    await controlPlane.tick();
    expect((await registered())?.status).toBe("erased");
    expect(await newer.forTenant(tenantId).scan(letters, { size: 5 })).toEqual([]);
    const [certificate] = await erased();
    expect(JSON.parse(certificate?.data ?? "null").counts).toMatchObject({ letters: 1 });
  });
});
