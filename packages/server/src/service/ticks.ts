import type { Logger } from "@reeve/core";

const EVERY = 60_000;

/** What a tick did, or that it could not be done at all. */
export type TickOutcome = { readonly done: number; readonly failed: number } | "failed";

/** Runs `tick` a minute after the last one ended, so that two never overlap. Returns what stops it. */
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
