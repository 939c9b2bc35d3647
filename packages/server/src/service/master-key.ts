import { randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { MasterKeys } from "@reeve/core";
import { Failure } from "../failure.js";
import { masterKeysOf } from "../settings/master-keys.js";
import type { Settings } from "../settings/settings.js";
import { makeFolder } from "./make-folder.js";
import { storeName } from "./store.js";

/** Where a loopback server keeps its own key: beside the SQLite file, or in ./data for PostgreSQL. */
export function masterKeyFile({ store }: Pick<Settings, "store">): string {
  return store.kind === "sqlite" ? `${store.file}.master-key` : "./data/postgres.master-key";
}

/**
 * The master key from the environment, else the stored one. Where neither is, `makesOne` stores a new one, and without
 * it a `Failure` is thrown: what is there already was made with another.
 */
export function masterKeyOf(
  settings: Pick<Settings, "store" | "masterKey">,
  { makesOne = false } = {},
): string | MasterKeys {
  if (settings.masterKey !== undefined) return settings.masterKey;
  const file = masterKeyFile(settings);
  if (!existsSync(file)) {
    refuseToLoseData(settings.store, file);
    if (!makesOne)
      throw new Failure(`REEVE_MASTER_KEY is required: the key of ${storeName(settings.store)} is not in ${file}`);
    keepNewKey(file);
  }
  const key = masterKeysOf(readFileSync(file, "utf8").trim());
  if (!key) throw new Failure(`${file} does not hold a master key (32 bytes in base64)`);
  return key;
}

/** An existing database is sealed with a key that a new one cannot replace. */
function refuseToLoseData(store: Settings["store"], file: string): void {
  if (store.kind !== "sqlite" || !existsSync(store.file)) return;
  const found = statSync(store.file);
  if (!found.isFile()) throw new Failure(`REEVE_STORE must name a file, and ${store.file} is none`);
  if (found.size === 0) return;
  throw new Failure(`REEVE_MASTER_KEY is required: ${store.file} is in use already, and its key ${file} is missing`);
}

/** Written to a draft and linked into place, so that no process reads a partial key or sees it replaced. */
function keepNewKey(file: string): void {
  makeFolder(dirname(file));
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600, flag: "wx", flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
}
