import { connect } from "node:net";
import type { Header, RawRequest } from "./case.js";

/** An answer from the wire, with its body unframed. */
export interface WireAnswer {
  readonly status: number;
  /** Names in lower case. Repeated headers are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const PATIENCE = 20_000;

/** All headers of a request for the wire. Adds `host` unless given. */
export function wireHeaders(request: RawRequest, host: string, requestId: string): Header[] {
  const given = request.headers ?? [];
  const has = (name: string) => given.some(([other]) => other.toLowerCase() === name);
  const headers: Header[] = [["Connection", "close"], ...given];
  if (!has("host")) headers.unshift(["Host", host]);
  if (!has("x-request-id")) headers.push(["X-Request-Id", requestId]);
  if (request.chunked !== undefined) headers.push(["Transfer-Encoding", "chunked"]);
  else if (request.body !== undefined) headers.push(["Content-Length", String(Buffer.from(request.body).length)]);
  return headers;
}

/** The bytes of a request. Its target is sent unchanged. */
export function encodeRequest(request: RawRequest, headers: readonly Header[]): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const head = Buffer.from(`${request.method} ${request.target} HTTP/1.1\r\n${lines}\r\n`, "latin1");
  const body = Buffer.from(request.body ?? "");
  return Buffer.concat([head, ...(request.chunked === undefined ? [body] : chunks(body, request.chunked))]);
}

function chunks(body: Buffer, size: number): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n"));
  }
  return [...parts, Buffer.from("0\r\n\r\n")];
}

/** Sends bytes on a new connection and reads until the server closes it. Rejects when the connection is reset. */
export function exchange(url: string, bytes: Uint8Array): Promise<Buffer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes));
    socket.setTimeout(PATIENCE, () => socket.destroy(new Error("no answer")));
    socket.on("data", (chunk) => received.push(chunk));
    socket.on("error", reject);
    socket.on("close", (failed) => (failed ? undefined : resolve(Buffer.concat(received))));
  });
}

/** Parses the first answer, after interim ones. */
export function parseAnswer(bytes: Buffer): WireAnswer {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) throw new Error(`no answer in ${JSON.stringify(bytes.toString("latin1", 0, 200))}`);
  const [statusLine = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]);
  const rest = bytes.subarray(end + 4);
  if (status === 100) return parseAnswer(rest);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return { status, headers, body: headers["transfer-encoding"] === "chunked" ? unchunk(rest) : rest };
}

function unchunk(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.toString("latin1", at, end), 16);
    if (size === 0) break;
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(parts);
}
