import { inject } from "vitest";

/** How many places take turns with the many variants of a rule in `npm test`. With `--all` each place takes every variant. */
const TURNS = inject("isQuick") ? 4 : 1;

/** What a place takes of many variants: in `npm test` a quarter of them, others at each of four places. */
export const inTurns = <T>(variants: readonly T[], place: number): T[] =>
  variants.filter((_variant, at) => (at + place) % TURNS === 0);

/** What a rule over the table asks of a store: in `npm test` SQLite answers for all of it, and PostgreSQL for a quarter. */
export const ofThisStore = <T>(variants: readonly T[]): readonly T[] =>
  inject("store") === "postgres" ? inTurns(variants, 0) : variants;
