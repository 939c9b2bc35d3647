import { distance } from "fastest-levenshtein";

/** The values whose text is nearest to a given one, the nearest first; case counts for little. */
export function nearest<T>(
  given: string,
  values: readonly T[],
  textsOf: (value: T) => readonly string[],
  most: number,
) {
  const apart = (text: string) => distance(given.toLowerCase(), text.toLowerCase());
  return values
    .map((value) => ({ value, apart: Math.min(...textsOf(value).map(apart)) }))
    .sort((one, other) => one.apart - other.apart)
    .slice(0, most)
    .map(({ value }) => value);
}
