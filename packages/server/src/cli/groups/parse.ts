import { InvalidArgumentError } from "commander";

/** The number of `--limit`. */
export function limitOf(text: string): number {
  const limit = Number(text);
  if (/^\d{1,6}$/.test(text) && limit > 0) return limit;
  throw new InvalidArgumentError("It takes a whole number from 1 to 999999.");
}

/** The whole number of an option, within bounds. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d{1,6}$/.test(text) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It takes a whole number from ${least} to ${most}.`);
  };
}
