import { reeve, reeveFrameworkErrors } from "@reeve/adapter-fastify";
import type { ControlPlane } from "@reeve/core";
import fastify from "fastify";
import type { HttpServer } from "./server.js";

export async function fastifyServer(controlPlane: ControlPlane): Promise<HttpServer> {
  // While the server closes, the control plane's own refusals are better than Fastify's.
  const app = fastify({ frameworkErrors: reeveFrameworkErrors(controlPlane), return503OnClosing: false });
  await app.register(reeve, { controlPlane });
  return {
    server: app.server,
    listen: async ({ host, port }) => {
      await app.listen({ host, port });
    },
    close: () => app.close(),
  };
}
