import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Unexpected } from "./expectation.js";

const LONGEST = 15_000;
const BETWEEN = 50;

/** The directory in which a standalone server without a mail server keeps its mails. */
export class Mailbox {
  constructor(readonly directory: string) {}

  /** Whether mails can be read here. If not, the server sends them by SMTP or runs elsewhere. */
  get exists(): boolean {
    try {
      readdirSync(this.directory);
      return true;
    } catch {
      return false;
    }
  }

  /** The match of the pattern in the first mail to this address that has one. Waits for it. */
  async find(address: string, pattern: RegExp): Promise<string> {
    for (let waited = 0; waited <= LONGEST; waited += BETWEEN) {
      for (const text of this.#mails()) {
        const found = text.includes(`To: ${address}\n`) ? pattern.exec(text)?.[1] : undefined;
        if (found !== undefined) return found;
      }
      await wait(BETWEEN);
    }
    throw new Unexpected(`a mail to ${address} arrives in ${this.directory}`, String(pattern), "nothing of the kind");
  }

  #mails(): string[] {
    if (!this.exists) return [];
    const files = readdirSync(this.directory).filter((name) => name.endsWith(".eml"));
    return files.map((name) => readFileSync(join(this.directory, name), "utf8"));
  }
}

/** Patterns of the one-time code and of the link's token in a mail. */
export const CODE = /^ +(\d{8})$/m;
export const LINK_TOKEN = /#token=([\w-]+)/;
