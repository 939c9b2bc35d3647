import { randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isSealed, type Logger, type MasterKeys } from "@reeve/core";
import { Failure } from "../failure.js";
import { masterKeysOf } from "../settings/master-keys.js";
import type { Settings } from "../settings/settings.js";
import { makeFolder } from "./make-folder.js";
import { openStore, storeName } from "./store.js";

/** Where a loopback server keeps its own key: beside the SQLite file, or in ./data for PostgreSQL. */
export function masterKeyFile({ store }: Pick<Settings, "store">): string {
  return store.kind === "sqlite" ? `${store.file}.master-key` : "./data/postgres.master-key";
}

/** The master key from the environment, else the stored one. Throws a `Failure` where neither is there. */
export function masterKeyOf(settings: Pick<Settings, "store" | "masterKey">): string | MasterKeys {
  if (settings.masterKey !== undefined) return settings.masterKey;
  const file = masterKeyFile(settings);
  if (!existsSync(file))
    throw new Failure(`REEVE_MASTER_KEY is required: the key of ${storeName(settings.store)} is not in ${file}`);
  const key = masterKeysOf(readFileSync(file, "utf8").trim());
  if (!key) throw new Failure(`${file} does not hold a master key (32 bytes in base64)`);
  return key;
}

/**
 * Stores a new master key where none is there, unless the store is sealed with another: then a `Failure` is thrown, and
 * none is made. Rejects with what the store says when it cannot be asked.
 */
export async function provideMasterKey(settings: Settings, log: Logger): Promise<void> {
  const file = masterKeyFile(settings);
  if (settings.masterKey !== undefined || existsSync(file)) return;
  if (await isSealedAlready(settings.store, log))
    throw new Failure(
      `REEVE_MASTER_KEY is required: ${storeName(settings.store)} is in use already, and its key ${file} is missing`,
    );
  keepNewKey(file);
}

/** Looks without making a file or a schema. */
async function isSealedAlready(setting: Settings["store"], log: Logger): Promise<boolean> {
  if (setting.kind === "sqlite") {
    if (!existsSync(setting.file)) return false;
    const found = statSync(setting.file);
    if (!found.isFile()) throw new Failure(`REEVE_STORE must name a file, and ${setting.file} is none`);
    if (found.size === 0) return false;
  }
  const store = await openStore(setting, log);
  try {
    return await isSealed(store);
  } finally {
    await store.close();
  }
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
