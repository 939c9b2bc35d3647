import type { IdSource } from "@reeve/core";
import type { Store } from "@reeve/core/store";

/** Ids that count up and can be reset. */
class ReturningIds implements IdSource {
  minted = 0;

  next(): string {
    this.minted += 1;
    return String(this.minted).padStart(26, "0");
  }
}

/**
 * A store, and ids for it. When the store runs work again, the work gets the same ids as the first time. Otherwise each
 * retry would change all later ids. For one request at a time.
 */
export function repeatable(store: Store): { readonly store: Store; readonly ids: IdSource } {
  const ids = new ReturningIds();
  const transaction: Store["transaction"] = (tenantId, work, kind) => {
    let first: number | undefined;
    const again: typeof work = (tx) => {
      // Its first run may have waited for other work, which keeps the ids that it has taken.
      first ??= ids.minted;
      ids.minted = first;
      return work(tx);
    };
    return store.transaction(tenantId, again, kind);
  };
  const proxied = new Proxy(store, {
    get(target, name) {
      if (name === "transaction") return transaction;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { store: proxied, ids };
}
