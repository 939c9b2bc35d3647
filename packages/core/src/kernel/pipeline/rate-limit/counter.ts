import type { QuotaClaim, QuotaGrant } from "../../../store/store.js";
import type { BucketName } from "../../config/rate-limits.js";
import { STRICT } from "./buckets.js";

/** Milliseconds in which a limit may be used. */
export const WINDOW = 60_000;
/** The part of a limit that a process takes at a time, and that it may use before it asks for the first time. */
const PART = 20;

/** What one process knows of one bucket in one window: units it may use, and what it has used. */
export class Counter {
  readonly strict: boolean;
  readonly policy: string;
  #used = 0;
  #granted: number;
  /** Units that this process has used without telling the store. */
  #untold: number;
  /** Units that no process has reserved, as far as this one knows. */
  #left: number;
  /** The limit is used up until the window ends. */
  #over = false;
  /** The store did not answer when it was asked last. */
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

  /** Without an answer an ordinary bucket goes on as if there were no other process; a strict one stays empty. */
  unheard(): void {
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

  /** Near the end less is reserved at a time, so that little stays unused in one process. */
  get #wanted(): number {
    return Math.max(1, Math.min(Math.ceil(this.limit / PART), Math.floor(this.#left / 4)));
  }
}

/**
 * When the window of a key that holds `now` ends, in milliseconds since the epoch: the same in every process, and at another
 * moment for another key, so that not everybody begins anew at once.
 */
export function windowEnd(bucket: BucketName, key: string, now: number): number {
  let hash = 0;
  for (const text of [bucket, key]) {
    for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 0;
  }
  const offset = hash % WINDOW;
  return Math.floor((now - offset) / WINDOW) * WINDOW + offset + WINDOW;
}
