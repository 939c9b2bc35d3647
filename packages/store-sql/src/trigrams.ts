/** Terms of fewer characters than this are in no trigram index. */
const GRAM = 3;

/** Whether a term is too short for a trigram index. */
export function isShort(term: string): boolean {
  return [...term].length < GRAM;
}
