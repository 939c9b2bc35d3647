import { LRUCache } from "lru-cache";

/**
 * A cache that forgets what was used longest ago beyond `most` entries. It is bounded by size, since the library sets aside room
 * for all entries of a `max` at once: milliseconds and megabytes of each control plane, most of which stay empty.
 */
export function boundedCache<K extends {}, V extends {}>(most: number): LRUCache<K, V> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
}
