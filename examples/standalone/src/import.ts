import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { type ImportItem, type ImportProgress, ReeveError } from "@reeve/core";
import { StartFailure } from "./failure.js";
import { createLog } from "./log.js";
import { makeReady, openControlPlane } from "./service.js";
import { readSettings, type Settings } from "./settings.js";
import { storeName } from "./store.js";

const USAGE = "npm run import -- <file with a JSON object on each line> --tenant <id> --user <id>";
const TELL_MS = 500;

interface Job {
  readonly file: string;
  readonly tenant: string;
  readonly user: string;
}

/**
 * Imports assets from JSON lines as a user of a tenant. What is refused comes out as JSON lines with the number of the line; the
 * exit code is 0 when nothing was, and 2 when something was. Doing it again goes on where it broke off.
 */
async function importFile(settings: Settings, { file, tenant, user }: Job): Promise<number> {
  const controlPlane = await openControlPlane(settings, createLog(settings.logLevel));
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new StartFailure("stopped; what is imported stays")));
  try {
    await makeReady(controlPlane, settings);
    tell(`Importing ${file} into ${storeName(settings.store)}`);
    const principal = await controlPlane.principalOf(tenant, user);
    const report = await controlPlane.importAssets(principal, itemsOf(file), {
      signal: stop.signal,
      onProgress: progressLine(),
      onOutcome({ index, error }) {
        if (!error) return;
        const { code, detail, errors } = error;
        process.stdout.write(`${JSON.stringify({ line: index + 1, code, detail, errors })}\n`);
      },
    });
    tell(`Done: ${countsOf(report)}`);
    return report.failed > 0 ? 2 : 0;
  } catch (error) {
    if (ReeveError.is(error)) throw new StartFailure(`${error.code}: ${error.detail}`);
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw new StartFailure(`there is no file ${file}`);
    throw error;
  } finally {
    await controlPlane.close();
  }
}

/** The object on each line; a line that holds none is refused by the import, with its number. */
async function* itemsOf(file: string): AsyncGenerator<ImportItem> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    let item: unknown;
    try {
      item = JSON.parse(line);
    } catch {
      item = undefined;
    }
    yield item as ImportItem;
  }
}

function progressLine(): (progress: ImportProgress) => void {
  let last = 0;
  return (progress) => {
    const now = performance.now();
    if (now - last < TELL_MS) return;
    last = now;
    tell(`${countsOf(progress)}, ${progress.perSecond} a second`);
  };
}

function countsOf({ done, created, updated, unchanged, failed }: ImportProgress): string {
  return `${done} items: ${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed`;
}

function readJob(args: readonly string[]): Job | undefined {
  try {
    const options = { tenant: { type: "string" }, user: { type: "string" } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [file, ...more] = positionals;
    if (!file || more.length > 0 || !values.tenant || !values.user) return undefined;
    return { file, tenant: values.tenant, user: values.user };
  } catch {
    return undefined;
  }
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

function refuse(reasons: readonly string[]): never {
  for (const reason of reasons) tell(`reeve: ${reason}`);
  process.exit(1);
}

const job = readJob(process.argv.slice(2));
if (!job) refuse([USAGE]);
const settings = readSettings(process.env);
if ("faults" in settings) refuse(settings.faults);
try {
  process.exitCode = await importFile(settings, job);
} catch (error) {
  if (error instanceof StartFailure) refuse([error.message]);
  throw error;
}
