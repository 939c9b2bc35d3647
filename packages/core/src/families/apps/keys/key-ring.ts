import { STATE_LIFETIME } from "#families/platform/index.js";
import { boundedCache } from "#kernel/async/bounded-cache.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import type { SamlSigner } from "#ports/saml.js";
import type { Reader } from "#store/store.js";
import { StoreError } from "#store/store-error.js";
import { makeSamlKey, signerOf } from "./make-key.js";
import { type SamlKeyRecord, samlKeys } from "./schema.js";

const TENANTS = 1_000;
/** Retiring keys that are read: the newest, and more than can be made by now. */
const RETIRING = 100;

interface Ring {
  readonly signer: SamlSigner;
  /** Certificates for the metadata, the one that signs first. */
  readonly certificates: readonly string[];
  readonly readAt: number;
}

/** The keys of tenants, cached for at most five seconds. The first sign-on of a tenant makes its key. */
class SamlKeyRing {
  readonly #rings = boundedCache<string, Promise<Ring>>(TENANTS);

  constructor(readonly env: Environment) {
    env.onBroadcast([samlKeys], (tenantId) => {
      if (tenantId === undefined) this.#rings.clear();
      else this.#rings.delete(tenantId);
    });
  }

  async of(tenantId: string): Promise<Ring> {
    const held = this.#rings.get(tenantId);
    if (held) {
      const ring = await held;
      if (this.env.clock.now() - ring.readAt < STATE_LIFETIME) return ring;
    }
    const reading = this.#read(tenantId);
    this.#rings.set(tenantId, reading);
    reading.catch(() => this.#rings.delete(tenantId));
    return reading;
  }

  async #read(tenantId: string): Promise<Ring> {
    const readAt = this.env.clock.now();
    const stored = await storedKeys(this.env, tenantId);
    const keys = stored.some(({ status }) => status === "active") ? stored : await this.#found(tenantId);
    const active = keys.find(({ status }) => status === "active") as SamlKeyRecord;
    const now = timestamp(readAt);
    const others = keys.filter(({ id, retiresAt }) => id !== active.id && (retiresAt === null || retiresAt > now));
    return {
      signer: await signerOf(this.env, tenantId, active),
      certificates: [active, ...others].map(({ certificate }) => certificate),
      readAt,
    };
  }

  async #found(tenantId: string): Promise<readonly SamlKeyRecord[]> {
    const first = await makeSamlKey(this.env, tenantId, "active");
    try {
      await systemContext(this.env, tenantId, "saml").write((ctx) => ctx.insert(samlKeys, first));
    } catch (error) {
      // Another process was faster.
      if (!(StoreError.is(error) && error.code === "duplicate")) throw error;
    }
    return storedKeys(this.env, tenantId);
  }
}

/** The key that signs, the next one, and those that retire, in the order in which they were made. */
export async function storedKeys(
  { store, clock }: Pick<Environment, "store" | "clock">,
  tenantId: string,
): Promise<SamlKeyRecord[]> {
  const reader = store.forTenant(tenantId);
  const slots = await reader.lookupMany(samlKeys, "slot", [{ slot: "active" }, { slot: "next" }]);
  const retiring = await retiringKeys(reader, timestamp(clock.now()), RETIRING);
  // A key may be activated between the two reads, and be in both.
  const found = new Map([...retiring, ...slots.flatMap((row) => row?.value ?? [])].map((key) => [key.id, key]));
  return [...found.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** Keys that are still in the metadata and sign no more, at most `size`: those that leave last. */
export async function retiringKeys(
  reader: Pick<Reader, "find">,
  now: string,
  size: number,
): Promise<readonly SamlKeyRecord[]> {
  const order = { by: "retiresAt", direction: "desc" } as const;
  const { rows } = await reader.find(samlKeys, { order, range: { from: now }, size });
  return rows.map(({ value }) => value).filter(({ retiresAt }) => retiresAt !== null && retiresAt > now);
}

export const samlKeyRing = defineService("apps.samlKeyRing", (env) => new SamlKeyRing(env));
