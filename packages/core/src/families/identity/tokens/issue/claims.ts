import type { JWTPayload } from "jose";

/** Tolerated clock skew in seconds. */
export const TOKEN_LEEWAY = 60;
/** The longest an access token can live, in seconds. */
export const MAX_TOKEN_LIFE = 86_400;
const CLAIM_LENGTH = 300;
const SCOPE_LENGTH = 4_096;

/** What an access token says, checked. Roles are never in it. */
export interface TokenClaims {
  /** The user name, or the client id of a machine. */
  readonly username: string;
  /** The user's id, or that of the AI identity that a machine acts as. */
  readonly userId: string;
  readonly tenantId: string;
  readonly tokenId: string;
  /** The security version of user or machine that must not have changed since. */
  readonly securityVersion: number;
  /** Permissions this token is narrowed to; absent: all that its principal has. */
  readonly scope?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The claims as they are signed. Times are seconds since the epoch. */
export function payloadOf(
  claims: Omit<TokenClaims, "expiresAt">,
  issuer: string,
  now: number,
  exp: number,
): JWTPayload {
  return {
    iss: issuer,
    aud: issuer,
    sub: claims.username,
    uid: claims.userId,
    tid: claims.tenantId,
    jti: claims.tokenId,
    iat: now,
    nbf: now,
    exp,
    sv: claims.securityVersion,
    ...(claims.scope ? { scope: claims.scope.join(" ") } : {}),
  };
}

/** Reads claims whose signature, issuer, audience and times are right; `undefined` when one of ours is not as we write it. */
export function claimsOf(payload: JWTPayload, nowMs: number): TokenClaims | undefined {
  const { sub, uid, tid, jti, exp, iat, sv, aud, scope } = payload;
  const texts = [sub, uid, tid, jti, aud].every(isText);
  const numbers = [exp, iat, sv].every((value) => Number.isSafeInteger(value));
  if (!texts || !numbers) return undefined;
  if (scope !== undefined && (typeof scope !== "string" || scope.length > SCOPE_LENGTH)) return undefined;
  if ((iat as number) * 1_000 > nowMs + TOKEN_LEEWAY * 1_000) return undefined;
  if ((exp as number) - (iat as number) > MAX_TOKEN_LIFE) return undefined;
  return {
    username: sub as string,
    userId: uid as string,
    tenantId: tid as string,
    tokenId: jti as string,
    securityVersion: sv as number,
    ...(scope === undefined ? {} : { scope: scope.split(" ") }),
    expiresAt: (exp as number) * 1_000,
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= CLAIM_LENGTH;
}
