import { errors, exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { defineService, type Environment } from "../../../kernel/environment.js";
import { ReeveError } from "../../../kernel/errors.js";
import { type SecretPlace, vault } from "../../../kernel/vault/vault.js";
import { StoreError } from "../../../store/store-error.js";
import { PLATFORM_TENANT, settings } from "../../platform/index.js";
import { type SigningKey, signingKeys } from "./schema.js";

const LEEWAY = 60;
const CACHED_TOKENS = 10_000;
const ALG = "ES256";
/** Three base64url parts without padding, the last 64 bytes in their one spelling: decoders forgive more, so we do not ask them. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/;
type Key = Awaited<ReturnType<typeof importJWK>>;

/** What an access token says, checked. Roles are never in it. */
export interface TokenClaims {
  readonly username: string;
  readonly userId: string;
  readonly tenantId: string;
  readonly tokenId: string;
  readonly securityVersion: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Signs and verifies access tokens (`at+jwt`, ES256). Verified tokens are remembered until they expire. */
class TokenService {
  readonly #verified = new LRUCache<string, TokenClaims>({ max: CACHED_TOKENS });
  readonly #keys = new Map<string, Key>();
  #signing: Promise<{ kid: string; key: Key }> | undefined;

  constructor(readonly env: Environment) {}

  async issue(claims: Omit<TokenClaims, "expiresAt">): Promise<{ token: string; expiresAt: number }> {
    const { kid, key } = await this.signingKey();
    const now = Math.floor(this.env.clock.now() / 1_000);
    const expires = now + this.env.use(settings).get("tokens.lifetime");
    const token = await new SignJWT({ uid: claims.userId, tid: claims.tenantId, sv: claims.securityVersion })
      .setProtectedHeader({ alg: ALG, typ: "at+jwt", kid })
      .setIssuer(this.env.options.baseUrl)
      .setAudience(this.env.options.baseUrl)
      .setSubject(claims.username)
      .setJti(claims.tokenId)
      .setIssuedAt(now)
      .setNotBefore(now)
      .setExpirationTime(expires)
      .sign(key);
    return { token, expiresAt: expires * 1_000 };
  }

  /** The claims of a token that is ours and in time. Rejects with `invalid_token` or `token_expired`; never says more. */
  async verify(token: string): Promise<TokenClaims> {
    const known = this.#verified.get(token);
    if (known) {
      if (this.env.clock.now() > known.expiresAt + LEEWAY * 1_000) throw new ReeveError("token_expired");
      return known;
    }
    if (!COMPACT.test(token)) throw new ReeveError("invalid_token");
    await this.signingKey();
    const claims = await this.#check(token);
    this.#verified.set(token, claims);
    return claims;
  }

  /** The key that signs now, made by whichever process needs it first. */
  signingKey(): Promise<{ kid: string; key: Key }> {
    this.#signing ??= this.#loadKeys().catch((error: unknown) => {
      this.#signing = undefined;
      throw error;
    });
    return this.#signing;
  }

  async #check(token: string): Promise<TokenClaims> {
    const now = this.env.clock.now();
    try {
      const { payload } = await jwtVerify(token, (header) => this.#keyFor(header.kid), {
        algorithms: [ALG],
        typ: "at+jwt",
        issuer: this.env.options.baseUrl,
        audience: this.env.options.baseUrl,
        clockTolerance: LEEWAY,
        currentDate: new Date(now),
        requiredClaims: ["iss", "aud", "sub", "uid", "tid", "jti", "iat", "nbf", "exp", "sv"],
      });
      return claimsOf(payload, now);
    } catch (cause) {
      throw new ReeveError(cause instanceof errors.JWTExpired ? "token_expired" : "invalid_token", undefined, {
        cause,
      });
    }
  }

  async #keyFor(kid: unknown): Promise<Key> {
    const key = typeof kid === "string" ? this.#keys.get(kid) : undefined;
    if (!key) throw new ReeveError("invalid_token");
    return key;
  }

  async #loadKeys(): Promise<{ kid: string; key: Key }> {
    const rows = await this.env.store.forTenant(PLATFORM_TENANT).scan(signingKeys, { size: 100 });
    const stored = rows.map((row) => row.value);
    const active = stored.find((key) => key.slot === "active") ?? (await this.#createKey());
    for (const key of [...stored, active]) this.#keys.set(key.id, await importJWK(key.publicJwk as JWK, key.alg));
    const opened = await this.env.use(vault).open(sealedPlace(active.id), active.sealedPrivateJwk);
    return { kid: active.id, key: await importJWK(JSON.parse(opened) as JWK, ALG) };
  }

  async #createKey(): Promise<SigningKey> {
    const { publicKey, privateKey } = await generateKeyPair(ALG, { extractable: true });
    const now = this.env.clock.now();
    const id = `key_${this.env.ids.next(now)}`;
    const sealedPrivateJwk = await this.env
      .use(vault)
      .seal(sealedPlace(id), JSON.stringify(await exportJWK(privateKey)));
    const publicJwk = { ...(await exportJWK(publicKey)) };
    const createdAt = new Date(now).toISOString();
    const key: SigningKey = { id, version: 1, createdAt, slot: "active", alg: ALG, publicJwk, sealedPrivateJwk };
    const store = this.env.store.forTenant(PLATFORM_TENANT);
    try {
      await store.insert(signingKeys, key);
      return key;
    } catch (error) {
      // Another process was first: its key is the one.
      const winner =
        error instanceof StoreError && error.code === "duplicate"
          ? await store.lookup(signingKeys, "slot", { slot: "active" })
          : undefined;
      if (!winner) throw error;
      return winner.value;
    }
  }
}

function sealedPlace(id: string): SecretPlace {
  return { tenantId: PLATFORM_TENANT, collection: signingKeys.name, id, field: "sealedPrivateJwk" };
}

function claimsOf(payload: JWTPayload, now: number): TokenClaims {
  const { sub, uid, tid, jti, sv, exp, iat, aud } = payload;
  const texts = [sub, uid, tid, jti, aud].every(
    (value) => typeof value === "string" && value.length > 0 && value.length <= 300,
  );
  const numbers = [sv, exp, iat].every((value) => Number.isSafeInteger(value));
  if (
    !texts ||
    !numbers ||
    (iat as number) * 1_000 > now + LEEWAY * 1_000 ||
    (exp as number) - (iat as number) > 86_400
  ) {
    throw new ReeveError("invalid_token");
  }
  return {
    username: sub as string,
    userId: uid as string,
    tenantId: tid as string,
    tokenId: jti as string,
    securityVersion: sv as number,
    expiresAt: (exp as number) * 1_000,
  };
}

export const tokens = defineService("identity.tokens", (env) => new TokenService(env));
