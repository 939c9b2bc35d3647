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
