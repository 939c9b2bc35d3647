const EVERY_MS = 3_000;

/** Shows progress: one changing line on a terminal, else a line every few seconds. */
export class Progress {
  #last = 0;
  #open = false;
  readonly #started = performance.now();

  constructor(private readonly out: NodeJS.WriteStream = process.stderr) {}

  /** Work in progress. */
  at(text: string): void {
    const now = performance.now();
    if (this.out.isTTY) {
      this.out.write(`\r\u001b[2K${this.#clock()} ${text}`);
      this.#open = true;
    } else if (now - this.#last > EVERY_MS) {
      this.#last = now;
      this.out.write(`${this.#clock()} ${text}\n`);
    }
  }

  /** Completed work. */
  done(text: string): void {
    this.out.write(`${this.#open ? "\r\u001b[2K" : ""}${this.#clock()} ${text}\n`);
    this.#open = false;
    this.#last = performance.now();
  }

  #clock(): string {
    const seconds = Math.round((performance.now() - this.#started) / 1_000);
    return `[${String(Math.floor(seconds / 60)).padStart(3)}:${String(seconds % 60).padStart(2, "0")}]`;
  }
}
