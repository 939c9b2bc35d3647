/** Items in order of arrival, which tests can wait for. */
export class Arrivals<T> {
  readonly all: T[] = [];
  #waiting: (() => void)[] = [];

  add(item: T): void {
    this.all.push(item);
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** The `count`th matching item, once it has arrived. */
  async next(fits: (item: T) => boolean, count: number): Promise<T> {
    for (;;) {
      const item = this.all.filter(fits)[count - 1];
      if (item) return item;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}
