import { storeName } from "../../service/store.js";
import { type ExitCode, type Invocation, settingsOf } from "../command.js";
import { Failures } from "../import/failures.js";
import { findImporter, type Importer } from "../import/find-importer.js";
import { Mapping, type MappingOptions } from "../import/mapping/mapping.js";
import { MappingFile, readMapping } from "../import/mapping/mapping-file.js";
import { Properties } from "../import/mapping/properties.js";
import { itemSchema } from "../import/mapping/schema.js";
import { type Format, openRows } from "../import/rows/open-rows.js";
import { countsOf, runImport } from "../import/run-import.js";
import { withControlPlane } from "../with-control-plane.js";
import { withStore } from "../with-store.js";

/** Options of an import. */
export interface ImportFileOptions extends Importer, MappingOptions {
  readonly format?: Format;
  /** A file that says which columns are which properties. */
  readonly mapping?: string;
  /** Only say what would be done. */
  readonly dryRun?: boolean;
  /** What the first evaluation finds on new assets is the baseline. */
  readonly baseline?: boolean;
}

/**
 * Imports assets from a file as a user of a tenant. Refused rows are grouped by message, with a count and the first
 * places. The exit code is 2 when there are any, else 0. Repeat an interrupted import to continue it.
 */
export async function importFile(invocation: Invocation, file: string, options: ImportFileOptions): Promise<ExitCode> {
  const { output } = invocation;
  const settings = settingsOf(invocation);
  const { dryRun = false, baseline = false } = options;
  const mappingFile = options.mapping === undefined ? undefined : await readMapping(options.mapping);
  const source = await openRows(file, { ...options, items: mappingFile?.items });
  return withControlPlane(settings, async (controlPlane) => {
    const principal = await withStore(settings, (store) => findImporter(controlPlane, store, options));
    const schema = itemSchema(controlPlane);
    const properties = new Properties(schema);
    const isMapped = mappingFile !== undefined || options.map.length + options.default.length > 0;
    const mapping =
      isMapped || source.header ? new Mapping(properties, mappingFile ?? MappingFile.parse({}), options) : undefined;
    const missing = (source.header && mapping?.missingFrom(source.header)) ?? [];
    if (missing.length > 0) output.print(`Not in the file: ${missing.join(", ")}`);
    output.print(`${dryRun ? "Trying" : "Importing"} ${file}, ${source.format}, into ${storeName(settings.store)}`);
    const failures = new Failures(schema);
    const report = await runImport(controlPlane, principal, {
      ...{ source, mapping, failures, dryRun, baseline },
      onProgress: (progress) => output.progress(`${countsOf(progress)}, ${progress.perSecond} a second`),
    });
    const leftOut = mapping?.leftOut ?? [];
    for (const column of leftOut) output.print(`Left out: "${column}" is no property${properties.meant(column)}`);
    if (report.failed > 0) output.print("Refused:", ...failures.lines(source.unit));
    const { failures: _first, ...counts } = report;
    const { format, unit } = source;
    const lead = dryRun ? "Nothing is stored. It would be" : "Done:";
    output.result(
      { ...counts, dryRun, format, unit, leftOut, ...failures.report },
      `${lead} ${countsOf(report)}, in ${storeName(settings.store)}`,
    );
    return report.failed > 0 ? 2 : 0;
  });
}
