import type { Logger } from "@reeve/core";

const EVERY = 60_000;

/** Runs `tick` a minute after the last one ended, so that two never overlap. Returns what stops it. */
export function startTicks(tick: () => Promise<unknown>, log: Logger): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout;
  const schedule = () => {
    timer = setTimeout(run, EVERY).unref();
  };
  const run = async () => {
    try {
      await tick();
    } catch (error) {
      if (!stopped) log.error({ error: String(error) }, "tick failed");
    }
    if (!stopped) schedule();
  };
  schedule();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
