import type { CallOptions, Guard } from "./guard.js";
import type { Refusal } from "./refusal.js";

export const isFunction = (value: unknown): value is (...args: never[]) => unknown => typeof value === "function";

/** Aborts with any of these. */
export function anyOf(...signals: readonly unknown[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal instanceof AbortSignal));
}

/** A copy of an object with another value of one member. Accessors and symbols stay what they are. */
export function withMember<T extends object>(of: T, member: string, value: unknown): T {
  const own = Object.getOwnPropertyDescriptors(of);
  const members = { ...own, [member]: { value, enumerable: true, writable: true, configurable: true } };
  return Object.create(Object.getPrototypeOf(of), members) as T;
}

/** No part of a tool may pass the guard, so a tool that does not run here is refused when it is given. */
export function unguardable(name: unknown): TypeError {
  return new TypeError(`The tool ${JSON.stringify(name)} is run elsewhere, so this guard cannot stand before it.`);
}

/** Runs a tool, with a result that comes piece by piece taken to its end, so that nothing of it runs unwatched. */
export function callTool<R>(
  guard: Guard,
  name: string,
  args: unknown,
  run: (signal: AbortSignal) => R,
  options?: CallOptions,
) {
  return guard.call(name, args, async (signal) => wholeOf(await run(signal)), options);
}

async function wholeOf(result: unknown): Promise<unknown> {
  if (typeof result !== "object" || result === null || !(Symbol.asyncIterator in result)) return result;
  const pieces = (result as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  let last: unknown;
  for (;;) {
    const { done, value } = await pieces.next();
    if (done) return value ?? last;
    last = value;
  }
}

/** A refusal as an error, for frameworks that show the model what a tool throws. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";

  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }

  /** What some versions tell the model: the reason alone, without the name of this class. */
  override toString(): string {
    return this.message;
  }
}
