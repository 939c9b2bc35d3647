import { readFileSync, statSync } from "node:fs";

/** Bits of a mode by which others than the owner may write. Who writes such a file decides who signs in. */
const OTHERS_WRITE = 0o022;

/** A list of the environment in JSON, or of the file that `<name>_FILE` names, with the setting that gave it. */
export interface JsonSetting {
  readonly setting: string;
  readonly value: unknown;
}

/** Reads a setting of JSON. `undefined` where it is not set, or a fault was recorded, which never repeats its text. */
export function readJsonSetting(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  takes: string,
  faults: string[],
): JsonSetting | undefined {
  const ofFile = `${name}_FILE`;
  const { [name]: text, [ofFile]: file } = env;
  if (text && file) faults.push(`${name} and ${ofFile} must not both be set`);
  const stored = !text && file ? textOf(ofFile, file, faults) : undefined;
  const setting = text ? name : ofFile;
  const given = text || stored;
  if (!given) return undefined;
  try {
    return { setting, value: JSON.parse(given) };
  } catch {
    // The parser's own message would repeat what stands there.
    faults.push(`${setting} must be ${takes} in JSON`);
    return undefined;
  }
}

function textOf(setting: string, file: string, faults: string[]): string | undefined {
  try {
    const { mode } = statSync(file);
    if (process.platform === "win32" || (mode & OTHERS_WRITE) === 0) return readFileSync(file, "utf8");
    faults.push(`${setting} must be written by its owner alone: chmod go-w ${file}`);
  } catch (error) {
    faults.push(`${setting} cannot be read: ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
  return undefined;
}
