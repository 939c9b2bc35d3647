import { ReeveError } from "./errors.js";

/** The longest that closing waits for what is under way, in ms. */
const DRAIN = 10_000;

/** Counts what is under way, so that closing can wait for it. */
export function drainGate(finish: () => Promise<void>) {
  let running = 0;
  let closing: Promise<void> | undefined;
  let drained: (() => void) | undefined;
  /** Whoever has entered leaves once. */
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
