import { andThen, type MaybePromise } from "#kernel/async/maybe-promise.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import { z } from "#schema/z.js";
import type { Position } from "#store/find-query.js";
import { ExpiringValue } from "../keys/expiring-value.js";
import { TOKEN_LEEWAY } from "../keys/rules.js";

const RevokedToken = z.object({ id: z.string(), version: z.int().min(1), createdAt: Time, expiresAt: Time });
export type RevokedToken = z.output<typeof RevokedToken>;

/** Revoked tokens, by `jti`, until they would have expired. */
export const revokedTokens = defineCollection<RevokedToken>({
  name: "revoked_tokens",
  broadcast: true,
  prefix: null,
  scope: "platform",
  schema: RevokedToken,
  fields: { expiresAt: { type: "time" } },
  secrets: [],
  indexes: [{ where: [], by: "expiresAt" }],
});

/**
 * Revokes a token, within the transaction. `expiresAt` is the token's own, in milliseconds since the epoch. Returns
 * whether that ended it, which it does once.
 */
export async function revokeToken(ctx: Context, tokenId: string, expiresAt: number): Promise<boolean> {
  const until = expiresAt + TOKEN_LEEWAY * 1_000;
  if (until <= ctx.request.nowMs || (await isRevoked(ctx, tokenId))) return false;
  await ctx.insert(revokedTokens, { id: tokenId, expiresAt: timestamp(until) });
  return true;
}

/** Whether a token of this tenant is revoked now, as the store says. */
export async function isRevoked({ db }: Pick<ReadContext, "db">, tokenId: string): Promise<boolean> {
  return (await db.get(revokedTokens, tokenId)) !== undefined;
}

/** Deletes entries of expired tokens. Returns how many. */
export async function dropRevoked(env: Environment, tenantId: string, now: string): Promise<number> {
  return forEachDue(env, revokedTokens, { by: "expiresAt", before: now }, tenantId, (ctx, token) =>
    ctx.remove(revokedTokens, token),
  );
}

const BATCH = 1_000;
/** The most entries in memory. Beyond that, each token is looked up in the store. */
const HELD = 100_000;
/** How long tokens are looked up in the store before all are loaded again, in milliseconds. */
const RETRY = minutesMs(1);
/** How far back a refresh reads again, in milliseconds: more than clock skew and the length of transactions. */
const OVERLAP = minutesMs(10);

/** All revoked tokens in memory, refreshed by age and by broadcast, so that a request needs no query. */
export class RevokedTokens {
  /** Expiry of each entry, in milliseconds since the epoch. */
  readonly #held = new Map<string, number>();
  readonly #known: ExpiringValue<"all" | "too many">;
  #since = "";
  #tooManyUntil = 0;

  constructor(
    readonly env: Environment,
    readonly most = HELD,
  ) {
    this.#known = new ExpiringValue(env.clock, () => this.#read());
    env.onBroadcast([revokedTokens], () => this.#known.drop());
  }

  has(tenantId: string, tokenId: string): MaybePromise<boolean> {
    return andThen<"all" | "too many", boolean>(this.#known.get(), (extent) => {
      // Usually the map is empty, so no key needs to be built.
      if (extent === "all") return this.#held.size > 0 && this.#held.has(`${tenantId} ${tokenId}`);
      return this.env.store
        .forTenant(tenantId)
        .get(revokedTokens, tokenId)
        .then((row) => row !== undefined);
    });
  }

  async #read(): Promise<"all" | "too many"> {
    const now = this.env.clock.now();
    if (now < this.#tooManyUntil) return "too many";
    for (const [key, until] of this.#held) if (until <= now) this.#held.delete(key);
    let newest = this.#since;
    let after: Position | undefined;
    do {
      const page = await this.env.store.platform.find(revokedTokens, { size: BATCH, ...(after ? { after } : {}) });
      for (const { tenantId, value } of page.rows) {
        if (value.createdAt > newest) newest = value.createdAt;
        const until = Date.parse(value.expiresAt);
        if (until > now) this.#held.set(`${tenantId} ${value.id}`, until);
      }
      const oldest = page.rows.at(-1)?.value.createdAt;
      after = oldest !== undefined && oldest >= this.#since ? page.next : undefined;
    } while (after && this.#held.size <= this.most);
    if (after) {
      this.#tooManyUntil = now + RETRY;
      this.#held.clear();
      this.#since = "";
      return "too many";
    }
    if (newest !== "") this.#since = timestamp(Date.parse(newest) - OVERLAP);
    return "all";
  }
}

export const revocations = defineService("identity.revocations", (env) => new RevokedTokens(env));
