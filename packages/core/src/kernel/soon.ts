/** A value at once when it is at hand, else a promise of it: what waits for nothing need not wait for a promise. */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value, at once when it is there. */
export function soon<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
