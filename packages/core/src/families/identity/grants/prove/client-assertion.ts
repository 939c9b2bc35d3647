import { createHash } from "node:crypto";
import type { JWTPayload } from "jose";
import { decodeProtectedHeader } from "jose/decode/protected_header";
import { decodeJwt } from "jose/jwt/decode";
import { jose } from "#kernel/http/jose.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { StoreError } from "#store/store-error.js";
import type { PresentedClient } from "../../clients/look-up-client.js";
import { TOKEN_LEEWAY } from "../../keys/rules.js";
import { lastRestore } from "../../tokens/note-restore.js";
import { usedAssertions } from "./used-assertions.js";

/** The longest validity of an assertion, in seconds. Its `jti` is stored that long. */
export const ASSERTION_LIFE = 600;
/** Both names of one algorithm. The newer one is from RFC 9864. */
const ED25519 = ["EdDSA", "Ed25519"];
const ID_LENGTH = 300;

/** The client id that an assertion claims, unverified. `undefined` when it has none, or another than `client_id`. */
export function assertedClientId({
  clientId,
  assertion,
}: {
  readonly clientId: string | undefined;
  readonly assertion: string;
}): string | undefined {
  try {
    const { iss, sub } = decodeJwt(assertion);
    return typeof sub === "string" && sub === iss && (clientId ?? sub) === sub ? sub : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Id of the credential whose key signed an assertion (RFC 7523). `undefined` unless it is for this service, in time and
 * not used before. The stored key determines the algorithm, never the header.
 */
export async function provenByAssertion(
  ctx: ReadContext,
  client: PresentedClient | undefined,
  assertion: string,
): Promise<string | undefined> {
  for (const { id, publicJwk } of client?.credentials ?? []) {
    if (publicJwk === null || !isMeant(publicJwk, assertion)) continue;
    const payload = await verified(ctx, publicJwk, assertion);
    if (payload && (await isFromBefore(ctx, payload))) return undefined;
    if (payload && client) return (await isFirstUse(ctx, client, payload)) ? id : undefined;
  }
  return undefined;
}

/** Whether the key ids of header and stored key are equal. A missing one matches. */
function isMeant({ kid }: Readonly<Record<string, string>>, assertion: string): boolean {
  const named = decodeProtectedHeader(assertion).kid;
  return kid === undefined || named === undefined || kid === named;
}

async function verified(
  ctx: ReadContext,
  publicJwk: Readonly<Record<string, string>>,
  assertion: string,
): Promise<JWTPayload | undefined> {
  const { baseUrl } = ctx.env.options;
  const { nowMs } = ctx.request;
  const { importJWK, jwtVerify } = await jose();
  try {
    const alg = publicJwk.alg as string;
    const { payload } = await jwtVerify(assertion, await importJWK(publicJwk, alg), {
      algorithms: alg === "EdDSA" ? ED25519 : [alg],
      audience: [baseUrl, `${baseUrl}/api/v1/auth/token`],
      clockTolerance: TOKEN_LEEWAY,
      currentDate: new Date(nowMs),
      requiredClaims: ["iss", "sub", "aud", "exp", "jti"],
    });
    const { exp = 0, jti } = payload;
    const inTime = exp * 1_000 <= nowMs + (ASSERTION_LIFE + TOKEN_LEEWAY) * 1_000;
    return inTime && typeof jti === "string" && jti.length > 0 && jti.length <= ID_LENGTH ? payload : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a restore came after it, so that the store may have forgotten that it was used. */
async function isFromBefore(
  { env }: ReadContext,
  { exp = 0, iat = exp - ASSERTION_LIFE }: JWTPayload,
): Promise<boolean> {
  return iat * 1_000 < (await env.use(lastRestore).at());
}

/** Stores an assertion until it has expired. Of concurrent uses only one is the first. */
async function isFirstUse(
  ctx: ReadContext,
  { tenantId, identityId }: PresentedClient,
  payload: JWTPayload,
): Promise<boolean> {
  const { exp = 0, jti = "" } = payload;
  const used = {
    id: createHash("sha256").update(`${identityId}\n${jti}`).digest("hex"),
    expiresAt: timestamp((Math.ceil(exp) + TOKEN_LEEWAY + 1) * 1_000),
  };
  try {
    await systemContext(ctx.env, tenantId, "assertion").write((inner) => inner.insert(usedAssertions, used));
    return true;
  } catch (error) {
    if (StoreError.is(error) && error.code === "duplicate") return false;
    throw error;
  }
}
