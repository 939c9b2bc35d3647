/** Parts of an address that name a choice. Anything else is as if it were not there. */
export function choice<const T extends string>(given: unknown, choices: readonly T[]): T | undefined {
  return choices.find((one) => one === given);
}

/** A text of an address, at most 200 characters. */
export function textOf(given: unknown): string | undefined {
  return typeof given === "string" && given !== "" ? given.slice(0, 200) : undefined;
}

/** The zero-based page of a list; absent for the first. */
export function pageOf(given: unknown): number | undefined {
  const page = Number(given);
  return Number.isInteger(page) && page > 0 && page < 100_000 ? page : undefined;
}

/** A query without what was not chosen: absent and `undefined` differ in the types of operations. */
export function given<T extends object>(query: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof given<T>
  >;
}

/** A choice as filters take it, which take several. */
export const only = <T>(chosen: T | undefined): [T] | undefined => (chosen === undefined ? undefined : [chosen]);
