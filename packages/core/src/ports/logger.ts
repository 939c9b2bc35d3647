/** Where log records go: pino, the host's own, or nothing. Records never hold secrets, bodies or SQL. */
export interface Logger {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

export const silentLogger: Logger = { info() {}, warn() {}, error() {} };
