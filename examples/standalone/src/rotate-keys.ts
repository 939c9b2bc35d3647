import { StartFailure } from "./failure.js";
import { createLog } from "./log.js";
import { makeReady, openControlPlane } from "./service.js";
import { readSettings, type Settings } from "./settings.js";
import { storeName } from "./store.js";

/**
 * Wraps every data key by the master key in use, and with `--data-keys` seals every secret under a new data key too. Servers on
 * the same database may go on running, given that they know the same master keys.
 */
async function rotate(settings: Settings, dataKeys: boolean): Promise<void> {
  const controlPlane = await openControlPlane(settings, createLog(settings.logLevel));
  const count = (keys: number, secrets: number) => `${keys} keys wrapped anew, ${secrets} secrets sealed anew`;
  try {
    await makeReady(controlPlane, settings);
    tell(`Rotating the keys of ${storeName(settings.store)}`);
    const done = await controlPlane.rotateKeys({
      dataKeys,
      onProgress: ({ tenantId, keys, secrets }) => tell(`${tenantId}: ${count(keys, secrets)} so far`),
    });
    tell(`Done: ${count(done.keys, done.secrets)}`);
  } finally {
    await controlPlane.close();
  }
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

function refuse(reasons: readonly string[]): never {
  for (const reason of reasons) tell(`reeve: ${reason}`);
  process.exit(1);
}

const options = process.argv.slice(2);
const strange = options.filter((option) => option !== "--data-keys");
if (strange.length > 0) refuse([`unknown option ${strange[0]}; the only one is --data-keys`]);
const settings = readSettings(process.env);
if ("faults" in settings) refuse(settings.faults);
try {
  await rotate(settings, options.includes("--data-keys"));
} catch (error) {
  if (error instanceof StartFailure) refuse([error.message]);
  throw error;
}
