import type { Context } from "../../../kernel/context.js";
import { ReeveError } from "../../../kernel/errors.js";
import type { Transaction } from "../../../store/store.js";
import { PLATFORM_TENANT } from "../../platform/index.js";
import { foldUsername } from "../users/schema.js";
import { type Attempts, signInAttempts } from "./schema.js";

/** Attempts allowed per window: small for one user from one address, larger and slower for a user, for an address. */
export const ATTEMPT_LIMITS = { userAndAddress: 10, user: 100, address: 300 } as const;
/** How long attempts count, in milliseconds. */
export const ATTEMPT_WINDOW = 15 * 60_000;

/**
 * Counts an attempt at a credential before anything is compared, so that parallel guesses share one budget in every process.
 * Unknown users are counted like known ones. 429 with the seconds to wait when a budget is spent.
 */
export async function countAttempt(ctx: Context, username: string): Promise<void> {
  const ids = attemptIds(ctx, username);
  const wait = await ctx.env.store.transaction(PLATFORM_TENANT, async (tx) => {
    const rows = new Map((await tx.getMany(signInAttempts, Object.values(ids))).map((row) => [row.id, row.value]));
    const now = ctx.request.nowMs;
    const spent = (Object.keys(ids) as (keyof typeof ids)[])
      .map((budget) => ({ limit: ATTEMPT_LIMITS[budget], held: current(rows.get(ids[budget]), now) }))
      .filter(({ limit, held }) => held !== undefined && held.used >= limit)
      .map(({ held }) => Date.parse((held as Attempts).startedAt) + ATTEMPT_WINDOW - now);
    if (spent.length > 0) return Math.max(...spent);
    for (const id of Object.values(ids)) await countOne(tx, id, rows.get(id), ctx);
    return 0;
  });
  if (wait > 0) {
    const seconds = String(Math.ceil(wait / 1_000));
    throw new ReeveError("too_many_attempts", `Too many attempts; repeat in ${seconds} s.`, {
      headers: { "retry-after": seconds },
    });
  }
}

/** After a success the user starts afresh from this address; the wider budgets keep counting. */
export async function forgiveAttempts(ctx: Context, username: string): Promise<void> {
  const { userAndAddress } = attemptIds(ctx, username);
  await ctx.env.store.transaction(PLATFORM_TENANT, async (tx) => {
    const row = await tx.get(signInAttempts, userAndAddress);
    if (row) await tx.remove(signInAttempts, row.value, ctx.now);
  });
}

function attemptIds(ctx: Context, username: string) {
  const address = ctx.request.remoteAddress ?? "unknown";
  const user = foldUsername(username);
  const id = (...parts: string[]) => ctx.env.secretBox.fingerprint(parts.join("\n"), "attempts");
  return { userAndAddress: id("user-address", user, address), user: id("user", user), address: id("address", address) };
}

function current(attempts: Attempts | undefined, now: number): Attempts | undefined {
  return attempts && now - Date.parse(attempts.startedAt) < ATTEMPT_WINDOW ? attempts : undefined;
}

async function countOne(tx: Transaction, id: string, stored: Attempts | undefined, ctx: Context): Promise<void> {
  const held = current(stored, ctx.request.nowMs);
  const used = (held?.used ?? 0) + 1;
  const startedAt = held?.startedAt ?? ctx.now;
  if (stored) await tx.replace(signInAttempts, { ...stored, version: stored.version + 1, used, startedAt }, stored);
  else await tx.insert(signInAttempts, { id, version: 1, createdAt: ctx.now, startedAt, used });
}
