import { withoutUnfit } from "#kernel/http/free-values.js";
import { cutText } from "#kernel/records/cut-text.js";

const LONGEST = 200;
/** A mail address, or a place on somebody's machine. */
const PERSONAL = /[^\s@]@[\w-]+\.\w|^~|^[a-z]:[\\/]|^file:|\\|(?:^|\s|\/(?:home|users))\//i;

/**
 * A name that somebody's program has given, as it may be kept and shown: on one line, cut, without a path before it.
 * `null` for none, and for one that holds a secret or names a person.
 */
export function fitName(given: string): string | null {
  const line = given
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .trim();
  const name = cutText(line.startsWith("/") ? (line.split("/").at(-1) ?? "") : line, LONGEST);
  return name === "" || PERSONAL.test(name) || withoutUnfit(name, []) === undefined ? null : name;
}
