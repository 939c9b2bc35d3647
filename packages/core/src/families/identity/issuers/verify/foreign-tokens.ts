import { createHash } from "node:crypto";
import type { JWTPayload, JWTVerifyOptions } from "jose";
import { JWKSMultipleMatchingKeys, JWKSNoMatchingKey, JWSSignatureVerificationFailed, JWTExpired } from "jose/errors";
import { decodeJwt } from "jose/jwt/decode";
import { optionsOf, type TrustedIssuer } from "#families/options.js";
import { boundedCache } from "#kernel/async/bounded-cache.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import { jose } from "#kernel/http/jose.js";
import { SIGNATURE_ALGORITHMS } from "#kernel/http/json-web-keys.js";
import { MAX_TOKEN_LIFE, TOKEN_LEEWAY } from "../../keys/rules.js";
import { IssuerKeys, type ReadKeys } from "./key-set.js";

const CACHED_TOKENS = 10_000;
const REQUIRED = ["iss", "aud", "sub", "iat", "exp"];
const TEXT = 254;
const TOKEN_TYPES = ["JWT", "at+jwt"];

/** A verified token of a trusted issuer. */
export interface ForeignToken {
  readonly trusted: TrustedIssuer;
  readonly subject: string;
  /** The id for revocation here: a hash, because a foreign `jti` may have any form. */
  readonly tokenId: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly claims: JWTPayload;
}

interface Verified {
  readonly token: ForeignToken;
  readonly keys: ReadKeys;
}

/**
 * Verifies tokens of the trusted issuers. Valid ones are cached until they expire or the issuer's keys are read again.
 */
class ForeignTokens {
  readonly #issuers: ReadonlyMap<string, IssuerKeys>;
  readonly #verified = boundedCache<string, Verified>(CACHED_TOKENS);

  constructor(readonly env: Environment) {
    const { trustedIssuers } = optionsOf(env);
    this.#issuers = new Map(trustedIssuers.map((trusted) => [trusted.issuer, new IssuerKeys(env, trusted)]));
  }

  /** Whether the token names a trusted issuer, unverified. It only decides which code verifies it. */
  isFrom(token: string): boolean {
    return this.#issuers.size > 0 && this.#issuerOf(token) !== undefined;
  }

  /** The verified token. 401 when it is invalid, 503 `issuer_unavailable` when that cannot be checked now. */
  async verify(token: string): Promise<ForeignToken> {
    const issuer = this.#issuerOf(token);
    if (!issuer) throw new ReeveError("invalid_token");
    const current = await issuer.current();
    const known = this.#verified.get(token);
    if (known?.keys === current) return inTime(known.token, this.env.clock.now());
    const { claims, keys } = await this.#claimsOf(token, issuer, issuer.trusted, current);
    const verified = foreignToken(token, issuer.trusted, claims);
    this.#verified.set(token, { token: verified, keys });
    return verified;
  }

  /**
   * The verified ID token that an issuer gave to a client of this service, with more claims that it told of the same subject.
   * Those of the token count. 401 when it is invalid or another's, 503 when that cannot be checked now.
   */
  async verifyIdToken(
    token: string,
    client: { readonly issuer: string; readonly clientId: string },
    more: Readonly<Record<string, unknown>>,
  ): Promise<ForeignToken> {
    const issuer = this.#issuerOf(token);
    if (issuer?.trusted.issuer !== client.issuer) throw new ReeveError("invalid_token");
    const { trusted } = issuer;
    const { clientId } = client;
    const meant = { ...trusted, audience: clientId, authorizedParties: [clientId], tokenTypes: ["JWT"] };
    const { claims } = await this.#claimsOf(token, issuer, meant, await issuer.current());
    return foreignToken(token, trusted, { ...more, ...claims });
  }

