/** Bytes that are no request. The server's HTTP parser refuses them before any of Reeve's code runs. */
export interface MalformedRequest {
  readonly name: string;
  /** Possible statuses, and `"closed"` when the server may close the connection without an answer. */
  readonly statuses: readonly (number | "closed")[];
  bytes(host: string, prefix: string): Uint8Array;
}

const PING = "/api/v1/monitor/ping";

function malformed(
  name: string,
  text: (host: string, path: string) => string,
  statuses: readonly (number | "closed")[] = [400],
): MalformedRequest {
  return { name, statuses, bytes: (host, prefix) => Buffer.from(text(host, prefix + PING), "latin1") };
}

const get = (path: string, host: string, more = "") =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`;
const post = (path: string, host: string, more: string) =>
  `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Type: application/json\r\n${more}`;

/** The parser answers each with 400 or 431, and the server keeps running. */
export const malformedRequests: readonly MalformedRequest[] = [
  malformed("a NUL in the target", (host, path) => get(`${path}\0`, host)),
  malformed("a space in the target", (host, path) => get(`${path} x`, host)),
  malformed("a tab in the target", (host, path) => get(`${path}\t`, host)),
  malformed("a target without a slash", (host) => get("api/v1", host)),
  malformed("a method nobody knows", (host, path) => get(path, host).replace("GET", "GRAB")),
  malformed("a method in lower case", (host, path) => get(path, host).replace("GET", "get")),
  malformed("bare bytes above ASCII in the target", (host, path) => get(`${path}\u00c3\u00a9`, host), [400, 404]),
  malformed("a target of backslashes", (host, path) => get(path.replaceAll("/", "\\"), host), [400, 404]),
  malformed("a version of the future", (host, path) => get(path, host).replace("HTTP/1.1", "HTTP/9.9"), [400, 505]),
  malformed("no Host", (_host, path) => `GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`),
  malformed("a header without a colon", (host, path) => get(path, host, "Authorization\r\n")),
  malformed("a NUL in a header", (host, path) => get(path, host, "Authorization: Bearer \0\r\n")),
  malformed("a space before a colon", (host, path) => get(path, host, "Authorization : x\r\n")),
  malformed("headers of 20 KiB", (host, path) => get(path, host, `X-Long: ${"a".repeat(20 * 1_024)}\r\n`), [431]),
  malformed("a target of 20 KiB", (host, path) => get(`${path}?x=${"a".repeat(20 * 1_024)}`, host), [431]),
  malformed("two lengths", (host, path) => post(path, host, "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}")),
  malformed("a length and chunks", (host, path) =>
    post(path, host, "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
  ),
  malformed("a negative length", (host, path) => post(path, host, "Content-Length: -1\r\n\r\n{}")),
  malformed("a length that is no number", (host, path) => post(path, host, "Content-Length: two\r\n\r\n{}")),
  malformed("an unknown transfer encoding", (host, path) => post(path, host, "Transfer-Encoding: x\r\n\r\n{}")),
  malformed("an upgrade nobody offers", (host, path) => `CONNECT ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, [
    400,
    404,
    405,
    "closed",
  ]),
  malformed("noise", () => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"),
];
