import pino, { type Logger } from "pino";
import type { Settings } from "./settings.js";

/** JSON lines on standard output, written at once, so that none is lost when the process ends. */
export function createLog(level: Settings["logLevel"]): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });
}
