import { decodeProtectedHeader } from "jose/decode/protected_header";
import { JWTExpired } from "jose/errors";
import { settings } from "#families/platform/index.js";
import { boundedCache } from "#kernel/async/bounded-cache.js";
import { andThen, type MaybePromise } from "#kernel/async/maybe-promise.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import { jose } from "#kernel/http/jose.js";
import { keyRing, type Ring } from "../keys/key-ring.js";
import { TOKEN_LEEWAY } from "../keys/rules.js";
import { claimsOf, payloadOf, type TokenClaims } from "./token-claims.js";

const CACHED_TOKENS = 10_000;
/**
 * Three base64url parts without padding. The last has 64 or 256 bytes in canonical form, because decoders accept more
 * encodings.
 */
const COMPACT = /^[\w-]+\.[\w-]+\.(?:[\w-]{85}|[\w-]{341})[AQgw]$/;
const REQUIRED = ["iss", "aud", "sub", "uid", "tid", "jti", "iat", "nbf", "exp", "auth_time", "sv"];

/** A verified token, and the key that verified it. */
interface Verified {
  readonly claims: TokenClaims;
  readonly kid: string;
}

/** The end of a token's signature as cache key, because hashing the whole token is slower. */
const tailOf = (token: string): string => token.slice(-32);

/** Signs and verifies access tokens (`at+jwt`). Verified tokens are cached until they expire or their key retires. */
class TokenService {
  readonly #verified = boundedCache<string, Verified & { readonly token: string }>(CACHED_TOKENS);

  constructor(readonly env: Environment) {}

  /** Signs a token. It expires after the configured lifetime, or after `lifetime` seconds when that is less. */
  async issue(
    claims: Omit<TokenClaims, "expiresAt">,
    lifetime = Number.POSITIVE_INFINITY,
  ): Promise<{ token: string; expiresAt: number; expiresIn: number }> {
    const { signing } = await this.env.use(keyRing).current();
    const now = Math.floor(this.env.clock.now() / 1_000);
    const expiresIn = Math.min(lifetime, this.env.use(settings).get("tokens.lifetime"));
    const payload = payloadOf(claims, this.env.options.baseUrl, now, now + expiresIn);
    const { SignJWT } = await jose();
    const token = await new SignJWT(payload)
      .setProtectedHeader({ alg: signing.alg, typ: "at+jwt", kid: signing.kid })
      .sign(signing.key);
    return { token, expiresAt: (now + expiresIn) * 1_000, expiresIn };
  }

  /**
   * The claims of a valid token of this service: one for all of it, or for this address alone. 401 `invalid_token` or `token_expired`,
   * without details.
   */
  verify(token: string, at?: string): MaybePromise<TokenClaims> {
    return andThen(this.verifyAny(token), (claims) => {
      if (claims.audience !== undefined && claims.audience !== at) throw new ReeveError("invalid_token");
      return claims;
    });
  }

  /** Like `verify`, whichever address of this service the token is for. */
  verifyAny(token: string): MaybePromise<TokenClaims> {
    return andThen(this.env.use(keyRing).current(), (ring) => this.#verify(token, ring));
  }

  #verify(token: string, ring: Ring): MaybePromise<TokenClaims> {
    const known = this.#verified.get(tailOf(token));
    if (known?.token === token && ring.verifying(known.kid)) {
      if (this.env.clock.now() >= known.claims.expiresAt + TOKEN_LEEWAY * 1_000) throw new ReeveError("token_expired");
      return known.claims;
    }
    if (!COMPACT.test(token)) throw new ReeveError("invalid_token");
    return this.#check(token, ring).then((verified) => {
      this.#verified.set(tailOf(token), { ...verified, token });
      return verified.claims;
    });
  }

  async #check(token: string, ring: Ring): Promise<Verified> {
    const now = this.env.clock.now();
    const { jwtVerify } = await jose();
    try {
      const { kid } = decodeProtectedHeader(token);
      const key = typeof kid === "string" ? ring.verifying(kid) : undefined;
      if (!key) throw new ReeveError("invalid_token");
      const { payload } = await jwtVerify(token, key.key, {
        algorithms: [key.alg],
        typ: "at+jwt",
        issuer: this.env.options.baseUrl,
        clockTolerance: TOKEN_LEEWAY,
        currentDate: new Date(now),
        requiredClaims: REQUIRED,
      });
      const claims = claimsOf(payload, now);
      if (!claims) throw new ReeveError("invalid_token");
      return { claims, kid: kid as string };
    } catch (cause) {
      throw new ReeveError(cause instanceof JWTExpired ? "token_expired" : "invalid_token", undefined, {
        cause,
      });
    }
  }
}

export const tokens = defineService("identity.tokens", (env) => new TokenService(env));
