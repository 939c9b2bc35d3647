import { once } from "node:events";
import { createServer } from "node:http";
import { reeve } from "@reeve/adapter-express";
import type { ControlPlane } from "@reeve/core";
import express from "express";
import { REQUEST_TIMEOUT_MS } from "./request-timeout.js";
import type { HttpServer } from "./server.js";

export async function expressServer(controlPlane: ControlPlane): Promise<HttpServer> {
  const app = express()
    .disable("x-powered-by")
    .use(reeve(controlPlane, { exclusive: true }));
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, app);
  return {
    server,
    listen: async ({ host, port }) => {
      server.listen(port, host);
      await once(server, "listening");
    },
    close: async () => {
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}