  /** The claims, by these keys or newer ones. */
  async #claimsOf(token: string, issuer: IssuerKeys, trusted: TrustedIssuer, current: ReadKeys) {
    const claims = await this.#check(token, trusted, current);
    if (claims) return { claims, keys: current };
    const keys = await issuer.after(current);
    const later = await this.#check(token, trusted, keys);
    if (!later) throw new ReeveError("invalid_token");
    return { claims: later, keys };
  }

  /** The claims. `undefined` when the signing key is not among these. 401 for any other fault. */
  async #check(token: string, trusted: TrustedIssuer, { select }: ReadKeys): Promise<JWTPayload | undefined> {
    const now = this.env.clock.now();
    try {
      const { payload, protectedHeader } = await verifiedBy(token, select, {
        algorithms: SIGNATURE_ALGORITHMS,
        issuer: trusted.issuer,
        audience: trusted.audience,
        clockTolerance: TOKEN_LEEWAY,
        currentDate: new Date(now),
        requiredClaims: REQUIRED,
      });
      if (isSound(trusted, payload, now) && isMeantFor(trusted, payload, protectedHeader.typ)) return payload;
    } catch (cause) {
      if (cause instanceof JWKSNoMatchingKey) return undefined;
      const code = cause instanceof JWTExpired ? "token_expired" : "invalid_token";
      throw new ReeveError(code, undefined, { cause });
    }
    throw new ReeveError("invalid_token");
  }

  #issuerOf(token: string): IssuerKeys | undefined {
    try {
      const { iss } = decodeJwt(token);
      return typeof iss === "string" ? this.#issuers.get(iss) : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Keys may share a name, or have none. Then the token is tried with each that fits it. */
async function verifiedBy(token: string, select: ReadKeys["select"], options: JWTVerifyOptions) {
  const { jwtVerify } = await jose();
  try {
    return await jwtVerify(token, select, options);
  } catch (several) {
    if (!(several instanceof JWKSMultipleMatchingKeys)) throw several;
    for await (const key of several) {
      try {
        return await jwtVerify(token, key, options);
      } catch (error) {
        if (!(error instanceof JWSSignatureVerificationFailed)) throw error;
      }
    }
    throw several;
  }
}

function inTime(token: ForeignToken, now: number): ForeignToken {
  if (now >= token.expiresAt + TOKEN_LEEWAY * 1_000) throw new ReeveError("token_expired");
  return token;
}

function isSound(trusted: TrustedIssuer, payload: JWTPayload, now: number): boolean {
  const { iat = 0, exp = 0 } = payload;
  const subject = subjectOf(trusted, payload);
  const named = typeof subject === "string" && subject.length > 0 && subject.length <= TEXT;
  return named && iat * 1_000 <= now + TOKEN_LEEWAY * 1_000 && exp - iat <= MAX_TOKEN_LIFE;
}

function subjectOf({ subjectClaim = "sub" }: TrustedIssuer, claims: JWTPayload): unknown {
  return claims[subjectClaim];
}

/** Whether the token's `typ` and `azp` are accepted. */
function isMeantFor(trusted: TrustedIssuer, { azp }: JWTPayload, type: string | undefined): boolean {
  const { audience, authorizedParties = [audience], tokenTypes = TOKEN_TYPES } = trusted;
  const isParty = azp === undefined || (typeof azp === "string" && authorizedParties.includes(azp));
  return isParty && (type === undefined || tokenTypes.map(mediaType).includes(mediaType(type)));
}

/** RFC 7515, section 4.1.9: the prefix is optional, and case is ignored. */
function mediaType(type: string): string {
  return type.toLowerCase().replace(/^application\//, "");
}

function foreignToken(text: string, trusted: TrustedIssuer, claims: JWTPayload): ForeignToken {
  const { exp } = claims as { exp: number };
  // Only the signed part, because a signature has several encodings.
  const signed = text.slice(0, text.lastIndexOf("."));
  const tokenId = `ext_${createHash("sha256").update(signed).digest("hex")}`;
  return {
    trusted,
    subject: subjectOf(trusted, claims) as string,
    tokenId,
    expiresAt: Math.floor(exp * 1_000),
    claims,
  };
}

export const foreignTokens = defineService("identity.foreignTokens", (env) => new ForeignTokens(env));
