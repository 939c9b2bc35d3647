import type { Store } from "../../store/store.js";

/** Where an environment keeps its whole store. Only the kernel may import this; everything else reads through `env.store`. */
export const STORE: unique symbol = Symbol("store");

/** The store of a control plane, with its transactions. */
export function storeOf(env: { readonly [STORE]: Store }): Store {
  return env[STORE];
}
