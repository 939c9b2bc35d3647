import { readFileSync, statSync } from "node:fs";

/** Bits of a mode by which others than the owner may write. Who writes such a file decides who signs in. */
const OTHERS_WRITE = 0o022;

/** A text of the environment, or of the file that `<name>_FILE` names, with the setting that gave it. */
interface TextSetting {
  readonly setting: string;
  readonly text: string;
}

/** A list of the environment in JSON, or of the file that `<name>_FILE` names, with the setting that gave it. */
export interface JsonSetting {
  readonly setting: string;
  readonly value: unknown;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Reads a setting of JSON. `undefined` where it is not set, or a fault was recorded, which never repeats its text. */
export function readJsonSetting(env: Env, name: string, takes: string, faults: string[]): JsonSetting | undefined {
  const given = readTextSetting(env, name, faults);
  if (!given) return undefined;
  const { setting, text } = given;
  try {
    return { setting, value: JSON.parse(text) };
  } catch {
    // The parser's own message would repeat what stands there.
    faults.push(`${setting} must be ${takes} in JSON`);
    return undefined;
  }
}

/** Reads a setting that may stand in a file. `undefined` where it is not set, or a fault was recorded. */
export function readTextSetting(env: Env, name: string, faults: string[]): TextSetting | undefined {
  const ofFile = `${name}_FILE`;
  const { [name]: given, [ofFile]: file } = env;
  if (given && file) faults.push(`${name} and ${ofFile} must not both be set`);
  const text = given || (file ? textOf(ofFile, file, faults) : undefined);
  return text ? { setting: given ? name : ofFile, text } : undefined;
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
