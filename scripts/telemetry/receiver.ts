import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";

/** One export: the path that it was sent to, and what it holds. */
export interface Received {
  readonly path: string;
  readonly body?: object;
  /** Of protobuf. */
  readonly base64?: string;
}

/** Something on loopback that takes what exporters send over HTTP, and keeps it. */
export async function startReceiver() {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const sent = await buffer(request);
    const bytes = request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
    const type = request.headers["content-type"] ?? "";
    const isJson = type.includes("json");
    const path = request.url ?? "";
    received.push({
      path,
      ...(isJson ? { body: JSON.parse(bytes.toString()) } : { base64: bytes.toString("base64") }),
    });
    response.writeHead(200, { "content-type": type }).end(isJson ? "{}" : "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, close };
}
