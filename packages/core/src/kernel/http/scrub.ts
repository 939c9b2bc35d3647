/** What may stand in the messages of drivers and clients: passwords in URLs, and bearer tokens. */
const IN_URL = /([a-z][a-z0-9+.-]*:\/\/[^\s:@/]*):[^\s@/]+@/gi;
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;

/** A text from elsewhere as a log may hold it: without passwords in URLs and without signed tokens. */
export function scrubbed<T extends string | undefined>(text: T): T {
  return text?.replace(IN_URL, "$1:***@").replace(TOKEN, "***") as T;
}
