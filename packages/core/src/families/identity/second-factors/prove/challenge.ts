import { randomBytes } from "node:crypto";
import { tenantHosts, tenants } from "#families/platform/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { ProvenPassword } from "../../sessions/start-session.js";
import { credentials } from "../../users/passwords/credentials.js";
import { users } from "../../users/schema.js";
import { CHALLENGE_LIFETIME } from "../rules.js";

const CONTEXT = "second factor challenge";

/** What a sign-in that waits for a second factor carries with it. */
interface Challenge {
  readonly tenantId: string;
  readonly userId: string;
  /** Any later state of the account's credential ends it. */
  readonly securityVersion: number;
  /** What a passkey signs. */
  readonly nonce: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Somebody whose password was proven a moment ago, and what their passkey is to sign. */
export interface Challenged extends ProvenPassword {
  readonly nonce: string;
}

/** A sign-in that waits for a second factor, sealed, so that it can only be handed back, and what a passkey signs for it. */
export function sealChallenge(
  ctx: ReadContext,
  { row, securityVersion }: ProvenPassword,
): { readonly challenge: string; readonly nonce: string } {
  const challenge: Challenge = {
    tenantId: row.tenantId,
    userId: row.id,
    securityVersion,
    nonce: randomBytes(32).toString("base64url"),
    expiresAt: ctx.request.nowMs + CHALLENGE_LIFETIME,
  };
  return { challenge: ctx.env.secretBox.seal(JSON.stringify(challenge), CONTEXT), nonce: challenge.nonce };
}

/**
 * Whose sign-in waits. 401 `invalid_credentials` when it was not sealed here, has waited too long, or the account is not
 * as it was.
 */
export async function openChallenge(ctx: ReadContext, sealed: string): Promise<Challenged> {
  const text = ctx.env.secretBox.open(sealed, CONTEXT);
  const challenge = text === undefined ? undefined : (JSON.parse(text) as Challenge);
  if (!challenge || challenge.expiresAt <= ctx.request.nowMs) throw ended();
  const { tenantId, userId, securityVersion, nonce } = challenge;
  if (!(await ctx.env.use(tenantHosts).admits(ctx.request.host, tenantId))) throw ended();
  const reader = ctx.env.store.forTenant(tenantId);
  const [row, credential, tenant] = await Promise.all([
    reader.get(users, userId),
    reader.get(credentials, userId),
    reader.get(tenants, tenantId),
  ]);
  const stands = row?.value.status === "active" && tenant?.value.status === "active";
  if (!stands || credential?.value.securityVersion !== securityVersion) throw ended();
  return { row, securityVersion, nonce };
}

const ended = () => new ReeveError("invalid_credentials", "The challenge is over; begin again with the password.");
