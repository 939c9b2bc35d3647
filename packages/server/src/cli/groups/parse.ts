import { InvalidArgumentError } from "commander";

/** The number of `--limit`. */
export function limitOf(text: string): number {
  const limit = Number(text);
  if (/^\d{1,6}$/.test(text) && limit > 0) return limit;
  throw new InvalidArgumentError("It takes a whole number from 1 to 999999.");
}
