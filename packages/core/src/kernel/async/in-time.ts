/** What `work` gives, or a rejection once it has taken `ms` milliseconds. What still runs after that is left alone. */
export async function inTime<T>(ms: number, work: () => T | Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TookTooLong(ms)), ms);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The rejection of work that has not ended in time. */
export class TookTooLong extends Error {
  override readonly name = "TookTooLong";

  constructor(ms: number) {
    super(`no answer in ${ms} ms`);
  }
}
