import type { Store } from "#store/store.js";

/** Key of the whole store in an environment. Only the kernel may import this; the rest reads through `env.store`. */
export const STORE: unique symbol = Symbol("store");

/** The store of a control plane, including its transactions. */
export function storeOf(env: { readonly [STORE]: Store }): Store {
  return env[STORE];
}
