import { Failure } from "../failure.js";
import { readSettings, type Settings } from "../settings/settings.js";
import type { Output } from "./output.js";

/** What every command gets. */
export interface Invocation {
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
}

/** The exit code of a finished command; `undefined` while the process continues. */
export type ExitCode = 0 | 2 | undefined;

/** The settings from the environment. Throws a `Failure` with a line for each invalid one. */
export function settingsOf({ env }: Invocation): Settings {
  const settings = readSettings(env);
  if ("faults" in settings) throw new Failure(...settings.faults);
  return settings;
}
