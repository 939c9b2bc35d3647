import type { Logger } from "@reeve/core";
import { createLog } from "../../log.js";
import { startService } from "../../service/service.js";
import { storeName } from "../../service/store.js";
import { type ExitCode, type Invocation, settingsOf } from "../command.js";

/** The longest graceful stop after the time of draining, in ms. Then the process ends regardless. */
const STOP_LIMIT = 14_000;

/** Starts the server. Its log is on standard output. */
export async function serve(invocation: Invocation): Promise<ExitCode> {
  const settings = settingsOf(invocation);
  const log = createLog(settings.logLevel);
  const giveUp = new AbortController();
  const starting = startService(settings, log, giveUp.signal);
  const limit = settings.drainSeconds * 1_000 + STOP_LIMIT;
  const isStopping = stopOnSignals(log, limit, async (again) => {
    giveUp.abort();
    await (await starting.catch(() => undefined))?.stop(again);
  });
  await starting.catch((error: unknown) => {
    if (!isStopping()) throw error;
  });
  if (isStopping()) return undefined;
  if (settings.unknown.length > 0) log.warn({ names: settings.unknown }, "these settings are not known");
  const { baseUrl, host, port, adapter, registration } = settings;
  const reference = `${baseUrl}/docs`;
  const console = settings.console ? [`Console: ${baseUrl}/console`] : [];
  const store = storeName(settings.store);
  log.info({ baseUrl, reference, host, port, adapter, store, registration }, "ready");
  const said = [`Reeve is ready at ${baseUrl}`, ...console, `Reference page: ${reference}`, `Data is kept in ${store}`];
  invocation.output.print(...said);
  return undefined;
}

/**
 * Stops once on SIGTERM or SIGINT and ends the process, after `limit` ms regardless. A second signal aborts what `stop`
 * takes. Returns a function that tells whether that has begun.
 */
function stopOnSignals(
  log: Logger & { fatal: Logger["error"] },
  limit: number,
  stop: (again: AbortSignal) => Promise<void>,
): () => boolean {
  let stopping = false;
  const again = new AbortController();
  const crash = (error: unknown) => {
    log.fatal({ error: error instanceof Error ? error.stack : String(error) }, "crashed");
    process.exit(1);
  };
  const onSignal = async (signal: NodeJS.Signals) => {
    if (stopping) return again.abort();
    stopping = true;
    log.info({ signal }, "stopping");
    setTimeout(() => crash(new Error("could not stop in time")), limit).unref();
    await stop(again.signal);
    log.info({}, "stopped");
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, (name) => void onSignal(name).catch(crash));
  process.on("uncaughtException", crash);
  return () => stopping;
}
