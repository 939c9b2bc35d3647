/** The address of the console, as the server wrote it into the page. */
export const consoleUrl = new URL(document.baseURI);

/** The address of the mount, which holds the API beside the console. */
export const mountUrl = new URL("../", consoleUrl);

/** The header without which the server takes no write by cookie: no form of another page can send it. */
export const PAGE_HEADERS = { "X-Reeve-Page": "1" };
