import pino, { type Logger } from "pino";
import type { Settings } from "./settings/settings.js";

const STANDARD_ERROR = 2;

/** JSON lines on standard output, written synchronously, so that none is lost when the process ends. */
export function createLog(level: Settings["logLevel"]): Logger {
  return pino(optionsOf(level));
}

/** The log of a command: on standard error, because results go to standard output. */
export function createCommandLog(level: Settings["logLevel"]): Logger {
  return pino(optionsOf(level), pino.destination({ dest: STANDARD_ERROR, sync: true }));
}

function optionsOf(level: Settings["logLevel"]): pino.LoggerOptions {
  return {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  };
}
