import { setTimeout as sleep } from "node:timers/promises";
import { ReeveError } from "@reeve/core";
import type { Drain } from "../http/drain.js";

/** Pause between two checks, in ms. */
const PAUSE_MS = 1_000;
/** How long the outcome of a check counts while the next one has none, in ms. */
const COUNTS_MS = 5_000;

/** The answer to a probe. */
export interface Told {
  readonly status: number;
  readonly text: string;
}

/** `failed` names the checks that did. */
interface Outcome {
  readonly text: string;
  readonly failed: readonly string[];
  readonly isReady: boolean;
}

const UNKNOWN: Outcome = { text: "storage_unavailable unknown", failed: [], isReady: false };

/**
 * Whether the server is ready: the store answers and takes writes, its schema is current, and the server is not
 * stopping. It is checked in the background and told from memory, so that no probe waits for the store.
 */
export class Readiness {
  readonly #stopped = new AbortController();
  #last = UNKNOWN;
  #at = Number.NEGATIVE_INFINITY;

  /** `ping` resolves to a status, or rejects with a `ReeveError` that names the outcome of each check. */
  constructor(
    private readonly ping: () => Promise<{ readonly status: string }>,
    private readonly drain: Pick<Drain, "begun">,
    private readonly pauses = { pauseMs: PAUSE_MS, countsMs: COUNTS_MS },
  ) {}

  /** Checks for the first time, and from then on again and again. */
  async start(): Promise<void> {
    await this.#check();
    void this.#goOn();
  }

  stop(): void {
    this.#stopped.abort();
  }

  /** What a probe is told now. Failures of the `ignored` checks do not count. */
  told(ignored: readonly string[] = []): Told {
    if (this.drain.begun) return { status: 503, text: "shutting_down" };
    const { text, failed, isReady } = performance.now() - this.#at < this.pauses.countsMs ? this.#last : UNKNOWN;
    if (isReady) return { status: 200, text };
    if (failed.length > 0 && failed.every((name) => ignored.includes(name))) return { status: 200, text: "ok" };
    return { status: 503, text };
  }

  async #goOn(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await sleep(this.pauses.pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await this.#check();
    }
  }

  async #check(): Promise<void> {
    this.#last = await this.#outcome();
    this.#at = performance.now();
  }

  async #outcome(): Promise<Outcome> {
    try {
      const { status } = await this.ping();
      return { text: status, failed: [], isReady: true };
    } catch (error) {
      if (!ReeveError.is(error)) return UNKNOWN;
      const { checks = {} } = error.members as { checks?: Record<string, string> };
      const failed = Object.keys(checks).filter((name) => checks[name] === "unavailable");
      return { text: [error.code, ...failed].join(" "), failed, isReady: false };
    }
  }
}

/** The probes of readiness by path. */
export function readinessPages(readiness: Readiness): ReadonlyMap<string, () => Told> {
  const ready = () => readiness.told();
  return new Map([
    ["/readyz", ready],
    ["/readyz/reads", () => readiness.told(["writes"])],
    ["/healthz", ready],
  ]);
}
