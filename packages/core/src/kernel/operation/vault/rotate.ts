import { timestamp } from "#ports/clock.js";
import { hoursMs } from "#ports/durations.js";
import type { StoredRecord } from "#store/collection.js";
import { StoreError } from "#store/store-error.js";
import type { Environment } from "../../config/environment.js";
import { requireKnownMigrations } from "../../config/unknown-migrations.js";
import type { Collection } from "../../records/collection.js";
import { systemContext } from "../system-context.js";
import { dataKeys, newDataKey, rewrapped } from "./data-keys.js";
import { sealedBy, vault } from "./vault.js";

const BATCH = 200;
/**
 * How long a superseded key is kept at least, in milliseconds. Other processes may seal with it for a few more seconds.
 */
const GRACE = hoursMs(1);

/** The progress of a rotation. */
export interface RotationProgress {
  readonly tenantId: string;
  /** Data keys wrapped anew and records sealed anew so far, over all tenants. */
  readonly keys: number;
  readonly secrets: number;
}

// biome-ignore lint/suspicious/noExplicitAny: collections of different records stand in one list
type Sealing = Collection<any>;

/**
 * Wraps every data key of a tenant by the current master key. Safe to repeat and to interrupt. Returns how many it
 * wrapped.
 */
export async function rewrapKeys(env: Environment, tenantId: string): Promise<number> {
  const ctx = systemContext(env, tenantId, "rotate");
  let done = 0;
  for await (const page of pages(env, tenantId, dataKeys)) {
    for (const { value } of page.filter((row) => row.value.wrappedBy !== env.keyEncryption.current)) {
      const wrapped = await rewrapped(env, tenantId, value);
      // Another rotation has wrapped it meanwhile.
      await ctx.write((inner) => inner.update(dataKeys, value, wrapped)).catch(ignoreStale);
      done += 1;
    }
  }
  return done;
}

/**
 * Gives a tenant a new data key and seals all its secrets with it. It drops keys superseded an hour ago or more, which
 * seal nothing any more. After an interruption both keys work, and the next run completes the change. Returns how many
 * records it sealed anew. Rejects with `schema` while the database may have secrets that this code does not know.
 */
export async function renewDataKey(
  env: Environment,
  tenantId: string,
  collections: readonly Sealing[],
): Promise<number> {
  const sealing = collections.filter(({ sealed }) => sealed.length > 0);
  await requireAllSecretsKnown(env);
  if (!(await supersede(env, tenantId))) return 0;
  let done = 0;
  for (const collection of sealing) done += await sealAnew(env, tenantId, collection);
  // A newer version may have come while this one sealed.
  await requireAllSecretsKnown(env);
  const before = timestamp(env.clock.now() - GRACE);
  await systemContext(env, tenantId, "rotate").write(async (ctx) => {
    for (const { value } of await ctx.db.scan(dataKeys, { size: 1_000 })) {
      if (value.retiredAt !== null && value.retiredAt < before) await ctx.remove(dataKeys, value);
    }
  });
  return done;
}

/** Rejects while the database may have secrets of a newer version. A key that seals one of them must not be dropped. */
export function requireAllSecretsKnown(env: Environment): Promise<void> {
  return requireKnownMigrations(env, "rotate the data keys");
}

/** Makes a new key the active one, unless a run of the last hour did. `false` when the tenant has no secrets yet. */
async function supersede(env: Environment, tenantId: string): Promise<boolean> {
  const made = await newDataKey(env, tenantId, "secrets");
  const before = timestamp(env.clock.now() - GRACE);
  return systemContext(env, tenantId, "rotate").write(async (ctx) => {
    const keys = (await ctx.db.scan(dataKeys, { size: 1_000 }))
      .map((row) => row.value)
      .filter(({ use }) => use === "secrets");
    const active = keys.find(({ slot }) => slot === "active");
    if (!active) return false;
    if (keys.some(({ retiredAt }) => retiredAt !== null && retiredAt >= before)) return true;
    await ctx.update(dataKeys, active, { slot: null, retiredAt: ctx.now });
    await ctx.insert(dataKeys, made);
    return true;
  });
}

async function sealAnew(env: Environment, tenantId: string, collection: Sealing): Promise<number> {
  const active = await activeKeyId(env, tenantId);
  const outdatedFields = (record: StoredRecord) =>
    collection.sealed.filter((field) => {
      const text = (record as unknown as Record<string, unknown>)[field];
      return typeof text === "string" && sealedBy(text) !== active;
    });
  let done = 0;
  for await (const page of pages(env, tenantId, collection)) {
    let left = page.map((row) => row.value).filter((record) => outdatedFields(record).length > 0);
    while (left.length > 0) {
      const pairs = await Promise.all(
        left.map((record) => sealedAgain(env, tenantId, collection, record, outdatedFields(record))),
      );
      done += await replaceUnchanged(env, tenantId, collection, pairs);
      const again = await env.store.forTenant(tenantId).getMany<StoredRecord>(
        collection,
        left.map(({ id }) => id),
      );
      left = again.map((row) => row.value).filter((record) => outdatedFields(record).length > 0);
    }
  }
  return done;
}

interface Resealed {
  readonly previous: StoredRecord;
  readonly texts: Readonly<Record<string, string>>;
}

async function sealedAgain(
  env: Environment,
  tenantId: string,
  { name }: Sealing,
  previous: StoredRecord,
  fields: readonly string[],
): Promise<Resealed> {
  const texts: Record<string, string> = {};
  for (const field of fields) {
    const place = { tenantId, collection: name, id: previous.id, field };
    const plain = await env.use(vault).open(place, (previous as unknown as Record<string, string>)[field] as string);
    texts[field] = await env.use(vault).seal(place, plain);
  }
  return { previous, texts };
}

/** Stores the resealed records, except those changed or removed meanwhile. */
function replaceUnchanged(
  env: Environment,
  tenantId: string,
  collection: Sealing,
  pairs: readonly Resealed[],
): Promise<number> {
  return systemContext(env, tenantId, "rotate").write(async (ctx) => {
    const rows = await ctx.db.getMany<StoredRecord>(
      collection,
      pairs.map(({ previous }) => previous.id),
    );
    const versions = new Map(rows.map(({ id, version }) => [id, version]));
    const unchanged = pairs.filter(({ previous }) => versions.get(previous.id) === previous.version);
    for (const { texts, previous } of unchanged)
      await ctx.update(collection, previous, texts, { event: false, stamp: false });
    return unchanged.length;
  });
}

async function activeKeyId(env: Environment, tenantId: string): Promise<string | undefined> {
  const key = { use: "secrets", slot: "active" };
  return (await env.store.forTenant(tenantId).lookup(dataKeys, "active", key))?.id;
}

async function* pages<R extends StoredRecord>(env: Environment, tenantId: string, collection: Collection<R>) {
  let after: string | undefined;
  for (;;) {
    const rows = await env.store.forTenant(tenantId).scan(collection, { size: BATCH, ...(after ? { after } : {}) });
    yield rows;
    after = rows.at(-1)?.id;
    if (rows.length < BATCH) return;
  }
}

function ignoreStale(error: unknown): void {
  if (!(StoreError.is(error) && error.code === "stale")) throw error;
}
