// Ways of asking a store that few operations take, so that these few need not run on each store in `npm test`.
import { expect, it } from "vitest";
import { collections } from "#reference/index.js";
import { type EventDraft, type StoredCollection, type StoredRecord, sha256, type Writer } from "#store/index.js";
import { createMemoryStore, type Store } from "../../src/index.js";
import { emptyStore } from "../helpers/stores.js";

interface App extends StoredRecord {
  readonly entityId: string;
  readonly name: string;
  readonly status: string;
  readonly category: string;
}

/** A collection with counters, unique keys, an order and kept rows. */
const apps = named("saml_apps") as unknown as StoredCollection<App>;
const checkpoints = named("chain_checkpoints");

function named(wanted: string): StoredCollection {
  return (collections as unknown as readonly StoredCollection[]).find(
    ({ name }) => name === wanted,
  ) as StoredCollection;
}

const OURS = "tnt_01ARZ3NDEKTSV4RRFFQ69G5FAV";
const THEIRS = "tnt_01ARZ3NDEKTSV4RRFFQ69G5FAW";
const AT = "2026-01-05T09:00:00.000Z";
const LATER = "2027-01-05T09:00:00.000Z";
const idOf = (prefix: string, n: number) => `${prefix}_01ARZ3NDEKTSV4RRFFQ69G5FA${n}`;

const app = (n: number, patch: Partial<App> = {}): App => ({
  ...{ id: idOf("sap", n), version: 1, createdAt: AT, updatedAt: AT, description: "" },
  ...{ entityId: `urn:app:${n}`, name: `app ${n}`, status: "active", category: "office" },
  ...patch,
});
const changed = (n: number, patch: Partial<App>) => [app(n, { ...patch, version: 2 }), app(n)] as const;

function event(n: number): EventDraft {
  const [id, data] = [idOf("evt", n), JSON.stringify({ n })];
  const attributes = JSON.stringify({ datahash: sha256(data), id, type: "test.happened.v1" });
  return { id, time: AT, attributes, data, recordHash: sha256(attributes), streams: [] };
}

const checkpoint = (status: string, version: number) =>
  ({
    ...{ id: idOf("ckp", 1), version, createdAt: AT, status, attempts: 0, nextAttemptAt: AT, anchoredAt: null },
    ...{ prunedAt: null, checkpoint: { chainid: OURS, fromSeq: 1, toSeq: 3, headHash: "", merkleRoot: "", at: AT } },
  }) as StoredRecord;

const read = async (of: Pick<Writer, "find">, query: Parameters<Writer["find"]>[1]) => {
  const { rows, next } = await of.find(apps, query);
  return [rows.map(({ text }) => text), next !== undefined];
};
const byName = { by: "name", direction: "asc" } as const;
const after = { by: "app 1", id: idOf("sap", 1) };

/** Manners, each in tenants with three applications and three events. */
const MANNERS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  "a page within a transaction, before and after a write": (store) =>
    store.transaction(OURS, async (tx) => {
      const before = await read(tx, { order: byName, after, size: 1 });
      await tx.insert(apps, app(7, { name: "app 11" }));
      return [before, await read(tx, { order: byName, after, size: 1 })];
    }),
  "a page after a row within a range": (store) =>
    read(store.forTenant(OURS), { order: byName, after, range: { from: "app 1", through: "app 2" }, size: 5 }),
  "reads and writes of another tenant within a transaction": (store) =>
    store.transaction(OURS, async (tx) => {
      const other = tx.as(THEIRS);
      const range = { from: "app 2" };
      const before = [
        await read(other, { order: byName, range, size: 5 }),
        (await other.events({ size: 2 })).events.map(({ id }) => id),
      ];
      await other.replace(apps, ...changed(4, { status: "disabled", category: "other" }));
      await other.remove(apps, app(5), AT);
      return [
        before,
        await read(other, { order: byName, after, size: 5 }),
        await read(other, { order: byName, range, size: 5 }),
        (await other.lookup(apps, "entityId", { entityId: "urn:app:4" }))?.text,
        (await other.events({ size: 2 })).events.map(({ id }) => id),
      ];
    }),
  "the erasure of another tenant": async (store) => {
    await store.transaction(OURS, (tx) => tx.as(THEIRS).purge("all", 1_000));
    return (await store.forTenant(THEIRS).scan(apps, { size: 10 })).length;
  },
  "rows that are gone for good": async (store) => {
    await store.forTenant(OURS).remove(apps, app(3), AT);
    return store.transaction(OURS, (tx) => tx.purge({ removedThrough: LATER }, 10));
  },
  "changes of counters and keys": async (store) => {
    const ours = store.forTenant(OURS);
    await ours.replace(apps, ...changed(1, { status: "disabled" }));
    await ours.replace(apps, ...changed(2, { status: "disabled", entityId: "urn:another" }));
    await ours.replace(apps, ...changed(3, { status: "disabled", entityId: "urn:third", category: "new" }));
    return [
      [...(await ours.countBy(apps, "status"))].sort(),
      (await ours.lookup(apps, "entityId", { entityId: "urn:another" }))?.id,
    ];
  },
  "events one by one, together and given up": async (store) => {
    const ours = store.forTenant(OURS);
    await ours.append(event(7));
    await ours.append(event(8), event(9));
    await ours.pruneEvents(1);
    await store.transaction(OURS, (tx) => tx.pruneEvents(2));
    return (await ours.scanEvents({ size: 10 })).map(({ sequence, eventHash }) => [sequence, eventHash]);
  },
  checkpoints: async (store) => {
    const ours = store.forTenant(OURS);
    await ours.insert(checkpoints, checkpoint("open", 1));
    await ours.replace(checkpoints, checkpoint("anchored", 2), checkpoint("open", 1));
    const stored = (await ours.scan(checkpoints, { size: 5 })).map(({ text }) => text);
    await ours.remove(checkpoints, checkpoint("anchored", 2), AT);
    return [stored, await ours.scan(checkpoints, { size: 5 })];
  },
};

async function filled(store: Store): Promise<Store> {
  for (const [tenantId, first] of [
    [OURS, 1],
    [THEIRS, 4],
  ] as const) {
    const numbers = [first, first + 1, first + 2];
    await store.forTenant(tenantId).insertMany(
      apps,
      numbers.map((n) => app(n)),
    );
    await store.forTenant(tenantId).append(...numbers.map(event));
  }
  return store;
}

it.each(Object.entries(MANNERS))("%s are answered as in memory", async (_name, ask) => {
  const [expected, actual] = await Promise.all([filled(createMemoryStore()), emptyStore().then(filled)]);
  const wanted = await ask(expected);
  expect(await ask(actual)).toEqual(wanted);
  for (const tenantId of [OURS, THEIRS]) {
    const [model, found] = [expected, actual].map((store) => store.forTenant(tenantId).scan(apps, { size: 10 }));
    expect((await found)?.map(({ text }) => text)).toEqual((await model)?.map(({ text }) => text));
  }
});
