import { reeve, reeveFrameworkErrors } from "@reeve/adapter-fastify";
import { createControlPlane } from "@reeve/core";
import { createPostgresStore } from "@reeve/store-postgres";
import fastify, { type FastifyInstance } from "fastify";

const PREFIX = "/governance";

/** An application with its own route, and Reeve below a prefix. Closing it closes the control plane. */
export async function createApp(settings: {
  databaseUrl: string;
  masterKey: string | undefined;
  baseUrl: string;
}): Promise<FastifyInstance> {
  const controlPlane = createControlPlane({
    store: createPostgresStore({ url: settings.databaseUrl }),
    masterKey: settings.masterKey,
    baseUrl: settings.baseUrl + PREFIX,
    registration: "open",
  });
  const app = fastify({ frameworkErrors: reeveFrameworkErrors(controlPlane, PREFIX) });
  await app.register(reeve, { prefix: PREFIX, controlPlane });
  app.get("/orders/:id", async (request) => ({ order: (request.params as { id: string }).id }));

  // Does expiries and deliveries. An application with a scheduler calls `tick` there.
  controlPlane.start();
  app.addHook("onClose", () => controlPlane.close());
  return app;
}
