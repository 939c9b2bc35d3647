/**
 * Reads by key for many at once: keys that are asked for in the same turn of the event loop go to one `load`. The
 * answer to each key is what `load` has for it.
 */
export function batched<K, V>(
  load: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
): (key: K) => Promise<V | undefined> {
  let waiting: { readonly keys: Set<K>; readonly loaded: Promise<ReadonlyMap<K, V>> } | undefined;
  return async (key) => {
    if (!waiting) {
      const keys = new Set<K>();
      const loaded = Promise.resolve().then(() => {
        waiting = undefined;
        return load([...keys]);
      });
      waiting = { keys, loaded };
    }
    waiting.keys.add(key);
    return (await waiting.loaded).get(key);
  };
}
