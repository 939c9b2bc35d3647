/**
 * Several texts in one column: each as JSON, which has no line break, between line breaks. `null` when there are none. Throws
 * a TypeError for what is no list of texts.
 */
export function textsColumn(texts: readonly string[]): string | null {
  if (!Array.isArray(texts) || texts.some((text) => typeof text !== "string"))
    throw new TypeError("a field of texts holds a list of texts");
  return texts.length === 0 ? null : `\n${[...new Set(texts)].map((text) => JSON.stringify(text)).join("\n")}\n`;
}

/** What stands in the column of every list that holds this text, and of no other. */
export function textMark(text: string): string {
  return `\n${JSON.stringify(text)}\n`;
}
