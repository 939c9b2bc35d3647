import type { ControlPlane, ImportItem, ImportProgress, ImportReport, Principal } from "@reeve/core";
import { Failure } from "../../failure.js";
import type { Failures } from "./failures.js";
import type { Mapping } from "./mapping/mapping.js";
import type { Rows } from "./rows/row.js";

/** What is imported, and how. */
export interface ImportRun {
  readonly source: Rows;
  /** Without one, rows are items as they are. */
  readonly mapping: Mapping | undefined;
  readonly failures: Failures;
  readonly dryRun: boolean;
  readonly baseline: boolean;
  readonly onProgress: (progress: ImportProgress) => void;
}

/** Imports the rows of a file. An interrupt ends it before the next transaction. */
export async function runImport(
  controlPlane: Pick<ControlPlane, "importAssets">,
  principal: Principal,
  run: ImportRun,
): Promise<ImportReport> {
  const { failures, dryRun, baseline, onProgress } = run;
  const stop = new AbortController();
  const interrupt = () => stop.abort(new Failure("stopped; what is imported stays"));
  process.once("SIGINT", interrupt);
  const open = new Map<number, { readonly at: number; readonly fault: string | undefined }>();
  try {
    return await controlPlane.importAssets(principal, itemsOf(run, open), {
      signal: stop.signal,
      dryRun,
      baseline,
      onProgress,
      onOutcome({ index, error }) {
        const row = open.get(index);
        open.delete(index);
        if (error && row) failures.add(row.at, error, row.fault);
      },
    });
  } finally {
    process.off("SIGINT", interrupt);
  }
}

/** The item of each row, with its place in `open`. The import refuses the one of a row that cannot be read. */
async function* itemsOf(
  { source, mapping }: ImportRun,
  open: Map<number, { readonly at: number; readonly fault: string | undefined }>,
): AsyncGenerator<ImportItem> {
  let index = 0;
  for await (const { at, fault, ...row } of source.rows) {
    open.set(index, { at, fault });
    index += 1;
    if (!("value" in row)) yield undefined as unknown as ImportItem;
    else yield (mapping ? mapping.itemOf(row.value) : row.value) as ImportItem;
  }
}

/** The counts of an import as text. */
export function countsOf({ done, created, updated, unchanged, failed }: ImportProgress | ImportReport): string {
  return `${done} items: ${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed`;
}
