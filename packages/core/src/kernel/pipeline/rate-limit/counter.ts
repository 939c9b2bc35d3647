import { minutesMs } from "#ports/durations.js";
import type { QuotaClaim, QuotaGrant } from "#store/quota.js";
import type { BucketName } from "../../config/rate-limits.js";
import { STRICT } from "./buckets.js";

/** Length of a window, in milliseconds. */
export const WINDOW = minutesMs(1);
/** A process reserves a limit in parts of 1/20. It may use one part before it first asks the store. */
const PART = 20;

/** The units of one bucket in one window, as one process knows them: granted and used. */
export class Counter {
  readonly strict: boolean;
  readonly policy: string;
  #used = 0;
  #granted: number;
  /** Units that this process used without reserving them in the store. */
  #untold: number;
  /** Units that no process has reserved, as far as this one knows. */
  #left: number;
  /** The limit is used up until the window ends. */
  #over = false;
  /** Whether the store failed to answer the last request. */
  unanswered = false;
  asking: Promise<void> | undefined;

  constructor(
    readonly bucket: BucketName,
    readonly limit: number,
    readonly until: number,
  ) {
    this.strict = STRICT.has(bucket);
    this.policy = `"${bucket}";q=${limit};w=${WINDOW / 1_000}`;
    this.#granted = this.#untold = this.strict ? 0 : Math.floor(limit / PART);
    this.#left = limit - this.#granted;
  }

  get isEmpty(): boolean {
    return this.#used >= this.#granted;
  }

  /** Empty, and the store must be asked for more. */
  get isDry(): boolean {
    return this.isEmpty && !this.#over;
  }

  get isSpent(): boolean {
    return this.isEmpty && this.#over;
  }

  use(): void {
    this.#used += 1;
  }

  giveBack(): void {
    this.#used = Math.max(0, this.#used - 1);
  }

  claim(key: string): QuotaClaim {
    return { key, limit: this.limit, until: this.until, spent: this.#untold, wanted: this.#wanted };
  }

  granted({ granted, left }: QuotaGrant): void {
    this.unanswered = false;
    this.#untold = 0;
    this.#granted += granted;
    this.#left = left;
    this.#over = granted === 0;
  }

  /** Without an answer, an ordinary bucket goes on as if this were the only process. A strict one stays empty. */
  goOnUnanswered(): void {
    this.unanswered = true;
    if (this.strict) return;
    const more = Math.min(this.#wanted, this.limit - this.#granted);
    this.#granted += more;
    this.#untold += more;
    this.#left = Math.max(0, this.#left - more);
    this.#over = more === 0;
  }

  /** Seconds until the window ends, at least one. */
  resets(now: number): number {
    return Math.max(1, Math.ceil((this.until - now) / 1_000));
  }

  state(now: number): string {
    const left = Math.max(0, this.#granted - this.#used) + this.#left;
    return `"${this.bucket}";r=${left};t=${this.resets(now)}`;
  }

  /** Reserves less near the end of the limit, so that few units stay unused in one process. */
  get #wanted(): number {
    return Math.max(1, Math.min(Math.ceil(this.limit / PART), Math.floor(this.#left / 4)));
  }
}

/**
 * When a key's window that contains `now` ends, in milliseconds since the epoch. Every process computes the same
 * moment. Keys differ in it, so that not all windows start at once.
 */
export function windowEnd(bucket: BucketName, key: string, now: number): number {
  let hash = 0;
  for (const text of [bucket, key]) {
    for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 0;
  }
  const offset = hash % WINDOW;
  return Math.floor((now - offset) / WINDOW) * WINDOW + offset + WINDOW;
}
