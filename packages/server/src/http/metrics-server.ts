import { once } from "node:events";
import { createServer } from "node:http";
import { writeResponse } from "@reeve/adapter-http";
import type { Page } from "./front.js";

interface Place {
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

/** Serves metrics on a separate address, which can be private. Resolves to a function that closes it. */
export async function listenForMetrics(page: Page, { host, port, path }: Place): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (request.url !== path || !isRead) return void response.writeHead(404).end();
    page().then(
      (answer) => writeResponse(response, answer),
      (error: unknown) => response.destroy(error as Error),
    );
  });
  server.listen(port, host);
  await once(server, "listening");
  return async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
}
