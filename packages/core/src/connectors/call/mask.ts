/** Secrets shorter than this are not looked for, because they would occur by chance. */
const SHORTEST = 4;
/** Parts of secrets from this length on are masked in texts that quote a part, as those of parsers do. */
const PART = 8;

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

  /** At most `longest` characters of a foreign text, with secrets masked also where a part or their Base64 is quoted. */
  quoted(given: string, longest: number): string {
    const text = this.text(given.slice(0, longest));
    const parts = new Set([...this.#secrets].flatMap(formsOf).flatMap(partsOf));
    let [masked, hiddenTo] = ["", 0];
    for (let at = 0; at < text.length; at += 1) {
      const isPart = parts.has(text.slice(at, at + PART));
      if (isPart && at >= hiddenTo) masked += "***";
      if (isPart) hiddenTo = at + PART;
      if (at >= hiddenTo) masked += text[at];
    }
    // At the cut may stand the beginning of a secret.
    return given.length > longest ? `${masked.slice(0, -PART)}…` : masked;
  }

  /** A JSON value with every text in it masked. */
  value(given: unknown): unknown {
    if (typeof given === "string") return this.text(given);
    if (Array.isArray(given)) return given.map((entry) => this.value(entry));
    if (given === null || typeof given !== "object") return given;
    return Object.fromEntries(Object.entries(given).map(([name, entry]) => [this.text(name), this.value(entry)]));
  }
}

/** A secret, and what Base64 makes of it, whatever stands before it. */
function formsOf(secret: string): readonly string[] {
  const encoded = [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    // The ends depend on what stands beside the secret.
    return (["base64", "base64url"] as const).map((form) => bytes.toString(form).slice(before === 0 ? 0 : 4, -4));
  });
  return [secret, ...encoded];
}

function partsOf(text: string): readonly string[] {
  return Array.from({ length: Math.max(0, text.length - PART + 1) }, (_unused, at) => text.slice(at, at + PART));
}
