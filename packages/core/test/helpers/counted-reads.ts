import type { Store } from "#store/index.js";
import type { Reader } from "../../src/index.js";

/** A store that notes each read outside of transactions, with its tenant. */
export function countedReads(store: Store): {
  readonly store: Store;
  readonly asked: [tenantId: string, method: string][];
} {
  const asked: [string, string][] = [];
  const readerOf = (tenantId: string) =>
    new Proxy(store.forTenant(tenantId), {
      get(reader, method: keyof Reader) {
        const read = reader[method];
        if (typeof read !== "function") return read;
        return (...given: never[]) => {
          asked.push([tenantId, method]);
          return (read as (...args: never[]) => unknown).apply(reader, given);
        };
      },
    });
  const counted = new Proxy(store, {
    get(target, name: keyof Store) {
      const value = target[name];
      if (name === "forTenant") return readerOf;
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { store: counted, asked };
}
