import { distance } from "fastest-levenshtein";

/** The most edits between a slip and the name that was meant. */
const MOST_EDITS = 3;
/** The fewest letters of a word by which longer names are found. */
const LEAST_WORD = 4;

/**
 * The known name that a wrong one may have meant: case, spaces, `_` and `-` aside, within an edit for each three letters, or
 * the one longer name that holds it. `undefined` when there is none. Two letters that changed places are one edit.
 */
export function nearName(given: string, known: readonly string[]): string | undefined {
  const near = slipsOf(given, known);
  const holding = near.length > 0 ? [] : namesHolding(given, known);
  return near[0] ?? (holding.length === 1 ? holding[0] : undefined);
}

/** All that may have been meant, at most so many: longer names that hold it, then slips, the nearest first. */
export function nearNames(given: string, known: readonly string[], most: number): readonly string[] {
  return [...new Set([...namesHolding(given, known), ...slipsOf(given, known)])].slice(0, most);
}

function slipsOf(given: string, known: readonly string[]): string[] {
  const wanted = lettersOf(given);
  const edits = Math.min(MOST_EDITS, Math.max(1, Math.floor(wanted.length / 3)));
  return known
    .map((name) => ({ name, apart: editsBetween(wanted, lettersOf(name)) }))
    .filter(({ apart }) => apart <= edits)
    .sort((one, other) => one.apart - other.apart)
    .map(({ name }) => name);
}

function namesHolding(given: string, known: readonly string[]): string[] {
  const wanted = lettersOf(given);
  return wanted.length < LEAST_WORD ? [] : known.filter((name) => lettersOf(name).includes(wanted));
}

const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[_\s-]/g, "");

function editsBetween(given: string, known: string): number {
  return isSwapped(given, known) ? 1 : distance(given, known);
}

function isSwapped(given: string, known: string): boolean {
  const at = [...given].findIndex((letter, index) => letter !== known[index]);
  const swapped = `${given.slice(0, at)}${given[at + 1] ?? ""}${given[at]}${given.slice(at + 2)}`;
  return at >= 0 && swapped === known;
}
