import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Failure } from "../../failure.js";

/** Where the credential of an installation stands, unless another file is named. */
const DEFAULT_FILE = "/etc/reeve/installation.json";

/** Public keys in the form of JSON Web Keys. */
export type PinnedKeys = readonly Readonly<Record<string, unknown>>[];

/** An installation of this machine, with the credential by which it asks. */
export interface InstallationFile {
  readonly server: string;
  readonly client: string;
  readonly installationId: string;
  readonly credential: string;
  readonly expiresAt: string;
  /** The keys that sign publications for it, as it came to know them. Absent until the first. */
  readonly keys?: PinnedKeys;
}

/** The file that is meant: the option, or the setting, or the usual one. */
export const fileOf = (env: NodeJS.ProcessEnv, named: string | undefined): string =>
  named ?? (env.REEVE_INSTALLATION_FILE || DEFAULT_FILE);

/** Reads the file. Throws a `Failure` for one that is not there, or holds something else. */
export function readInstallation(file: string): InstallationFile {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Failure(code === "ENOENT" ? `there is no file ${file}: run reeve enroll` : `${file} cannot be read`);
  }
  const { server, client, installationId, credential, expiresAt, keys } = Object(value);
  const texts = [server, client, installationId, credential, expiresAt];
  if (texts.every((text) => typeof text === "string") && URL.canParse(server))
    return { server, client, installationId, credential, expiresAt, ...(Array.isArray(keys) ? { keys } : {}) };
  throw new Failure(`${file} holds no installation: run reeve enroll`);
}

/** Writes the file whole or not at all, for its owner alone or for everybody who runs the client. */
export function writeInstallation(file: string, installation: InstallationFile, mode: number): void {
  replaceFile(file, `${JSON.stringify(installation, null, 2)}\n`, mode);
}

/** Who may read a file, as it is. */
export const modeOf = (file: string): number => statSync(file).mode & 0o777;

/** Replaces a file by another text at once: written beside it, and renamed. */
export function replaceFile(file: string, text: string, mode: number): void {
  const beside = `${file}.${process.pid}.part`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(beside, text, { mode, flag: "wx", flush: true });
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw new Failure(`${file} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
  }
}
