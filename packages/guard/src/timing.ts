/** The result of `work`, or a rejection once the time is up or `signal` aborts. */
export async function within<R>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<R>,
): Promise<R> {
  signal.throwIfAborted();
  const bound = new AbortController();
  const cut = () => bound.abort(signal.reason);
  const timer = setTimeout(() => bound.abort(new Error(`There was no answer within ${ms} ms.`)), ms);
  signal.addEventListener("abort", cut, { once: true });
  try {
    return await untilAborted(work(bound.signal), bound.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", cut);
  }
}

/** The result of `running`, or a rejection with the reason of `signal` when that aborts first. */
export function untilAborted<R>(running: Promise<R>, signal: AbortSignal): Promise<R> {
  return new Promise((resolve, reject) => {
    const cut = () => reject(signal.reason as Error);
    if (signal.aborted) cut();
    signal.addEventListener("abort", cut, { once: true });
    running.then(resolve, reject).finally(() => signal.removeEventListener("abort", cut));
  });
}

/** Waits, or rejects when `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waiting = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return untilAborted(waiting, signal).finally(() => clearTimeout(timer));
}
