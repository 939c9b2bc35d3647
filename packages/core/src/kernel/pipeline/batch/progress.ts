import type { Clock } from "#ports/clock.js";
import { inProcess } from "../../http/in-process.js";
import type { BatchOutcome, Refused } from "./work.js";

/** The most failures in a report. */
const FAILURES_KEPT = 100;

/** The progress of a run, reported after each commit. */
export interface BatchProgress {
  /** Inputs that were done or refused. */
  readonly done: number;
  /** How many there are, when known. */
  readonly total?: number;
  readonly failed: number;
  /** Inputs per second since the start; 0 at first. */
  readonly perSecond: number;
}

/** The result of a run. */
export interface BatchReport extends BatchProgress {
  /** The first 100 refused inputs. `onOutcome` gets all of them. */
  readonly failures: readonly Refused[];
}

interface Listeners<T> {
  readonly onProgress?: (progress: BatchProgress) => void;
  readonly onOutcome?: (outcome: BatchOutcome<T>) => void;
}

/** Counts outcomes and notifies listeners. */
export class BatchProgressCounter<T> {
  readonly #started: number;
  readonly #failures: Refused[] = [];
  #done = 0;
  #failed = 0;

  constructor(
    private readonly clock: Clock,
    private readonly total: number | undefined,
    private readonly listeners: Listeners<T>,
  ) {
    this.#started = clock.now();
  }

  note(outcomes: readonly BatchOutcome<T>[]): void {
    for (const made of outcomes) {
      this.#done += 1;
      const outcome = made.error === undefined ? made : { index: made.index, error: inProcess(made.error) };
      if (outcome.error !== undefined) {
        this.#failed += 1;
        if (this.#failures.length < FAILURES_KEPT) this.#failures.push(outcome);
      }
      this.listeners.onOutcome?.(outcome);
    }
  }

  notify(): void {
    this.listeners.onProgress?.(this.progress());
  }

  progress(): BatchProgress {
    const ms = this.clock.now() - this.#started;
    return {
      done: this.#done,
      ...(this.total === undefined ? {} : { total: this.total }),
      failed: this.#failed,
      perSecond: ms > 0 ? Math.round((this.#done * 1_000) / ms) : 0,
    };
  }

  report(): BatchReport {
    return { ...this.progress(), failures: this.#failures };
  }
}
