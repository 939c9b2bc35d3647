import type { LRUCache } from "lru-cache";

/** The cached value of `key`. When there is none, `create` makes it and it is cached. */
export function getOrCreate<K extends {}, V extends {}>(cache: LRUCache<K, V>, key: K, create: () => V): V {
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const created = create();
  cache.set(key, created);
  return created;
}
