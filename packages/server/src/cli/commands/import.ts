import type { ControlPlane, ImportItem, ImportProgress, ImportReport } from "@reeve/core";
import { Failure } from "../../failure.js";
import { storeName } from "../../service/store.js";
import { type ExitCode, type Invocation, settingsOf } from "../command.js";
import { linesOf } from "../lines.js";
import type { Output } from "../output.js";
import { withControlPlane } from "../with-control-plane.js";

interface Importer {
  readonly tenant: string;
  readonly user: string;
}

/**
 * Imports assets from JSON lines as a user of a tenant. Refused lines are printed as JSON lines with their number. The
 * exit code is 2 when there are any, else 0. Repeat an interrupted import to continue it.
 */
export async function importFile(invocation: Invocation, file: string, importer: Importer): Promise<ExitCode> {
  const { output } = invocation;
  const settings = settingsOf(invocation);
  const report = await withControlPlane(settings, (controlPlane) => {
    output.print(`Importing ${file} into ${storeName(settings.store)}`);
    return importItems(controlPlane, file, importer, output);
  });
  output.result(report, `Done: ${countsOf(report)}, in ${storeName(settings.store)}`);
  return report.failed > 0 ? 2 : 0;
}

async function importItems(
  controlPlane: ControlPlane,
  file: string,
  { tenant, user }: Importer,
  output: Output,
): Promise<ImportReport> {
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new Failure("stopped; what is imported stays")));
  const principal = await controlPlane.principalOf(tenant, user);
  const numbers = new Map<number, number>();
  return controlPlane.importAssets(principal, itemsOf(file, numbers), {
    signal: stop.signal,
    onProgress: (progress) => output.progress(`${countsOf(progress)}, ${progress.perSecond} a second`),
    onOutcome({ index, error }) {
      const line = numbers.get(index);
      numbers.delete(index);
      if (!error) return;
      const { code, detail, errors } = error;
      output.item({ line, code, detail, errors });
    },
  });
}

/**
 * The object of each line that is not blank, and the number of its line in `numbers`. The import refuses a line without
 * an object, by its number.
 */
async function* itemsOf(file: string, numbers: Map<number, number>): AsyncGenerator<ImportItem> {
  let [line, index] = [0, 0];
  for await (const text of linesOf(file)) {
    line += 1;
    if (text?.trim() === "") continue;
    numbers.set(index, line);
    index += 1;
    yield objectIn(text) as ImportItem;
  }
}

function objectIn(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function countsOf({ done, created, updated, unchanged, failed }: ImportProgress | ImportReport): string {
  return `${done} items: ${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed`;
}
