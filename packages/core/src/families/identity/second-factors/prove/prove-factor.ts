import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { vault } from "#kernel/operation/vault/vault.js";
import { daysMs } from "#ports/durations.js";
import type { PasskeyMessage } from "#ports/passkeys.js";
import { budgets } from "../../attempts/limit/budgets.js";
import { attempt, budgetOf, refundQuietly, requireRoom } from "../../attempts/limit/gate.js";
import { reportFailure } from "../../attempts/limit/report-failure.js";
import type { Method } from "../../sessions/schema.js";
import { type ProvenPassword, userPrincipal } from "../../sessions/start-session.js";
import { credentials } from "../../users/passwords/credentials.js";
import { factorsOf } from "../queries.js";
import { recoveryHash } from "../recovery-codes.js";
import { ANSWERED_KEPT, WRONG_CODES_A_DAY } from "../rules.js";
import { type SecondFactor, secondFactors } from "../schema.js";
import { matchingStep } from "../totp-codes.js";
import type { Challenged } from "./challenge.js";
import { passkeySite } from "./use-passkeys.js";

/** What somebody proves themselves with a second time. */
export interface FactorAnswer {
  readonly code?: string | undefined;
  readonly recoveryCode?: string | undefined;
  readonly passkey?: PasskeyMessage | undefined;
}

/** Whether there is anything to prove with. */
export const isAnswered = ({ code, recoveryCode, passkey }: FactorAnswer): boolean =>
  code !== undefined || recoveryCode !== undefined || passkey !== undefined;

/** An answer that was read, and what takes it within a transaction. */
interface Reading {
  readonly method: Method;
  /** Uses the answer up. `false` when it is not right, or was used before. */
  readonly take: (ctx: Context, factors: readonly SecondFactor[]) => Promise<boolean>;
}

/**
 * Proves a second factor of somebody, and uses the answer up: of answers sent at once only one counts. 400 `invalid_otp`
 * when it is not right, 429 after too many attempts.
 */
export async function proveFactor(
  ctx: OutsideContext,
  who: ProvenPassword & Partial<Pick<Challenged, "nonce">>,
  answer: FactorAnswer,
): Promise<Method> {
  const { row, securityVersion } = who;
  return guessing(ctx, row.id, async () => {
    const reading = await readAnswer(ctx, who, answer);
    const taken = await ctx.write(
      async (inner) => {
        // Whatever ended the sign-in meanwhile, such as a new password, ends this one too.
        const credential = (await inner.db.get(credentials, row.id))?.value;
        if (credential?.securityVersion !== securityVersion) return false;
        return (await reading?.take(inner, await factorsOf(inner.db, row.id))) ?? false;
      },
      userPrincipal(ctx, row.tenantId, row.value),
    );
    if (taken && reading) return reading.method;
    reportFailure(ctx, [row]);
    throw wrongCode();
  });
}

export const wrongCode = () => new ReeveError("invalid_otp", "The code is not right, or was used before.");

/** Runs a check of a code within the budgets of attempts, and those of a day. */
export async function guessing<T>(ctx: ReadContext, userId: string, check: () => Promise<T>): Promise<T> {
  const ofDay = budgetOf(ctx.env, ["second factor", userId], WRONG_CODES_A_DAY, daysMs(1));
  return attempt(ctx, `second factor ${userId}`, async () => {
    requireRoom(await ctx.env.use(budgets).spend([ofDay]));
    const found = await check();
    await refundQuietly(ctx, [ofDay]);
    return found;
  });
}

async function readAnswer(
  ctx: ReadContext,
  { row, nonce }: ProvenPassword & Partial<Pick<Challenged, "nonce">>,
  { code, recoveryCode, passkey }: FactorAnswer,
): Promise<Reading | undefined> {
  if (recoveryCode !== undefined) return readRecoveryCode(recoveryHash(ctx.env, row.id, recoveryCode));
  const factors = await factorsOf(ctx.env.store.forTenant(row.tenantId), row.id);
  if (passkey !== undefined) return readPasskey(ctx, row.tenantId, factors, { answer: passkey, nonce });
  const factor = factors.find(({ kind }) => kind === "totp");
  if (code === undefined || !factor) return undefined;
  const secret = await openSecret(ctx, row.tenantId, factor);
  const { nowMs } = ctx.request;
  return {
    method: "totp",
    async take(inner, current) {
      const now = current.find(({ id }) => id === factor.id);
      const step = now && matchingStep(secret, code, nowMs, now.usedStep);
      if (!now || step === undefined) return false;
      await inner.update(secondFactors, now, { usedStep: step, lastUsedAt: inner.now });
      return true;
    },
  };
}

/** What a passkey has signed. It signs the nonce of a challenge, which counts once. */
async function readPasskey(
  ctx: ReadContext,
  tenantId: string,
  factors: readonly SecondFactor[],
  { answer, nonce }: { readonly answer: PasskeyMessage; readonly nonce: string | undefined },
): Promise<Reading | undefined> {
  const factor = factors.find(({ passkey }) => passkey?.credentialId === answer.id);
  if (nonce === undefined || !factor?.passkey || !ctx.env.passkeys) return undefined;
  const site = await passkeySite(ctx.env, tenantId);
  const counter = await ctx.env.passkeys.signed(site, nonce, answer, factor.passkey);
  if (counter === undefined) return undefined;
  return {
    method: "passkey",
    async take(inner, current) {
      const now = current.find(({ id }) => id === factor.id);
      if (!now?.passkey || now.challenges.includes(nonce)) return false;
      // Authenticators that count never say the same twice.
      if (counter <= now.passkey.counter && (counter > 0 || now.passkey.counter > 0)) return false;
      const challenges = [nonce, ...now.challenges].slice(0, ANSWERED_KEPT);
      const passkey = { ...now.passkey, counter };
      await inner.update(secondFactors, now, { passkey, challenges, lastUsedAt: inner.now });
      return true;
    },
  };
}

function readRecoveryCode(hash: string): Reading {
  return {
    method: "recovery_code",
    async take(inner, current) {
      const codes = current.find(({ codeHashes }) => codeHashes.includes(hash));
      if (!codes) return false;
      const codeHashes = codes.codeHashes.filter((one) => one !== hash);
      await inner.update(secondFactors, codes, { codeHashes, lastUsedAt: inner.now });
      return true;
    },
  };
}

/** Where the secret of one-time passwords is sealed. */
export const placeOf = (tenantId: string, id: string) =>
  ({ tenantId, collection: secondFactors.name, id, field: "sealedSecret" }) as const;

/** The secret of one-time passwords. Outside of transactions only. */
export function openSecret(ctx: ReadContext, tenantId: string, factor: SecondFactor): Promise<string> {
  return ctx.env.use(vault).open(placeOf(tenantId, factor.id), factor.sealedSecret ?? "");
}
