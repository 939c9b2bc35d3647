import { createMemoryStore, type Store } from "@reeve/core";

/** How to make an empty store of one kind. */
export interface StoreKind {
  readonly name: string;
  create(): Promise<Store>;
}

/** The stores that core's own tests run on. Other packages hand theirs to the suites of `@reeve/testkit`. */
export function stores(): readonly StoreKind[] {
  return [{ name: "memory", create: async () => createMemoryStore() }];
}
