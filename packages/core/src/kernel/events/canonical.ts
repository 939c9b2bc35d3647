import { configure } from "safe-stable-stringify";

// It sorts by UTF-16 code units and writes numbers and texts as ECMAScript does, as RFC 8785 requires.
const stringify = configure({ strict: true });

/** A lone surrogate in JSON's escaped form. After an odd number of backslashes it would be ordinary text. */
const HALF_PAIR = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/**
 * JSON in the canonical form of RFC 8785. Properties without a value are left out. Throws `TypeError` for values that
 * JSON cannot express and for text that is not valid Unicode.
 */
export function canonical(value: unknown): string {
  let text: string | undefined;
  try {
    text = stringify(value);
  } catch (thrown) {
    throw new TypeError("only JSON values can be made canonical", { cause: thrown });
  }
  if (text === undefined) throw new TypeError("only JSON values can be made canonical");
  if (text.includes("\\ud") && HALF_PAIR.test(text))
    throw new TypeError("text with half a surrogate pair has no canonical form");
  return text;
}
