import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { nodeBody } from "@reeve/core";

/** The most bytes of a request's body. */
const MOST = 1_048_576;

/** A listener around a web-standard handler. No request ends its process: what is malformed or breaks off is refused. */
export function webListener(handle: (request: Request) => Promise<Response>): RequestListener {
  return (message, response) => {
    answerTo(message, handle)
      .then((answer) => send(answer, response))
      .catch(() => response.destroy());
  };
}

async function answerTo(message: IncomingMessage, handle: (request: Request) => Promise<Response>): Promise<Response> {
  const body = await nodeBody(message, MOST);
  if (!body) return new Response(null, { status: 413, headers: { connection: "close" } });
  const { method = "GET" } = message;
  const headers = Object.entries(message.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const sent = method === "POST" ? { body: Buffer.from(body) } : {};
  // Path and host are the sender's own words, and one server has one address.
  return handle(new Request("http://127.0.0.1/mcp", { method, headers, ...sent }));
}

async function send({ status, headers, body }: Response, response: ServerResponse): Promise<void> {
  response.writeHead(status, Object.fromEntries(headers));
  if (body) await pipeline(Readable.fromWeb(body as never), response);
  else response.end();
}
