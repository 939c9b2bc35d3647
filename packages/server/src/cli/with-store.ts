import type { Store } from "@reeve/core";
import { Failure } from "../failure.js";
import { createCommandLog } from "../log.js";
import { messageOf } from "../service/control-plane.js";
import { openStore, storeName } from "../service/store.js";
import type { Settings } from "../settings/settings.js";

/** Runs work with the store alone, which changes no schema, then closes it. Rejects with `Failure`. */
export async function withStore<T>(
  { store: setting, logLevel }: Settings,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  let store: Store | undefined;
  try {
    store = await openStore(setting, createCommandLog(logLevel));
    return await work(store);
  } catch (error) {
    throw new Failure(`cannot use ${storeName(setting)}: ${messageOf(error)}`);
  } finally {
    await store?.close();
  }
}
