import { statSync } from "node:fs";
import { resolve } from "node:path";
import { StoreError } from "@reeve/core/store";

/** The file of a database, as it was when it was opened. */
export class OpenedFile {
  readonly #path: string;
  readonly #identity: string | undefined;

  constructor(path: string) {
    // SQLite keeps to the file when the process changes its directory.
    this.#path = resolve(path);
    this.#identity = identityOf(this.#path);
  }

  /** Throws `unavailable` when the path leads to another file by now, or to none: what is written would be lost. */
  assertThere(): void {
    const now = identityOf(this.#path);
    if (now === this.#identity) return;
    throw new StoreError(
      "unavailable",
      `the database file was ${now === undefined ? "deleted" : "replaced"} while it is open; restart the process`,
    );
  }
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
