import { Failure } from "../failure.js";
import { readSettings, type Settings } from "../settings/settings.js";
import type { Output } from "./output.js";

/** What every command is run with. */
export interface Invocation {
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
}

/** What a command that ended by itself answers the shell; `undefined` while the process goes on. */
export type ExitCode = 0 | 2 | undefined;

/** The settings of the environment. Throws a `Failure` with a line for each that is wrong. */
export function settingsOf({ env }: Invocation): Settings {
  const settings = readSettings(env);
  if ("faults" in settings) throw new Failure(...settings.faults);
  return settings;
}
