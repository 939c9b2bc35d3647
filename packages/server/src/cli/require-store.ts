import { existsSync, statSync } from "node:fs";
import { Failure } from "../failure.js";
import { storeName } from "../service/store.js";
import { type Invocation, settingsOf } from "./command.js";
import { withStore } from "./with-store.js";

/**
 * Throws a `Failure` unless the store holds a database of Reeve. It makes none, because an empty one would pass every
 * check. Say before whether a command makes one.
 */
export async function requireStore(invocation: Invocation): Promise<void> {
  const settings = settingsOf(invocation);
  const { store } = settings;
  const remedy = "name another by REEVE_STORE, or make it by reeve migrate";
  const isThere = store.kind !== "sqlite" || (existsSync(store.file) && statSync(store.file).size > 0);
  if (!isThere) throw new Failure(`${storeName(store)} is not there; ${remedy}`);
  const { migration } = await withStore(settings, (opened) => opened.status());
  if (migration.applied === 0) throw new Failure(`${storeName(store)} holds no database of Reeve; ${remedy}`);
}
