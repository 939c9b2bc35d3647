import { distance } from "fastest-levenshtein";

/** A name that differs from a known one by at most this many letters may be a typo. */
const SLIP = 3;

/** The known name that a wrong one may have meant. `undefined` when none is near. */
export function nearName(name: string, known: readonly string[]): string | undefined {
  const [near] = known
    .map((one) => ({ one, apart: distance(one.toLowerCase(), name.toLowerCase()) }))
    .sort((one, other) => one.apart - other.apart);
  return near && near.apart <= SLIP ? near.one : undefined;
}
