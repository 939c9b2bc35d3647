import { LRUCache } from "lru-cache";
import type { Clock } from "../ports/clock.js";
import { ReeveError } from "./errors.js";
import type { RateLimits } from "./options.js";

const WINDOW = 60_000;
const KEYS = 50_000;

interface Counter {
  startedAt: number;
  used: number;
}

/** The standard headers, and whether the request may go on. */
export interface RateDecision {
  readonly headers: Readonly<Record<string, string>>;
  readonly violated: readonly string[];
  readonly retryAfter: number;
}

/** Fixed windows of a minute, per tenant, principal and address, in this process. Bounded: the least used keys are forgotten. */
export class RateLimiter {
  readonly #counters = new LRUCache<string, Counter>({ max: KEYS });

  constructor(readonly clock: Clock) {}

  /** Counts one request against each bucket that has a limit. */
  take(limits: RateLimits, keys: Readonly<Partial<Record<keyof RateLimits, string>>>): RateDecision {
    const now = this.clock.now();
    const policies: string[] = [];
    const states: string[] = [];
    const violated: string[] = [];
    let retryAfter = 0;
    for (const [bucket, key] of Object.entries(keys) as [keyof RateLimits, string][]) {
      const quota = limits[bucket];
      if (quota === 0) continue;
      const counter = this.#counter(`${bucket} ${key}`, now);
      counter.used += 1;
      const resets = Math.max(1, Math.ceil((counter.startedAt + WINDOW - now) / 1_000));
      policies.push(`"${bucket}";q=${quota};w=${WINDOW / 1_000}`);
      states.push(`"${bucket}";r=${Math.max(0, quota - counter.used)};t=${resets}`);
      if (counter.used > quota) {
        violated.push(bucket);
        retryAfter = Math.max(retryAfter, resets);
      }
    }
    const headers = { "ratelimit-policy": policies.join(", "), ratelimit: states.join(", ") };
    return { headers: policies.length > 0 ? headers : {}, violated, retryAfter };
  }

  #counter(key: string, now: number): Counter {
    const known = this.#counters.get(key);
    if (known && now - known.startedAt < WINDOW) return known;
    const fresh = { startedAt: now, used: 0 };
    this.#counters.set(key, fresh);
    return fresh;
  }
}

/** 429 naming the buckets that are empty. */
export function requireQuota(decision: RateDecision): void {
  if (decision.violated.length === 0) return;
  throw new ReeveError("rate_limited", `Too many requests; repeat in ${decision.retryAfter} s.`, {
    members: { "violated-policies": decision.violated },
    headers: { "retry-after": String(decision.retryAfter), ...decision.headers },
  });
}
