import type { JWTVerifyGetKey } from "jose";
import type { TrustedIssuer } from "#families/options.js";
import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import { jose } from "#kernel/http/jose.js";
import { hoursMs, minutesMs } from "#ports/durations.js";
import { readUsableKeys } from "./read-keys.js";
import type { UsableKeys } from "./usable-keys.js";

/** The greatest age of keys before they are read again, in milliseconds. */
const FRESH = minutesMs(10);
/**
 * The least time between two reads, so that invented key ids and outages cause no flood at the issuer, in milliseconds.
 */
const PAUSE = 30_000;
/** The least time between reads while there are no keys yet, for instance when both services start together. */
const FIRST_PAUSE = 5_000;
/** How long keys are used while the issuer does not answer, in milliseconds. */
const STALE = hoursMs(24);

/** The keys of one read. */
export interface ReadKeys {
  readonly select: JWTVerifyGetKey;
  readonly readAt: number;
}

/** The public keys of one trusted issuer, read through the egress on demand and cached. */
export class IssuerKeys {
  #held: ReadKeys | undefined;
  #reading: Promise<ReadKeys> | undefined;
  #told = "";
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor(
    readonly env: Environment,
    readonly trusted: TrustedIssuer,
  ) {}

  /** The cached keys, read again when they are old. 503 `issuer_unavailable` when there are none. */
  async current(): Promise<ReadKeys> {
    const held = this.#held;
    if (held && this.#age(held) < FRESH) return held;
    return this.#readUnlessPaused().catch((cause: unknown) => {
      if (held && this.#age(held) < STALE) return held;
      throw new ReeveError("issuer_unavailable", undefined, { cause, headers: { "retry-after": "30" } });
    });
  }

  /** Keys read after `known`, for a token whose key is not among those. Returns `known` when there are none. */
  async after(known: ReadKeys): Promise<ReadKeys> {
    if (this.#held && this.#held !== known) return this.#held;
    // The read logs its own failure. The known keys stay valid.
    return this.#readUnlessPaused().catch(() => known);
  }

  #age({ readAt }: ReadKeys): number {
    return this.env.clock.now() - readAt;
  }

  async #readUnlessPaused(): Promise<ReadKeys> {
    const pause = this.#held ? PAUSE : FIRST_PAUSE;
    if (!this.#reading && this.env.clock.now() - this.#triedAt < pause)
      throw new Error("the issuer was asked just now");
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<ReadKeys> {
    const readAt = this.env.clock.now();
    this.#triedAt = readAt;
    try {
      const { keys, leftOut } = await readUsableKeys(this.env.egress, this.trusted);
      this.#tell(leftOut);
      const { createLocalJWKSet } = await jose();
      // Without a usable key too: an issuer that has withdrawn its keys vouches for no token.
      this.#held = { select: createLocalJWKSet({ keys: [...keys] }), readAt };
      return this.#held;
    } catch (error) {
      const fields = { issuer: this.trusted.issuer, error: String(error) };
      this.env.logger.warn(fields, "the keys of a trusted issuer cannot be read");
      throw error;
    }
  }

  /** Once, until others are left out. */
  #tell(leftOut: UsableKeys["leftOut"]): void {
    const reported = JSON.stringify(leftOut);
    if (leftOut.length > 0 && reported !== this.#told)
      this.env.logger.warn({ issuer: this.trusted.issuer, leftOut }, "keys of a trusted issuer are left out");
    this.#told = reported;
  }
}
