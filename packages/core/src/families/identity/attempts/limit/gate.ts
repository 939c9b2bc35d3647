import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import { networkOf } from "#kernel/http/network.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { daysMs, minutesMs } from "#ports/durations.js";
import { foldUsername } from "../../users/schema.js";
import { budgets } from "./budgets.js";
import type { Budget } from "./counters.js";

/**
 * Failed attempts allowed per window: few for one user from one address, more for a user and for an address. Random
 * tokens and secrets have a budget per address of their own, because nobody guesses one, and stale ones must not keep
 * people out.
 */
export const ATTEMPT_LIMITS = { userAndAddress: 10, user: 100, address: 300, tokenAddress: 3_000 } as const;
/** The window of attempts, in milliseconds. */
export const ATTEMPT_WINDOW = minutesMs(15);
/** How long it is known that a user proved themselves from an address, in milliseconds. */
const PROVEN_FOR = daysMs(30);

/**
 * Whom a credential is of: an id, address or token that only one has, or a user name within a tenant. Without a tenant
 * the name may be of several accounts.
 */
export type Subject = string | { readonly username: string; readonly within: string | undefined };

/**
 * Every check of a credential that people choose or that is short runs through this function: passwords and codes. The
 * store counts the attempt before `check` compares anything, so parallel guesses share one budget. Unknown subjects are
 * counted like known ones. A successful check is refunded and resets the subject's budget for this address, unless the name
 * was tried in several tenants: who proves one account must not have more guesses at another. For a month after one, only
 * that budget refuses the subject there, so that guesses of others at the name or from the address keep nobody out. A check
 * that failed with 5xx is refunded. 429 with the seconds to wait when a budget is spent.
 */
export async function attempt<T>(ctx: ReadContext, subject: Subject, check: () => Promise<T>): Promise<T> {
  const { userAndAddress, user, address, proven } = attemptBudgets(ctx, subject, "address");
  const counter = ctx.env.use(budgets);
  requireRoom(await counter.spend([userAndAddress], [user, address], proven));
  let found: T;
  try {
    found = await check();
  } catch (error) {
    if (!isAnswer(error)) await refundQuietly(ctx, [userAndAddress, user, address]);
    throw error;
  }
  const isOne = typeof subject === "string" || subject.within !== undefined;
  await (isOne
    ? counter.giveBack([user, address], [userAndAddress], proven)
    : counter.giveBack([userAndAddress, user, address], [], proven));
  return found;
}

/**
 * The same for a random token or secret, or one that was signed elsewhere. It is looked at first, because nobody guesses
 * one, and only what fails is counted and refused, so that worthless ones keep no good one out. Refuse malformed ones
 * before: they count nothing.
 */
export async function attemptToken<T>(ctx: ReadContext, subject: string, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (!isAnswer(error)) throw error;
    const { userAndAddress, user, address } = attemptBudgets(ctx, subject, "tokenAddress");
    requireRoom(await ctx.env.use(budgets).spend([userAndAddress, user, address]));
    throw error;
  }
}

/** 429 `too_many_attempts` when `wait`, in milliseconds, is positive. */
export function requireRoom(wait: number): void {
  if (wait <= 0) return;
  const seconds = String(Math.ceil(wait / 1_000));
  throw new ReeveError("too_many_attempts", `Too many attempts; repeat in ${seconds} s.`, {
    headers: { "retry-after": seconds },
  });
}

/** The peer whose budgets a request uses. Requests without a known peer share one. */
export function peerOf(ctx: ReadContext): string {
  return networkOf(ctx.request.remoteAddress ?? "unknown");
}

/** A budget under a keyed hash, so that the store has neither names nor addresses. */
export function budgetOf(
  { secretBox }: Pick<Environment, "secretBox">,
  parts: readonly string[],
  limit: number,
  window: number,
): Budget {
  return { key: secretBox.fingerprint(parts.join("\n"), "attempts"), limit, window };
}

function attemptBudgets(ctx: ReadContext, subject: Subject, kind: "address" | "tokenAddress") {
  const user =
    typeof subject === "string" ? foldUsername(subject) : `${foldUsername(subject.username)}\n${subject.within ?? ""}`;
  const address = peerOf(ctx);
  const budget = (name: keyof typeof ATTEMPT_LIMITS, ...parts: string[]) =>
    budgetOf(ctx.env, [name, ...parts], ATTEMPT_LIMITS[name], ATTEMPT_WINDOW);
  return {
    userAndAddress: budget("userAndAddress", user, address),
    user: budget("user", user),
    address: budget(kind, address),
    proven: budgetOf(ctx.env, ["proven", user, address], 1, PROVEN_FOR),
  };
}

/** Refunds without throwing, so that the error being handled stays the one that is thrown. */
export async function refundQuietly(ctx: ReadContext, back: readonly Budget[]): Promise<void> {
  try {
    await ctx.env.use(budgets).giveBack(back);
  } catch (error) {
    ctx.env.logger.warn({ error: String(error) }, "an attempt stays counted");
  }
}

function isAnswer(error: unknown): boolean {
  return ReeveError.is(error) && error.status < 500;
}
