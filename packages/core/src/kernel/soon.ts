/** A value, or a promise of it. A value that is in memory needs no turn of the microtask queue. */
export type Soon<T> = T | Promise<T>;

/** Continues with a value, synchronously when it is no promise. */
export function soon<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
