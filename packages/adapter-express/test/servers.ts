import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { HOST_NOT_FOUND, type RunningServer } from "@reeve/testkit";
import type { Express } from "express";

/** Listens on a free port of 127.0.0.1. */
export async function listen(listener: RequestListener): Promise<RunningServer & { readonly server: Server }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, server, close };
}

/** Adds the host's own 404 answer. */
export function withNotFound(app: Express): Express {
  return app.use((_request, response) => {
    response.status(404).type("text/plain").send(HOST_NOT_FOUND);
  });
}
