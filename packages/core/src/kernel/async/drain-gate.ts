import { ReeveError } from "../http/errors.js";

/** How long closing waits for running work, in ms. */
const DRAIN = 10_000;

/** Counts running work, so that closing can wait for it. */
export function drainGate(finish: () => Promise<void>) {
  let running = 0;
  let closing: Promise<void> | undefined;
  let drained: (() => void) | undefined;
  /** Call `leave` once for each call that did not throw. */
  const enter = () => {
    if (closing) throw new ReeveError("shutting_down", undefined, { headers: { connection: "close" } });
    running += 1;
  };
  const leave = () => {
    running -= 1;
    if (running === 0) drained?.();
  };
  return {
    enter,
    leave,
    async run<T>(work: () => Promise<T>): Promise<T> {
      enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
    close(): Promise<void> {
      closing ??= (async () => {
        if (running > 0) {
          let timer: ReturnType<typeof setTimeout> | undefined;
          await new Promise<void>((resolve) => {
            drained = resolve;
            timer = setTimeout(resolve, DRAIN);
          });
          clearTimeout(timer);
        }
        await finish();
      })();
      return closing;
    },
  };
}
