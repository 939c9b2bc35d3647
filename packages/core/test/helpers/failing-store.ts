import type { FindQuery, Reader, StoreError, Transaction } from "#store/index.js";
import type { Store } from "../../src/index.js";

/** A store whose transactions fail before they commit, with the error that `fail` returns. */
export function failing(store: Store, fail: (attempt: number, tenantId: string) => StoreError | undefined): Store {
  let attempts = 0;
  const transaction = <T>(tenantId: string, work: (tx: Transaction) => Promise<T>): Promise<T> =>
    store.transaction(tenantId, async (tx) => {
      const done = await work(tx);
      attempts += 1;
      const failure = fail(attempts, tenantId);
      if (failure) throw failure;
      return done;
    });
  return withTransactions(store, transaction);
}

/** A store that awaits `work` after its transaction with this number has committed. */
export function afterTransaction(store: Store, number: number, work: () => Promise<void>): Store {
  let committed = 0;
  return withTransactions(store, async (...given) => {
    const done = await store.transaction(...given);
    committed += 1;
    if (committed === number) await work();
    return done;
  });
}

type AfterRead = (collection: string, query: FindQuery) => Promise<void>;

/** A store that awaits `work` after each find outside of transactions. */
export const afterFind = (store: Store, work: AfterRead) => afterRead(store, "find", work);

/** A store that awaits `work` after each list outside of transactions. */
export const afterList = (store: Store, work: AfterRead) => afterRead(store, "list", work);

function afterRead(store: Store, method: "find" | "list", work: AfterRead): Store {
  const forTenant = (tenantId: string) => {
    const writer = store.forTenant(tenantId);
    const read: Reader["list"] = async (collection, query) => {
      const found = await (writer[method] as Reader["list"])(collection, query);
      await work(collection.name, query);
      return found;
    };
    return replacing(writer, method, read);
  };
  return replacing(store, "forTenant", forTenant);
}

const withTransactions = (store: Store, transaction: Store["transaction"]) =>
  replacing(store, "transaction", transaction);

/** An object with another method in place of one of its own. */
function replacing<T extends object>(object: T, method: keyof T, other: unknown): T {
  return new Proxy(object, {
    get(target, name) {
      if (name === method) return other;
      const value = Reflect.get(target, name) as unknown;
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
