import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { undoLater } from "../helpers/undo.js";

/** Listens until the test ends, which cuts what is still connected. */
async function listen(server: Server, host: string, port: number): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  undoLater(async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  });
  server.listen(port, host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** An HTTP server on a loopback address; its port. */
export function serve(handler: RequestListener, host = "127.0.0.1", port = 0): Promise<number> {
  return listen(createHttpServer(handler), host, port);
}

/** Any other server. */
export function listening(server: Server, host = "127.0.0.1"): Promise<number> {
  return listen(server, host, 0);
}

/** A server that runs `script` on every connection once the request's head has arrived. */
export function speak(script: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    let head = "";
    socket.on("data", (chunk) => {
      const before = head;
      head += chunk.toString("latin1");
      if (!before.includes("\r\n\r\n") && head.includes("\r\n\r\n")) script(socket);
    });
  });
  return listening(server);
}

/** Writes `chunk` as fast as it is taken, up to `total` bytes; what was handed over. */
export function flood(socket: Socket, chunk: Buffer, total: number): () => number {
  let written = 0;
  const more = () => {
    while (!socket.destroyed && written < total) {
      written += chunk.length;
      if (!socket.write(chunk)) return;
    }
  };
  socket.on("drain", more);
  more();
  return () => written;
}

export interface Canary {
  readonly port: number;
  connections(): number;
  bytes(): number;
}

/** Listens where nothing may ever arrive: on both loopback addresses, at one port. */
export async function canary(): Promise<Canary> {
  let connections = 0;
  let bytes = 0;
  const sing = () =>
    createServer((socket) => {
      connections += 1;
      socket.on("data", (chunk) => {
        bytes += chunk.length;
      });
    });
  const port = await listen(sing(), "127.0.0.1", 0);
  await listen(sing(), "::1", port);
  return { port, connections: () => connections, bytes: () => bytes };
}
