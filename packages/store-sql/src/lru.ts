/** A map that forgets what was used longest ago once it holds `limit` entries. */
export class Lru<K, V> {
  readonly #entries = new Map<K, V>();

  constructor(
    private readonly limit: number,
    private readonly onEvict: (value: V) => void = () => {},
  ) {}

  get size(): number {
    return this.#entries.size;
  }

  /** The value of `key`, made by `make` when there is none. */
  getOrMake(key: K, make: () => V): V {
    let value = this.#entries.get(key);
    if (value === undefined) {
      value = make();
      this.#evict();
    } else if (this.#entries.size >= this.limit) {
      // Recency only matters once something has to go; below the limit a hit costs one look-up.
      this.#entries.delete(key);
    } else {
      return value;
    }
    this.#entries.set(key, value);
    return value;
  }

  #evict(): void {
    if (this.#entries.size < this.limit) return;
    const [oldest] = this.#entries;
    if (!oldest) return;
    this.#entries.delete(oldest[0]);
    this.onEvict(oldest[1]);
  }
}
