import { reeve, reeveFrameworkErrors } from "@reeve/adapter-fastify";
import type { ControlPlane } from "@reeve/core";
import fastify from "fastify";
import { REQUEST_TIMEOUT_MS } from "./request-timeout.js";
import type { HttpServer } from "./server.js";

/** No route uses Fastify's schemas, so their compilers are not loaded. They take a twelfth of the start. */
const compilersFactory = { buildValidator: noSchemas, buildSerializer: noSchemas };

export async function fastifyServer(controlPlane: ControlPlane): Promise<HttpServer> {
  // During a stop, the control plane's refusals are better than Fastify's.
  const app = fastify({
    frameworkErrors: reeveFrameworkErrors(controlPlane),
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    schemaController: { compilersFactory },
  });
  await app.register(reeve, { controlPlane, exclusive: true });
  return {
    server: app.server,
    listen: async ({ host, port }) => {
      await app.listen({ host, port });
    },
    close: () => app.close(),
  };
}

function noSchemas(): never {
  throw new Error("this server has no routes with schemas of Fastify's own");
}
