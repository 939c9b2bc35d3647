import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Answers a request. `gone` is aborted when its sender has hung up. It may reject: that is an answer of 500. */
export type Handle = (message: IncomingMessage, gone: AbortSignal) => Promise<Response>;

/** A server that no request ends: whatever is malformed, late or broken off is an answer or a closed connection. */
export function edge(handle: Handle): Server {
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000 }, (message, response) => {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    handle(message, gone.signal)
      .catch(() => refusal(500))
      .then((answer) => send(answer, response))
      .catch(() => response.destroy());
  });
  // A reader that takes nothing for a minute holds its connection no longer.
  server.setTimeout(60_000);
  server.maxConnections = 1_000;
  return server;
}

/** An answer without a body. The rest of the request is not read, so its connection ends with it. */
export function refusal(status: number, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status, headers: { connection: "close", ...headers } });
}

/** The body of a request; `undefined` when it is longer than `most` bytes, of which no more is read. */
export function bodyOf(message: IncomingMessage, most: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const hungUp = () => reject(new Error("The sender has hung up."));
    if (message.destroyed) hungUp();
    message.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= most) return void chunks.push(chunk);
      message.pause();
      resolve(undefined);
    });
    message.once("end", () => resolve(Buffer.concat(chunks)));
    message.once("close", hungUp);
  });
}

async function send({ status, headers, body }: Response, response: ServerResponse): Promise<void> {
  response.writeHead(status, Object.fromEntries(headers));
  // It waits for a reader that is slow, and ends with one that has gone.
  if (body) await pipeline(Readable.fromWeb(body as never), response);
  else response.end();
}
