/** Runs one task at a time, in order. */
export class Queue {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(task);
    // Whoever asked is told by `result`; the next task runs either way.
    this.#tail = result.catch(() => undefined);
    return result;
  }

  /** Settles when everything that was asked for so far has ended. */
  async drained(): Promise<void> {
    await this.#tail;
  }
}
