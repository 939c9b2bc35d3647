/** A value, or a promise of it. A value that is in memory needs no turn of the microtask queue. */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with a value, synchronously when it is no promise. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
