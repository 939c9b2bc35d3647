import type { Logger } from "@reeve/core";

const EVERY = 60_000;

/** The result of a tick, or `"failed"` when it threw. */
export type TickOutcome = { readonly done: number; readonly failed: number } | "failed";

/** Runs `tick` one minute after the previous one ended, so that two never overlap. Returns a function that stops it. */
export function startTicks(
  tick: () => Promise<Exclude<TickOutcome, string>>,
  log: Logger,
  ticked?: (outcome: TickOutcome) => void,
): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout;
  const schedule = () => {
    timer = setTimeout(run, EVERY).unref();
  };
  const run = async () => {
    try {
      ticked?.(await tick());
    } catch (error) {
      if (!stopped) {
        log.error({ error: String(error) }, "tick failed");
        ticked?.("failed");
      }
    }
    if (!stopped) schedule();
  };
  schedule();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
