import type { SigningAlgorithm } from "#families/options.js";
import { PLATFORM_TENANT } from "#families/platform/index.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { ExpiringValue } from "./expiring-value.js";
import { type CryptoKeyLike, makeKey, privateKeyOf, publicKeyOf } from "./rotate/make-key.js";
import { type SigningKey, signingKeys } from "./schema.js";

/** The most keys at once: one signs, one is next, the others retire. */
const KEYS = 100;

interface VerifyingKey {
  readonly alg: SigningAlgorithm;
  readonly key: CryptoKeyLike;
  /** Milliseconds since the epoch. Infinite for keys that do not retire. */
  readonly until: number;
}

/** The keys as of one moment. */
export interface Ring {
  readonly signing: { readonly kid: string; readonly alg: SigningAlgorithm; readonly key: CryptoKeyLike };
  /** The key with this `kid`, if it still verifies. It never reads the store, whatever the `kid` is. */
  verifying(kid: string): VerifyingKey | undefined;
  /** Public keys as served, with the next one. */
  readonly published: readonly Record<string, unknown>[];
}

/** The stored keys, cached for at most five seconds. The first process that needs a key creates it and the next one. */
class KeyRing {
  readonly #imported = new Map<string, { readonly verify: CryptoKeyLike; sign?: CryptoKeyLike }>();
  readonly #ring: ExpiringValue<Ring>;

  constructor(readonly env: Environment) {
    this.#ring = new ExpiringValue(env.clock, () => this.#load());
    env.onBroadcast([signingKeys], () => this.#ring.drop());
  }

  current(): Ring | Promise<Ring> {
    return this.#ring.get();
  }

  async #load(): Promise<Ring> {
    const store = this.env.store.forTenant(PLATFORM_TENANT);
    const stored = (await store.scan(signingKeys, { size: KEYS })).map((row) => row.value);
    const keys = stored.some((key) => key.status === "active") ? stored : await this.#found();
    const active = keys.find((key) => key.status === "active") as SigningKey;
    const verifying = new Map<string, VerifyingKey>();
    for (const key of keys) {
      const until = key.retiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(key.retiresAt);
      verifying.set(key.id, { alg: key.alg, key: await this.#verifier(key), until });
    }
    for (const kid of this.#imported.keys()) if (!verifying.has(kid)) this.#imported.delete(kid);
    const live = (kid: string) => {
      const key = verifying.get(kid);
      return key && this.env.clock.now() < key.until ? key : undefined;
    };
    return {
      signing: { kid: active.id, alg: active.alg, key: await this.#signer(active) },
      verifying: live,
      published: keys
        .filter((key) => live(key.id))
        .map((key) => ({ ...key.publicJwk, kid: key.id, alg: key.alg, use: "sig" })),
    };
  }

  /** Creates the first two keys, unless another process was first. */
  async #found(): Promise<readonly SigningKey[]> {
    const made = [await makeKey(this.env, "active"), await makeKey(this.env, "next")];
    return systemContext(this.env, PLATFORM_TENANT, "keys").write(async (ctx) => {
      const stored = (await ctx.db.scan(signingKeys, { size: KEYS })).map((row) => row.value);
      if (stored.length > 0) return stored;
      return ctx.insertMany(signingKeys, made);
    });
  }

  async #verifier(key: SigningKey): Promise<CryptoKeyLike> {
    const known = this.#imported.get(key.id) ?? { verify: await publicKeyOf(key) };
    this.#imported.set(key.id, known);
    return known.verify;
  }

  async #signer(key: SigningKey): Promise<CryptoKeyLike> {
    const known = this.#imported.get(key.id) as { sign?: CryptoKeyLike };
    known.sign ??= await privateKeyOf(this.env, key);
    return known.sign;
  }
}

export const keyRing = defineService("identity.keyRing", (env) => new KeyRing(env));
