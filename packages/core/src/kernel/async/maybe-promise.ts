/** A value or a promise of it. A value in memory is given as it is, which saves a microtask. */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with a value: synchronously unless it is a promise. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
