import type { Logger } from "@reeve/core";

/** The result of a tick, or `"failed"` when it threw. */
export type TickOutcome = { readonly done: number; readonly failed: number } | "failed";

/** Runs `tick` some seconds after the previous one ended, so that two never overlap. Returns a function that stops it. */
export function startTicks(
  tick: () => Promise<Exclude<TickOutcome, string>>,
  seconds: number,
  log: Logger,
  ticked?: (outcome: TickOutcome) => void,
): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout;
  const schedule = () => {
    timer = setTimeout(run, seconds * 1_000).unref();
  };
  const run = async () => {
    try {
      const outcome = await tick();
      ticked?.(outcome);
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
