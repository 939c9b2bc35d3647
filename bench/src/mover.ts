import { setTimeout } from "node:timers/promises";

/** How long a server may still work on a request whose answer nobody awaits. */
const LINGER_MS = 250;

/** A change of status to request. */
export interface Step {
  readonly id: string;
  readonly to: string;
}

/** Chooses valid lifecycle changes. It tracks the status of each asset and requests one change at a time. */
export class Mover {
  readonly #status = new Map<string, string>();
  readonly #waiting: string[];
  readonly #unsure = new Set<string>();

  constructor(ids: readonly string[]) {
    this.#waiting = [...ids];
  }

  /** The steps of one connection. Each call means that the previous step was answered. */
  connection(): () => Step {
    let under: Step | undefined;
    return () => {
      if (under) {
        this.#status.set(under.id, under.to);
        this.#unsure.delete(under.id);
        this.#waiting.push(under.id);
      }
      const id = this.#waiting.shift();
      if (id === undefined) throw new Error("more connections than assets to move");
      under = { id, to: this.#status.get(id) === "development" ? "validation" : "development" };
      this.#unsure.add(id);
      return under;
    };
  }

  /** After a burst, reads the status of assets whose last step may not have completed. */
  async settle(statusOf: (id: string) => Promise<string>): Promise<void> {
    await setTimeout(LINGER_MS);
    for (const id of this.#unsure) {
      this.#status.set(id, await statusOf(id));
      this.#waiting.push(id);
    }
    this.#unsure.clear();
  }
}
