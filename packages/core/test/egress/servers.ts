import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { undoLater } from "../helpers/undo.js";

/** Listens until the test ends, then closes open connections. */
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

/** Starts an HTTP server on a loopback address. Returns its port. */
export function serve(handler: RequestListener, host = "127.0.0.1", port = 0): Promise<number> {
  return listen(createHttpServer(handler), host, port);
}

/** Starts any other server. Returns its port. */
export function listening(server: Server, host = "127.0.0.1"): Promise<number> {
  return listen(server, host, 0);
}

/** A server that runs `script` on each connection after the head of the request has arrived. */
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

/** Writes `chunk` as fast as the socket takes it, up to `total` bytes. Returns a function for the bytes written. */
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

/** Listens on both loopback addresses at one port, and counts connections. No test may cause any. */
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
