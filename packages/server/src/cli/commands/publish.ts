import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { Failure } from "../../failure.js";
import type { ExitCode, Invocation } from "../command.js";
import { askAs, Refused, readAs } from "../installation/ask.js";
import { checkSignature } from "../installation/check-signature.js";
import {
  fileOf,
  type InstallationFile,
  modeOf,
  readInstallation,
  writeInstallation,
} from "../installation/credential-file.js";
import { report } from "../installation/report.js";
import {
  type Bundle,
  type KeptBundle,
  keepBundle,
  keptBundle,
  readBundle,
  writeCredential,
  writeFiles,
  writeHelper,
} from "../installation/write-bundle.js";

interface Options {
  readonly to?: string;
  readonly file?: string;
  readonly watch?: boolean;
  readonly pin?: boolean;
  readonly every: number;
  readonly servers?: string;
  readonly clientVersion?: string;
}

const PATIENCE_MS = 30_000;

/**
 * Has published what this installation may use, and writes the files of its client. Files that are there stay when
 * nothing can be had; those of an installation that is refused allow no server any more.
 */
export async function publish({ env, output }: Invocation, options: Options): Promise<ExitCode> {
  const file = fileOf(env, options.file);
  let pin = options.pin === true;
  for (;;) {
    try {
      const installation = await renewed(file, readInstallation(file));
      const bundle = await bundleFor(file, installation, pin);
      pin = false;
      const folder = options.to ?? bundle.directory;
      const written = [
        ...writeFiles(folder, bundle.files),
        ...writeCredential(folder, file, installation),
        ...writeHelper(file, installation.client),
      ];
      keepBundle(file, bundle);
      const effect = await report(file, installation, reportedBy(options));
      const { number, digest, entries, leftOut } = bundle;
      const value = { number, digest, entries: entries.length, leftOut: leftOut.length, written, effect };
      output.result(
        value,
        `publication ${number} of ${installation.client}: ${said(entries.length, leftOut, written)}`,
      );
    } catch (error) {
      if (error instanceof Refused && error.status === 401) close(file, options.to);
      else await report(file, readInstallation(file), reportedBy(options)).catch(() => undefined);
      if (!options.watch || !(error instanceof Failure)) throw error;
      output.fail(error);
    }
    if (!options.watch) return 0;
    await pause(options.every * 1_000);
  }
}

const reportedBy = ({ to, servers, clientVersion }: Options) => ({ folder: to, servers, clientVersion });

/** Days before its end that a credential is exchanged. A machine that was off for so long still has time. */
const RENEWED_DAYS = 30;

/** The installation, with a new credential where the one in the file ends soon. The old one works for another hour. */
async function renewed(file: string, installation: InstallationFile): Promise<InstallationFile> {
  if (Date.parse(installation.expiresAt) - Date.now() > RENEWED_DAYS * 86_400_000) return installation;
  const answer = await askAs(installation, "/api/v1/ai/installation/credential", "{}", PATIENCE_MS);
  const { credential, expiresAt } = Object(answer);
  const next = { ...installation, credential, expiresAt };
  writeInstallation(file, next, modeOf(file));
  return next;
}

const PATH = "/api/v1/ai/installation/publication";

/** The publication of now, checked. It is asked for news alone, and has the server publish where that is to be done. */
async function bundleFor(file: string, installation: InstallationFile, pin: boolean): Promise<KeptBundle> {
  const before = pin ? undefined : keptBundle(file);
  const read = await readAs(installation, PATH, before?.etag, PATIENCE_MS);
  if (!read && before) return before;
  const isPublished = Object(read?.value).number !== null && Object(read?.value).jws !== null;
  const [value, etag] = isPublished
    ? [read?.value, read?.etag]
    : [await askAs(installation, PATH, "{}", PATIENCE_MS), undefined];
  const bundle = readBundle(value);
  const keys = await checkSignature(bundle, { installation, before, pin });
  if (!isDeepStrictEqual(keys, installation.keys)) writeInstallation(file, { ...installation, keys }, modeOf(file));
  return { ...bundle, etag };
}

/** Writes the files that allow no server, as they were published last. */
function close(file: string, to: string | undefined): void {
  const kept = keptBundle(file);
  if (kept) writeFiles(to ?? kept.directory, kept.closedFiles);
}

function said(entries: number, leftOut: Bundle["leftOut"], written: readonly string[]): string {
  const without = leftOut.map(({ name, reasons }) => `${name} (${reasons.join(", ")})`).join(", ");
  const left = without === "" ? "" : `; without ${without}`;
  return `${entries} servers${left}; ${written.length === 0 ? "files as before" : `wrote ${written.join(", ")}`}`;
}
