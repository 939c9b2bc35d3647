/** Characters that a terminal acts on or shows nothing for, also as half of a pair. They let one text pass for another. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/** A text of somebody else in one line, with each character that cannot be seen as its escape. */
export function shownText(text: string): string {
  return text.replaceAll(UNSHOWN, (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`);
}

/** Lines of one's own around texts of others. Only ends of lines and tabs keep their meaning. */
export function shownLines(text: string): string {
  return text.replaceAll(UNSHOWN, (character) =>
    character === "\n" || character === "\t" ? character : shownText(character),
  );
}

/** The value as JSON in one line, which means the same with all that cannot be seen escaped. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replaceAll(UNSHOWN, (character) =>
    [...Array(character.length).keys()].map((at) => `\\u${hex(character.charCodeAt(at))}`).join(""),
  );
}

const hex = (unit: number) => unit.toString(16).padStart(4, "0");
