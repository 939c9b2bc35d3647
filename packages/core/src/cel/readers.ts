import { ExpressionError } from "../ports/expressions.js";

// Each digit fits one part of its pattern alone, so that a long text is read once.
const INTEGER = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const NO_NUMBER = /^[+-]?(?:inf|infinity|nan)$/i;
const MOMENT =
  /^(\d{4})-(\d\d)-(\d\d)t([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
const SPAN = /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/;
const NANOSECONDS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
/** The longest duration, of either sign: ten thousand years, in seconds. */
const LONGEST = 315_576_000_000n;

/**
 * Throws unless a conversion has the value that the language gives it. The library reads more: an empty text as 0, 0x10 as
 * 16, the 30th of February as the 2nd of March, a unit without a number as 0 of it.
 */
export function checkConversion(name: string, value: unknown): void {
  const reads = typeof value === "string" || typeof value === "number" ? READS[name]?.(value) : undefined;
  if (reads !== false) return;
  throw new ExpressionError(`${name}(${shown(value)}) has no value: ${WANTED[name]}`);
}

const shown = (value: unknown) =>
  JSON.stringify(typeof value === "string" && value.length > 40 ? `${value.slice(0, 40)}…` : value);

/** The functions whose operand `checkConversion` judges. */
export const isConversion = (name: string): boolean => Object.hasOwn(READS, name);

const READS: Readonly<Record<string, (value: string | number) => boolean>> = {
  int: (value) =>
    typeof value === "string" ? isWithin(value, -(2n ** 63n), 2n ** 63n) : value > -(2 ** 63) && value < 2 ** 63,
  uint: (value) => (typeof value === "string" ? isWithin(value, 0n, 2n ** 64n) : value >= 0 && value < 2 ** 64),
  double: (value) =>
    typeof value === "number" || NO_NUMBER.test(value) || (DECIMAL.test(value) && Number.isFinite(Number(value))),
  bool: (value) => /^(?:true|True|TRUE|t|1|false|False|FALSE|f|0)$/.test(String(value)),
  timestamp: (value) => isMoment(String(value)),
  duration: (value) => isSpan(String(value)),
};

const WANTED: Readonly<Record<string, string>> = {
  int: "a whole number of 64 bits is written in digits.",
  uint: "a whole number from 0 of 64 bits is written in digits.",
  double: "a number is written in digits, with a point or an exponent.",
  bool: "it is true or false.",
  timestamp: 'a moment is written as in "2026-03-01T10:00:00Z".',
  duration: 'a span is written as in "36h" or "1h30m", and has at most ten thousand years.',
};

function isWithin(text: string, from: bigint, before: bigint): boolean {
  // No number of 64 bits has more digits, and to read longer ones takes quadratic time.
  if (text.length > 20 || !INTEGER.test(text)) return false;
  const value = BigInt(text.replace("+", ""));
  return value >= from && value < before;
}

function isMoment(text: string): boolean {
  const [, year, month, day] = MOMENT.exec(text) ?? [];
  // CEL has the years 1 to 9999.
  if (day === undefined || year === "0000") return false;
  const midnight = new Date(`${year}-${month}-01T00:00:00Z`);
  if (Number.isNaN(midnight.getTime())) return false;
  midnight.setUTCMonth(midnight.getUTCMonth() + 1, 0);
  return Number(day) >= 1 && Number(day) <= midnight.getUTCDate();
}

function isSpan(text: string): boolean {
  if (!SPAN.test(text)) return false;
  let total = 0n;
  for (const [, whole = "", unit = ""] of text.matchAll(/(\d*)(?:\.\d*)?(ns|us|µs|ms|s|m|h)/g))
    total += BigInt(whole || "0") * (NANOSECONDS[unit] as bigint);
  return total <= LONGEST * 1_000_000_000n;
}
