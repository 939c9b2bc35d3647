import { ExpressionError } from "../ports/expressions.js";

/** A span as the library has it. Both parts have one sign. */
export interface Duration {
  readonly seconds: bigint;
  readonly nanos: number;
}

const BILLION = 1_000_000_000n;
const LONGEST = 315_576_000_000n * BILLION;
const FIRST = Date.parse("0001-01-01T00:00:00.000Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");

export const isDuration = (value: unknown): value is Duration =>
  (value as { [Symbol.toStringTag]?: string } | null | undefined)?.[Symbol.toStringTag] === "google.protobuf.Duration";

/**
 * The sum of two spans, or of a moment and a span; `undefined` for other operands. The library rounds parts below zero
 * apart, so that -1.5 s and nothing more was -2.5 s, and its moments leave the years 1 to 9999.
 */
export function sum(one: unknown, other: unknown): Duration | Date | undefined {
  if (isDuration(one) && isDuration(other)) return spanOf(nanosOf(one) + nanosOf(other), one);
  if (one instanceof Date && isDuration(other)) return moved(one, nanosOf(other));
  if (isDuration(one) && other instanceof Date) return moved(other, nanosOf(one));
  return undefined;
}

/** The difference of two spans, or of a moment and a span; `undefined` for other operands. */
export function difference(one: unknown, other: unknown): Duration | Date | undefined {
  if (isDuration(one) && isDuration(other)) return spanOf(nanosOf(one) - nanosOf(other), one);
  if (one instanceof Date && isDuration(other)) return moved(one, -nanosOf(other));
  return undefined;
}

const nanosOf = ({ seconds, nanos }: Duration) => seconds * BILLION + BigInt(nanos);

function spanOf(nanos: bigint, like: Duration): Duration {
  if (nanos > LONGEST || nanos < -LONGEST) throw new ExpressionError("A duration has at most ten thousand years.");
  const made = like.constructor as new (seconds: bigint, nanos: number) => Duration;
  return new made(nanos / BILLION, Number(nanos % BILLION));
}

/** Moments have milliseconds; a span between two of them counts to the earlier one. */
function moved(at: Date, nanos: bigint): Date {
  const whole = nanos / 1_000_000n - (nanos % 1_000_000n < 0n ? 1n : 0n);
  const time = at.getTime() + Number(whole);
  if (time < FIRST || time > LAST) throw new ExpressionError("A moment is in the years 1 to 9999.");
  return new Date(time);
}
