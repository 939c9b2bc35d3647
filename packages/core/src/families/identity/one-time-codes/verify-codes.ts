import { randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { PLATFORM_TENANT } from "#families/platform/index.js";
import { systemPrincipal } from "#kernel/config/principal.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import { StoreError } from "#store/store-error.js";
import { foldUsername } from "../users/schema.js";
import { type AddressProof, addressProofs, type OneTimeCode, oneTimeCodes } from "./schema.js";

/** How long a code is valid, in milliseconds, and how many tries it allows. */
export const CODE_LIFETIME = minutesMs(10);
export const CODE_TRIES = 5;
/** How long a proof of an address is valid, in milliseconds. */
export const PROOF_LIFETIME = minutesMs(30);

/** What a code is bound to. */
export interface Target {
  readonly email: string;
  readonly purpose: string;
}

/**
 * Stores a new code in place of an older one for the same address and purpose. Returns the code and its stored form.
 */
export async function issueCode(ctx: OutsideContext, target: Target): Promise<{ code: string; stored: OneTimeCode }> {
  const code = String(randomInt(100_000_000)).padStart(8, "0");
  const id = targetId(ctx, target);
  const stored = await asPlatform(ctx, async (inner) => {
    const previous = (await inner.db.get(oneTimeCodes, id))?.value;
    const expiresAt = timestamp(ctx.request.nowMs + CODE_LIFETIME);
    const fields = { codeHash: codeHash(ctx, id, code), tries: 0, expiresAt };
    const next = previous
      ? await inner.update(oneTimeCodes, previous, fields)
      : await inner.insert(oneTimeCodes, { id, ...fields });
    await inner.emit({ type: "one_time_code.issued", subject: subjectOf(id), data: { purpose: target.purpose } });
    return next;
  });
  return { code, stored };
}

/** Deletes a code that could not be mailed, unless a newer one has replaced it. */
export async function withdrawCode(ctx: OutsideContext, stored: OneTimeCode): Promise<void> {
  await asPlatform(ctx, async (inner) => {
    const current = (await inner.db.get(oneTimeCodes, stored.id))?.value;
    if (current?.codeHash === stored.codeHash) await inner.remove(oneTimeCodes, current);
  });
}

/**
 * Exchanges a code for a proof of the address. The try is counted in the same transaction, and transactions of the
 * platform are serialised. So at most five of any concurrent guesses are compared, and only one correct one succeeds.
 */
export async function redeemCode(
  ctx: OutsideContext,
  target: Target,
  code: string,
): Promise<{ token: string; expiresAt: string }> {
  const id = targetId(ctx, target);
  const token = randomBytes(32).toString("base64url");
  const expiresAt = timestamp(ctx.request.nowMs + PROOF_LIFETIME);
  const proven = await asPlatform(ctx, async (inner) => {
    const stored = (await inner.db.get(oneTimeCodes, id))?.value;
    if (!stored || stored.expiresAt <= ctx.now || stored.tries >= CODE_TRIES) return false;
    if (!sameHash(stored.codeHash, codeHash(ctx, id, code))) {
      await inner.update(oneTimeCodes, stored, { tries: stored.tries + 1 });
      return false;
    }
    await inner.remove(oneTimeCodes, stored);
    await inner.insert(addressProofs, { id: proofId(ctx, token), target: id, expiresAt });
    await inner.emit({ type: "one_time_code.redeemed", subject: subjectOf(id), data: { purpose: target.purpose } });
    return true;
  });
  if (!proven) throw new ReeveError("invalid_otp");
  return { token, expiresAt };
}

/**
 * The proof of a verification token, if it matches the target and is in time. 400 `invalid_otp` otherwise. The proof
 * stays usable.
 */
export async function needProof(ctx: ReadContext, target: Target, token: string): Promise<AddressProof> {
  const row = await ctx.env.store.forTenant(PLATFORM_TENANT).get(addressProofs, proofId(ctx, token));
  if (!row || row.value.target !== targetId(ctx, target) || row.value.expiresAt <= ctx.now)
    throw new ReeveError("invalid_otp", "The verification token does not prove this address.");
  return row.value;
}

/** Uses the proof, within a transaction of any tenant. Of concurrent transactions only one succeeds. */
export async function useProof(ctx: Context, proof: AddressProof): Promise<void> {
  await ctx.on(PLATFORM_TENANT).remove(addressProofs, proof);
}

/** Whether a transaction failed because another had used the proof. */
export function isProofGone(error: unknown): boolean {
  return StoreError.is(error) && error.code === "stale";
}

function asPlatform<T>(ctx: OutsideContext, work: (inner: Context) => Promise<T>): Promise<T> {
  return ctx.write(work, systemPrincipal(PLATFORM_TENANT));
}

function targetId(ctx: ReadContext, { email, purpose }: Target): string {
  return ctx.env.secretBox.fingerprint(`${purpose}\n${foldUsername(email)}`, "one-time code target");
}

function codeHash(ctx: ReadContext, id: string, code: string): string {
  return ctx.env.secretBox.fingerprint(`${id}\n${code}`, "one-time code");
}

function proofId(ctx: ReadContext, token: string): string {
  return ctx.env.secretBox.fingerprint(token, "verification token");
}

function sameHash(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

function subjectOf(id: string) {
  return { id, type: "address", path: "/api/v1/email" };
}
