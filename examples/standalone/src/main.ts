import { StartFailure } from "./failure.js";
import { createLog } from "./log.js";
import { type Service, startService } from "./service.js";
import { readSettings, type Settings } from "./settings.js";
import { storeName } from "./store.js";

/** Longest a stop may take before the process ends regardless, in ms. */
const STOP_LIMIT = 14_000;

/** What a person at the terminal reads; standard output belongs to the log. */
function tell(...lines: string[]): void {
  process.stderr.write(lines.map((line) => `${line}\n`).join(""));
}

function refuse(reasons: readonly string[]): never {
  tell(...reasons.map((reason) => `reeve: ${reason}`));
  process.exit(1);
}

async function run(settings: Settings): Promise<void> {
  const log = createLog(settings.logLevel);
  const starting = startService(settings, log);
  let stopping = false;
  const crash = (error: unknown) => {
    log.fatal({ error: error instanceof Error ? error.stack : String(error) }, "crashed");
    process.exit(1);
  };
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, "stopping");
    setTimeout(() => crash(new Error("could not stop in time")), STOP_LIMIT).unref();
    await (await starting).stop();
    log.info({}, "stopped");
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, (name) => void stop(name).catch(crash));
  process.on("uncaughtException", crash);
  await started(starting);
  if (stopping) return;
  if (settings.unknown.length > 0) log.warn({ names: settings.unknown }, "these settings are not known");
  const { baseUrl, host, port, adapter, registration } = settings;
  const reference = `${baseUrl}/docs`;
  log.info({ baseUrl, reference, host, port, adapter, store: storeName(settings.store), registration }, "ready");
  tell(`Reeve is ready at ${baseUrl}`, `Reference page: ${reference}`, `Data is kept in ${storeName(settings.store)}`);
}

async function started(starting: Promise<Service>): Promise<void> {
  try {
    await starting;
  } catch (error) {
    if (error instanceof StartFailure) refuse([error.message]);
    throw error;
  }
}

const settings = readSettings(process.env);
if ("faults" in settings) refuse(settings.faults);
await run(settings);
