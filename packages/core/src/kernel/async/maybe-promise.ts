/** A value or a promise of it. A value in memory is given as it is, which saves a microtask. */
export type MaybePromise<T> = T | Promise<T>;

/** Several values: at once unless one of them is a promise. */
export function allOf<T extends readonly unknown[]>(
  values: readonly [...T],
): MaybePromise<{ [K in keyof T]: Awaited<T[K]> }> {
  const some = values.some((value) => value instanceof Promise);
  return some ? Promise.all(values) : (values as unknown as { [K in keyof T]: Awaited<T[K]> });
}

/** Continues with a value: synchronously unless it is a promise. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
