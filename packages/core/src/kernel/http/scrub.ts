import type { Logger } from "#ports/logger.js";

/** Secrets that occur in messages of drivers and clients: passwords in URLs, and bearer tokens. */
const IN_URL = /([a-z][a-z0-9+.-]*:\/\/[^\s:@/]*):[^\s@/]+@/gi;
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;

/** Foreign text made fit for a log: passwords in URLs and signed tokens are masked. */
export function scrubbed<T extends string | undefined>(text: T): T {
  return text?.replace(IN_URL, "$1:***@").replace(TOKEN, "***") as T;
}

type Fields = Record<string, unknown>;

/** A logger whose records are fit for a log, whatever text of drivers, clients and hosts they hold. */
export function scrubbingLogger(logger: Logger): Logger {
  return {
    info: (fields, message) => logger.info(scrubbedFields(fields), message),
    warn: (fields, message) => logger.warn(scrubbedFields(fields), message),
    error: (fields, message) => logger.error(scrubbedFields(fields), message),
  };
}

function scrubbedFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, scrubbedValue(value)]));
}

/** Texts may stand in an object, as the cause of an error does. */
function scrubbedValue(value: unknown): unknown {
  if (typeof value === "string") return scrubbed(value);
  return value?.constructor === Object ? scrubbedFields(value as Fields) : value;
}
