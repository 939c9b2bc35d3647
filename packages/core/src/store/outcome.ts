import type { Reader } from "./store.js";
import { StoreError } from "./store-error.js";

/** Whether a transaction has committed, for readers that wait for it. */
export class Outcome {
  #state: "open" | "committed" | "aborted" = "open";
  readonly #waiting: (() => void)[] = [];

  /** Releases the waiting readers. */
  commit(): void {
    this.#resolve("committed");
  }

  /** Rejects the waiting readers, unless the transaction has committed. */
  end(): void {
    if (this.#state === "open") this.#resolve("aborted");
  }

  /** The same reader, whose reads wait for the commit. */
  reader(reader: Reader): Reader {
    return new Proxy(reader, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        return async (...asked: unknown[]) => {
          await this.committed();
          return member.apply(target, asked);
        };
      },
    });
  }

  /** Rejects with `aborted` when there is no commit. */
  async committed(): Promise<void> {
    if (this.#state === "open") await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#state === "aborted") throw new StoreError("aborted", "the transaction did not commit");
  }

  #resolve(state: "committed" | "aborted"): void {
    this.#state = state;
    for (const goOn of this.#waiting.splice(0)) goOn();
  }
}
