import type { ChangeListener } from "@reeve/core/store";
import type { SqliteDatabase } from "./driver/driver.js";

/** How often it is asked whether another connection has committed, in ms. It takes some microseconds. */
const ASK_EVERY_MS = 400;

/**
 * Tells listeners when another process, or a statement of the host, has written the file. SQLite says that something was
 * written and not which rows, so each is told that anything may have changed. Its timer does not keep the process alive.
 */
export class ForeignCommits {
  readonly #listeners = new Set<ChangeListener>();
  #timer: NodeJS.Timeout | undefined;
  #version: unknown;

  /** `writer` makes all commits of this store, which its own count leaves out. */
  constructor(private readonly writer: SqliteDatabase) {}

  add(listener: ChangeListener): void {
    this.#listeners.add(listener);
    if (this.#timer) return;
    this.#version = this.#read();
    this.#timer = setInterval(() => this.#ask(), ASK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#listeners.clear();
  }

  #ask(): void {
    const version = this.#read();
    if (version === undefined || version === this.#version) return;
    this.#version = version;
    for (const listener of this.#listeners) listener(undefined);
  }

  /** Counts the commits of other connections. `undefined` while the file cannot be read, as in the recovery after a crash. */
  #read(): unknown {
    try {
      return this.writer.pragma("data_version", { simple: true });
    } catch {
      return undefined;
    }
  }
}
