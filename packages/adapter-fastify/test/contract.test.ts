import type { ControlPlane } from "@reeve/core";
import { describeHttpContract, HOST_NOT_FOUND, type RunningServer } from "@reeve/testkit";
import fastify, { type FastifyInstance } from "fastify";
import { inject } from "vitest";
import { reeve, reeveFrameworkErrors } from "../src/index.js";

async function listen(app: FastifyInstance, controlPlane: ControlPlane, prefix: string): Promise<RunningServer> {
  app.setNotFoundHandler((_request, reply) => reply.code(404).type("text/plain").send(HOST_NOT_FOUND));
  app.register(reeve, { controlPlane, prefix, exclusive: true });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  return { url, close: () => app.close() };
}

/** Each prefix once, and both with and without root routes. */
const QUICK = [
  ["", true],
  ["/governance", false],
] as const;

describeHttpContract({
  name: "Fastify",
  ...(inject("isQuick") ? { mounts: QUICK } : {}),
  start: ({ controlPlane, prefix }) =>
    listen(fastify({ frameworkErrors: reeveFrameworkErrors(controlPlane, prefix) }), controlPlane, prefix),
});

// The only difference with Fastify's defaults: it answers paths with broken percent-escapes before any plugin.
describeHttpContract({
  name: "Fastify without frameworkErrors",
  mounts: [["", true]],
  frameworkRefusesBrokenEscapes: true,
  start: ({ controlPlane, prefix }) => listen(fastify(), controlPlane, prefix),
});
