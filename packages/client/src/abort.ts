/** Resolves after so many milliseconds; rejects with the signal's reason when that comes first. */
export function pause(delay: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout>;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, delay);
  });
  return unlessAborted(elapsed, signal).finally(() => clearTimeout(timer));
}

/** What the work gives; rejects with the signal's reason when that comes first, and leaves the work to others who wait for it. */
export function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
