/** Receives log records: pino, the host's own logger, or none. Records never hold secrets, bodies or SQL. */
export interface Logger {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

export const silentLogger: Logger = { info() {}, warn() {}, error() {} };

type Level = "warn" | "error";

/** Writes warnings and errors to standard error: plain lines on a terminal, JSON elsewhere. */
export const stderrLogger: Logger = {
  info() {},
  warn: (fields, message) => writeRecord("warn", fields, message),
  error: (fields, message) => writeRecord("error", fields, message),
};

function writeRecord(level: Level, fields: Record<string, unknown>, message: string): void {
  const { stderr } = process;
  stderr.write(stderr.isTTY ? lineOf(level, fields, message) : jsonOf(level, fields, message));
}

function jsonOf(level: Level, fields: Record<string, unknown>, message: string): string {
  return `${JSON.stringify({ level, time: new Date().toISOString(), msg: message, ...fields })}\n`;
}

function lineOf(level: Level, fields: Record<string, unknown>, message: string): string {
  const facts = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `reeve ${level}: ${[message, ...facts].join(" ")}\n`;
}
