import type { LRUCache } from "lru-cache";

/** The cached value of `key`; made by `create` and cached when there is none. */
export function getOrCreate<K extends {}, V extends {}>(cache: LRUCache<K, V>, key: K, create: () => V): V {
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const created = create();
  cache.set(key, created);
  return created;
}
