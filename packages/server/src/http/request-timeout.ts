/**
 * How long a client may take to send a request, in milliseconds. Whoever sends its body slower holds a connection that
 * no limit counts.
 */
export const REQUEST_TIMEOUT_MS = 60_000;
