import { distance } from "fastest-levenshtein";

/** The most edits between a slip and the name that was meant. */
const MOST_EDITS = 3;
/** The fewest letters of a word by which a longer name is found. */
const LEAST_WORD = 4;

/**
 * The known name that a wrong one may have meant: case aside, within an edit for each three letters, or the one longer name
 * that holds it. `undefined` when there is none. Two letters that changed places are one edit.
 */
export function nearName(given: string, known: readonly string[]): string | undefined {
  const [near] = known
    .map((name) => ({ name, apart: editsBetween(given.toLowerCase(), name.toLowerCase()) }))
    .sort((one, other) => one.apart - other.apart);
  const edits = Math.min(MOST_EDITS, Math.max(1, Math.floor(given.length / 3)));
  if (near && near.apart <= edits) return near.name;
  const holding = known.filter((name) => name.toLowerCase().includes(given.toLowerCase()));
  return given.length >= LEAST_WORD && holding.length === 1 ? holding[0] : undefined;
}

function editsBetween(given: string, known: string): number {
  return isSwapped(given, known) ? 1 : distance(given, known);
}

function isSwapped(given: string, known: string): boolean {
  const at = [...given].findIndex((letter, index) => letter !== known[index]);
  const swapped = `${given.slice(0, at)}${given[at + 1] ?? ""}${given[at]}${given.slice(at + 2)}`;
  return at >= 0 && swapped === known;
}
