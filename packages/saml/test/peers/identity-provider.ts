import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { reeveListener } from "@reeve/adapter-http";
import { createPlane, createTenant, type Scene } from "@reeve/testkit";

/** A port of loopback that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A control plane with one tenant, served on loopback by the clock of the machine, as its service providers are. */
export async function startIdentityProvider() {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const plane = createPlane({ baseUrl, clock: { now: () => Date.now() }, egressAllow: ["127.0.0.1"] });
  const scene: Scene = await createTenant(plane, "peers");
  const server = createServer(reeveListener(plane.controlPlane));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { token } = scene.owner;
  return {
    scene,
    baseUrl,
    /** Its metadata, for one application where it is named. */
    metadata: async (app?: string) =>
      (await fetch(`${baseUrl}/saml/metadata?tenant=${scene.tenantId}${app ? `&app=${app}` : ""}`)).text(),
    /** Registers a service provider by its metadata or by fields, for everyone. */
    async register(given: string | object, more: object = {}) {
      const own = typeof given === "string" ? { metadataXml: given } : given;
      const body = { ...own, status: "active", attributeMapping: [{ name: "mail", source: "username" }], ...more };
      const created = await plane.send("POST", "/api/v1/saml-apps/create", { token, body });
      if (created.status !== 200) throw new Error(created.text);
      const path = `/api/v1/saml-apps/${created.json.id}/assignments`;
      await plane.send("POST", path, { token, body: { subjectType: "everyone" } });
      return created.json as { id: string; entityId: string; signedRequests: boolean };
    },
    remove: (id: string) => plane.send("DELETE", `/api/v1/saml-apps/${id}`, { token }),
    sessionsOf: async (id: string) =>
      (await plane.send("GET", `/api/v1/saml-apps/${id}/sessions`, { token })).json.items,
    /** Takes an application away from everybody, and tells it of the sessions that ended. */
    async takeAway(id: string) {
      const path = `/api/v1/saml-apps/${id}/assignments`;
      const { json } = await plane.send("GET", path, { token });
      for (const one of json.items) await plane.send("DELETE", `${path}/${one.id}`, { token });
      await plane.controlPlane.tick();
      return (await plane.send("GET", `/api/v1/saml-apps/${id}/sessions`, { token })).json.items;
    },
    health: async () => (await plane.send("GET", "/api/v1/saml-apps/health", { token })).json.items,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await plane.controlPlane.close();
    },
  };
}

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;
