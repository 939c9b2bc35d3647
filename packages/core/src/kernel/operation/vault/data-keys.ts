import { randomBytes } from "node:crypto";
import { timestamp } from "#ports/clock.js";
import { z } from "#schema/z.js";
import { StoreError } from "#store/store-error.js";
import type { Environment } from "../../config/environment.js";
import { ReeveError } from "../../http/errors.js";
import { defineCollection } from "../../records/collection.js";
import { systemContext } from "../system-context.js";

const DataKey = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: z.string(),
  /** `secrets`: seals secrets in the store. `service`: seals cursors and makes fingerprints; on the platform only. */
  use: z.enum(["secrets", "service"]),
  /** `active` for the one key that seals, `null` for keys that only open. */
  slot: z.literal("active").nullable(),
  /** When another key replaced it. */
  retiredAt: z.string().nullable(),
  /** Which master key wrapped it. */
  wrappedBy: z.string(),
  wrapped: z.string(),
});
export type DataKey = z.output<typeof DataKey>;

/** Keys that seal a tenant's secrets. The master key wraps them. */
export const dataKeys = defineCollection<DataKey>({
  name: "data_keys",
  prefix: "dek",
  broadcast: true,
  schema: DataKey,
  fields: { use: { type: "text", compare: "exact" }, slot: { type: "text", compare: "exact" } },
  unique: { active: ["use", "slot"] },
});

/** A data key, unwrapped. */
export interface OpenKey {
  readonly id: string;
  readonly key: Uint8Array;
}

type KeyRing = Pick<Environment, "clock" | "ids" | "keyEncryption">;

const wrapContext = (tenantId: string, id: string) => `data key ${tenantId} ${id}`;

/** A new random key for a tenant: wrapped, but not stored. */
export async function newDataKey(ring: KeyRing, tenantId: string, use: DataKey["use"]): Promise<DataKey> {
  const now = ring.clock.now();
  const id = `dek_${ring.ids.next(now)}`;
  const wrapped = await ring.keyEncryption.wrap(randomBytes(32), wrapContext(tenantId, id));
  return {
    id,
    version: 1,
    createdAt: timestamp(now),
    use,
    slot: "active",
    retiredAt: null,
    wrappedBy: ring.keyEncryption.current,
    wrapped,
  };
}

/** The same key, wrapped by the current master key. */
export async function rewrapped(
  ring: KeyRing,
  tenantId: string,
  stored: DataKey,
): Promise<Pick<DataKey, "wrapped" | "wrappedBy">> {
  const { key, id } = await unwrapped(ring, tenantId, stored);
  const wrapped = await ring.keyEncryption.wrap(key, wrapContext(tenantId, id));
  return { wrapped, wrappedBy: ring.keyEncryption.current };
}

/** Unwraps a data key. 503 `secret_unavailable` when its master key is missing. */
export async function unwrapped(
  ring: KeyRing,
  tenantId: string,
  { id, wrapped, wrappedBy }: DataKey,
): Promise<OpenKey> {
  const key = await ring.keyEncryption.unwrap(wrapped, wrappedBy, wrapContext(tenantId, id));
  if (!key)
    throw new ReeveError("secret_unavailable", `The master key "${wrappedBy}" is not at hand, or is another one.`);
  return { id, key };
}

/** The active data key. The first process that needs one creates it. */
export async function activeDataKey(env: Environment, tenantId: string, use: DataKey["use"]): Promise<OpenKey> {
  const tenant = env.store.forTenant(tenantId);
  const find = async () => (await tenant.lookup(dataKeys, "active", { use, slot: "active" }))?.value;
  const stored = await find();
  if (stored) return unwrapped(env, tenantId, stored);
  const made = await newDataKey(env, tenantId, use);
  try {
    await systemContext(env, tenantId, "vault").write((ctx) => ctx.insert(dataKeys, made));
    return await unwrapped(env, tenantId, made);
  } catch (error) {
    const first = StoreError.is(error) && error.code === "duplicate" ? await find() : undefined;
    if (!first) throw error;
    return unwrapped(env, tenantId, first);
  }
}
