import { StoreError } from "@reeve/core/store";

/** How long a write that found no room tells of the disk, in ms. Nobody may write meanwhile, so it has to end by itself. */
const REPORTS_MS = 10_000;

/** Whether the database has room, by the writes that found none lately. */
export class Room {
  #until = Number.NEGATIVE_INFINITY;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Call with what a write was refused by. */
  refused(error: unknown): void {
    if (StoreError.is(error) && error.code === "full") this.#until = this.now() + REPORTS_MS;
  }

  /** Call when a write was stored. */
  accepted(): void {
    this.#until = Number.NEGATIVE_INFINITY;
  }

  get isFull(): boolean {
    return this.now() < this.#until;
  }
}
