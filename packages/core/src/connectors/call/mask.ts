/** Secrets shorter than this are not looked for, because they would occur by chance. */
const SHORTEST = 4;

/** Remembers the secrets of one call, and takes them out of what leaves it. */
export class Mask {
  readonly #secrets = new Set<string>();

  hide(secrets: Iterable<string>): void {
    for (const secret of secrets) if (secret.length >= SHORTEST) this.#secrets.add(secret);
  }

  text(given: string): string {
    let text = given;
    // The longest first, because the rest of one that begins with another would stay.
    const secrets = [...this.#secrets].sort((one, other) => other.length - one.length);
    for (const secret of secrets) text = text.replaceAll(secret, "***");
    return text;
  }

  /** A JSON value with every text in it masked. */
  value(given: unknown): unknown {
    if (typeof given === "string") return this.text(given);
    if (Array.isArray(given)) return given.map((entry) => this.value(entry));
    if (given === null || typeof given !== "object") return given;
    return Object.fromEntries(Object.entries(given).map(([name, entry]) => [this.text(name), this.value(entry)]));
  }
}
