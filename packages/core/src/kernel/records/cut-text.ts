/** The most characters of a name. */
const NAME_LENGTH = 200;

/** The beginning of a text, of at most so many characters as `length` counts them. No character is cut in half. */
export function cutText(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");
}

/** A text as the name of a record. */
export function nameOf(text: string): string {
  return cutText(text, NAME_LENGTH);
}
