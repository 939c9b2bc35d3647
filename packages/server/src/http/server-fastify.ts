import { reeve, reeveFrameworkErrors } from "@reeve/adapter-fastify";
import type { ControlPlane } from "@reeve/core";
import fastify from "fastify";
import type { HttpServer } from "./server.js";

/** No route here has a schema of Fastify's own, so its compilers need not be loaded: they take a twelfth of a start. */
const compilersFactory = { buildValidator: noSchemas, buildSerializer: noSchemas };

export async function fastifyServer(controlPlane: ControlPlane): Promise<HttpServer> {
  // While the server closes, the control plane's own refusals are better than Fastify's.
  const app = fastify({
    frameworkErrors: reeveFrameworkErrors(controlPlane),
    return503OnClosing: false,
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
