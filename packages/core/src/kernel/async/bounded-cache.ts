import { LRUCache } from "lru-cache";

/**
 * A cache of at most `most` entries, which drops the least recently used. It uses `maxSize`, because the library
 * allocates room for all entries of a `max` at once, which is slow and mostly unused.
 */
export function boundedCache<K extends {}, V extends {}>(most: number): LRUCache<K, V> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
}
