import type { JWTPayload } from "jose";
import { MAX_TOKEN_LIFE, TOKEN_LEEWAY } from "../keys/rules.js";

const CLAIM_LENGTH = 300;
const SCOPE_LENGTH = 4_096;
/** RFC 8176: a password, and something else as well. */
const WITH_FACTOR = ["pwd", "mfa"];

/** The validated claims of an access token. Roles are never among them. */
export interface TokenClaims {
  /** The user name, or the client id of a machine client. */
  readonly username: string;
  /** The user's id, or the id of the AI identity. */
  readonly userId: string;
  readonly tenantId: string;
  readonly tokenId: string;
  /** The security version of the user or machine client at issue. */
  readonly securityVersion: number;
  /** Permissions that this token is limited to. When absent, all of its principal's. */
  readonly scope?: readonly string[];
  /** The one address of this service that it is for; absent when it is for all of it. */
  readonly audience?: string;
  /** When the user signed in, or the client presented its credential, in milliseconds since the epoch. */
  readonly authenticatedAt: number;
  /** Whether the user proved a second factor as well. */
  readonly withFactor?: boolean;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The claims as they are signed, with times in seconds since the epoch. */
export function payloadOf(
  claims: Omit<TokenClaims, "expiresAt">,
  issuer: string,
  now: number,
  exp: number,
): JWTPayload {
  return {
    iss: issuer,
    aud: claims.audience ?? issuer,
    sub: claims.username,
    uid: claims.userId,
    tid: claims.tenantId,
    jti: claims.tokenId,
    iat: now,
    nbf: now,
    exp,
    auth_time: Math.floor(claims.authenticatedAt / 1_000),
    sv: claims.securityVersion,
    ...(claims.withFactor ? { amr: WITH_FACTOR } : {}),
    ...(claims.scope ? { scope: claims.scope.join(" ") } : {}),
  };
}

/**
 * Reads claims after signature, issuer and times were verified. `undefined` when they lack the form that this service issues, or
 * are for another service.
 */
export function claimsOf(payload: JWTPayload, nowMs: number): TokenClaims | undefined {
  const { iss, sub, uid, tid, jti, exp, iat, auth_time, sv, aud, scope, amr } = payload;
  const texts = [sub, uid, tid, jti, aud].every(isText);
  const numbers = [exp, iat, auth_time, sv].every((value) => Number.isSafeInteger(value));
  if (!texts || !numbers) return undefined;
  if (aud !== iss && !(aud as string).startsWith(`${iss}/`)) return undefined;
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
    ...(aud === iss ? {} : { audience: aud as string }),
    authenticatedAt: (auth_time as number) * 1_000,
    ...(Array.isArray(amr) && amr.includes("mfa") ? { withFactor: true } : {}),
    expiresAt: (exp as number) * 1_000,
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= CLAIM_LENGTH;
}
