import type { LRUCache } from "lru-cache";
import type { QuotaGrant } from "#store/quota.js";
import { boundedCache } from "../../async/bounded-cache.js";
import type { Environment } from "../../config/environment.js";
import type { BucketName, RateLimits } from "../../config/rate-limits.js";
import { type STORE, storeOf } from "../../config/store-access.js";
import { ReeveError } from "../../http/errors.js";
import { GIVEN_BACK, type Spending } from "./buckets.js";
import { Counter, windowEnd } from "./counter.js";

/** Keys per bucket that are counted at a time. The least recently used are dropped, with their unreserved use. */
const KEYS = 20_000;
/** How long a request waits for quotas from the store, and how long an unresponsive store is left alone, in ms. */
const PATIENCE = 1_000;
const SILENCE = 5_000;

/** The rate limit headers, and whether the request may go on. */
export interface RateDecision {
  readonly headers: Readonly<Record<string, string>>;
  /** Buckets that are empty. If there are any, the request was not counted. */
  readonly violated: readonly string[];
  /** Seconds to wait. */
  readonly retryAfter: number;
}

type LimiterPorts = Pick<Environment, typeof STORE | "clock" | "logger" | "secretBox">;

/**
 * Limits requests over all processes that share one store. A process reserves parts of a limit and counts them down
 * locally, so most requests need no store access. An ordinary bucket may use one part before it first reserves, so a
 * rarely used key never reaches the store. In total, requests can exceed the limit by one part for each process but the
 * first.
 */
export class RateLimiter {
  /** Created per bucket at first use, because a cache allocates all its room at once. */
  readonly #counters = new Map<BucketName, LRUCache<string, Counter>>();
  #silentUntil = Number.NEGATIVE_INFINITY;

  constructor(readonly ports: LimiterPorts) {}

  /**
   * Counts one request against each bucket that has a limit, or against none when one is spent. Asynchronous only when
   * a part must be reserved first. 503 when a strict bucket needs the store and it does not answer.
   */
  spend(limits: RateLimits, spending: Spending): RateDecision | Promise<RateDecision> {
    const now = this.ports.clock.now();
    const counters: Counter[] = [];
    for (const [bucket, key] of spending.keys) {
      if (limits[bucket] > 0) counters.push(this.#counter(bucket, key, limits[bucket], now));
    }
    if (counters.some((counter) => counter.isDry) && !counters.some((counter) => counter.isSpent)) {
      return this.#refill(spending, counters, now).then(() => this.spend(limits, spending));
    }
    return decide(counters, now);
  }

  /** Gives back what a refused request took of the bucket of what succeeds. The unit stays with this process. */
  giveBack({ keys }: Spending): void {
    for (const [bucket, key] of keys) if (bucket === GIVEN_BACK) this.#counters.get(bucket)?.get(key)?.giveBack();
  }

  #counter(bucket: BucketName, key: string, limit: number, now: number): Counter {
    const counters = this.#countersOf(bucket);
    const known = counters.get(key);
    if (known && now < known.until && known.limit === limit) return known;
    const counter = new Counter(bucket, limit, windowEnd(bucket, key, now));
    counters.set(key, counter);
    return counter;
  }

  #countersOf(bucket: BucketName): LRUCache<string, Counter> {
    const known = this.#counters.get(bucket);
    if (known) return known;
    const counters = boundedCache<string, Counter>(KEYS);
    this.#counters.set(bucket, counters);
    return counters;
  }

  /** Reserves a part for every empty bucket in one call. Concurrent requests for the same bucket share that call. */
  async #refill(spending: Spending, counters: readonly Counter[], now: number): Promise<void> {
    const dry = counters.filter((counter) => counter.isDry);
    const asked = dry.filter((counter) => !counter.asking);
    if (asked.length > 0) {
      const asking = this.#ask(spending, asked, now).finally(() => {
        for (const counter of asked) counter.asking = undefined;
      });
      for (const counter of asked) counter.asking = asking;
    }
    await Promise.all(dry.map((counter) => counter.asking));
    if (dry.some((counter) => counter.strict && counter.unanswered)) {
      throw new ReeveError(
        "storage_unavailable",
        "Requests of this kind cannot be counted now, so none is let through.",
        {
          headers: { "retry-after": String(SILENCE / 1_000) },
        },
      );
    }
  }

  async #ask({ tenantId, keys }: Spending, counters: readonly Counter[], now: number): Promise<void> {
    const names = new Map(keys);
    const claims = counters.map((counter) =>
      counter.claim(this.#keyOf(counter.bucket, names.get(counter.bucket) ?? "")),
    );
    const grants = now < this.#silentUntil ? undefined : await this.#answer(tenantId, claims, now);
    for (const [at, counter] of counters.entries()) {
      const grant = grants?.[at];
      if (grant) counter.granted(grant);
      else counter.goOnUnanswered();
    }
  }

  /** The grants of the store. `undefined` when it fails or is late; it is then left alone for a while. */
  async #answer(
    tenantId: string,
    claims: readonly ReturnType<Counter["claim"]>[],
    now: number,
  ): Promise<readonly QuotaGrant[] | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer in ${PATIENCE} ms`)), PATIENCE);
    });
    try {
      return await Promise.race([storeOf(this.ports).reserveQuota(tenantId, claims, now), late]);
    } catch (error) {
      this.#silentUntil = now + SILENCE;
      this.ports.logger.warn(
        { error: String(error) },
        "limits are not shared with other processes: the store is silent",
      );
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  /** A fingerprint, so that the store holds neither names nor addresses. */
  #keyOf(bucket: BucketName, key: string): string {
    return this.ports.secretBox.fingerprint(`${bucket}\n${key}`, "quotas");
  }
}

function decide(counters: readonly Counter[], now: number): RateDecision {
  const spent = counters.filter((counter) => counter.isSpent);
  if (spent.length > 0) {
    const violated = spent.map((counter) => counter.bucket);
    return {
      headers: headersOf(counters, now),
      violated,
      retryAfter: Math.max(...spent.map((each) => each.resets(now))),
    };
  }
  for (const counter of counters) counter.use();
  return { headers: headersOf(counters, now), violated: [], retryAfter: 0 };
}

/** Runs for every answer, so it makes no intermediate arrays. */
function headersOf(counters: readonly Counter[], now: number): Readonly<Record<string, string>> {
  const [first] = counters;
  if (!first) return {};
  let policy = first.policy;
  let state = first.state(now);
  for (let at = 1; at < counters.length; at++) {
    const counter = counters[at] as Counter;
    policy += `, ${counter.policy}`;
    state += `, ${counter.state(now)}`;
  }
  return { "ratelimit-policy": policy, ratelimit: state };
}

/** The registered problem type of a spent quota. */
const QUOTA_EXCEEDED = "https://iana.org/assignments/http-problem-types#quota-exceeded";

/** 429 naming the empty buckets. */
export function requireQuota(decision: RateDecision): void {
  if (decision.violated.length === 0) return;
  throw new ReeveError("rate_limited", `Too many requests; repeat in ${decision.retryAfter} s.`, {
    members: { type: QUOTA_EXCEEDED, "violated-policies": decision.violated },
    headers: { "retry-after": String(decision.retryAfter), ...decision.headers },
  });
}
