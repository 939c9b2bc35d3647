/** Runs one task at a time, in order. */
export class Queue {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(task);
    // The caller gets the failure by `result`. The next task runs either way.
    this.#tail = result.catch(() => undefined);
    return result;
  }

  /** Settles when all tasks so far have ended. */
  async drained(): Promise<void> {
    await this.#tail;
  }
}
