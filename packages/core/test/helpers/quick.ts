import { inject } from "vitest";

/** How many places take turns with the many variants of a rule in `npm test`. With `--all` each place takes every variant. */
const TURNS = inject("isQuick") ? 4 : 1;

/** What a place takes of many variants: in `npm test` a quarter of them, others at each of four places. */
export const inTurns = <T>(variants: readonly T[], place: number): T[] =>
  variants.filter((_variant, at) => (at + place) % TURNS === 0);
