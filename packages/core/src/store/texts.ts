/**
 * Several texts in one column: each as JSON between line breaks, which JSON escapes. `null` for none. Throws a
 * TypeError unless given a list of texts.
 */
export function textsColumn(texts: readonly string[]): string | null {
  if (!Array.isArray(texts) || texts.some((text) => typeof text !== "string"))
    throw new TypeError("a field of texts holds a list of texts");
  return texts.length === 0
    ? null
    : `\n${[...new Set(texts.map(canonical))].map((text) => JSON.stringify(text)).join("\n")}\n`;
}

/** A mark that the column of every list with this text contains, and no other. */
export function textMark(text: string): string {
  return `\n${JSON.stringify(canonical(text))}\n`;
}

const canonical = (text: string) => text.normalize("NFC");
