/** Secrets that occur in messages of drivers and clients: passwords in URLs, and bearer tokens. */
const IN_URL = /([a-z][a-z0-9+.-]*:\/\/[^\s:@/]*):[^\s@/]+@/gi;
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;

/** Foreign text made fit for a log: passwords in URLs and signed tokens are masked. */
export function scrubbed<T extends string | undefined>(text: T): T {
  return text?.replace(IN_URL, "$1:***@").replace(TOKEN, "***") as T;
}
