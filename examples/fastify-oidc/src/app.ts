import { reeve, reeveFrameworkErrors } from "@reeve/adapter-fastify";
import { createControlPlane, createMemoryStore } from "@reeve/core";
import fastify, { type FastifyInstance } from "fastify";

const PREFIX = "/governance";

/** An application whose users have tokens of the company's OpenID Connect issuer. Reeve accepts the same tokens. */
export async function createApp(settings: {
  issuer: string;
  audience: string;
  baseUrl: string;
  masterKey: string | undefined;
  /** Hosts or networks of the issuer that are not public. */
  privateNetworks?: readonly string[];
}): Promise<FastifyInstance> {
  const { issuer, audience, baseUrl, masterKey, privateNetworks = [] } = settings;
  const controlPlane = createControlPlane({
    store: createMemoryStore(),
    masterKey,
    baseUrl: baseUrl + PREFIX,
    registration: "closed",
    trustedIssuers: [{ issuer, audience, tenantClaim: "org", usernameClaim: "email", rolesClaim: "groups" }],
    egressAllow: privateNetworks,
  });
  // Creates the tenant at the first start and finds it afterwards. The claim `org` has its subdomain.
  await controlPlane.ensureTenant({ externalId: "acme", name: "Acme", subdomain: "acme" });

  const app = fastify({ frameworkErrors: reeveFrameworkErrors(controlPlane, PREFIX) });
  await app.register(reeve, { prefix: PREFIX, controlPlane });
  app.addHook("onClose", () => controlPlane.close());
  return app;
}
