import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Permits this machine, as a deployment's `egressAllow` would. */
export const LOOPBACK = ["127.0.0.1/32", "localhost"];

/** A server on loopback that ends with the test, and the requests that it got. */
export interface TestServer {
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
}

export async function serve(listener: RequestListener): Promise<TestServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  return { url: await listening(server), requests };
}

/** A server that gives the same answer to everything: a status, headers, and JSON or a text. */
export function serveAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return serve((_request, response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(text),
  );
}

/** Starts a server on a free port of loopback. It ends with the test. */
export async function listening(server: Server): Promise<string> {
  const url = await listen(server);
  onTestFinished(() => stop(server));
  return url;
}

export async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}

/** The parameters of a request's address. */
export const queryOf = (request: IncomingMessage) => new URL(request.url ?? "/", "http://localhost").searchParams;
