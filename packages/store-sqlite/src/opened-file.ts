import { statSync } from "node:fs";
import { StoreError } from "@reeve/core/store";

/** The file of a database, as it was when it was opened. */
export class OpenedFile {
  readonly #identity: string | undefined;

  constructor(private readonly path: string) {
    this.#identity = identityOf(path);
  }

  /** Throws `unavailable` when the path leads to another file by now, or to none: what is written would be lost. */
  assertThere(): void {
    const now = identityOf(this.path);
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
