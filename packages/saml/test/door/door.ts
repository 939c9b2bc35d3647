import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { reeve as express } from "@reeve/adapter-express";
import { reeve as plugin, reeveFrameworkErrors } from "@reeve/adapter-fastify";
import type { ControlPlane, SamlMessage } from "@reeve/core";
import { manualClock } from "@reeve/core/testing";
import { createPlane } from "@reeve/testkit";
import newExpress from "express";
import fastify from "fastify";
import { ACS, NOW, SP, TENANT, testKeys } from "../support/bench.js";
import type { Kind } from "../support/messages.js";

const ADAPTERS = {
  express: async (controlPlane: ControlPlane) => {
    const server = createServer(newExpress().use(express(controlPlane, { exclusive: true })));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const close = async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    };
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
  },
  fastify: async (controlPlane: ControlPlane) => {
    const app = fastify({ frameworkErrors: reeveFrameworkErrors(controlPlane), forceCloseConnections: true });
    await app.register(plugin, { controlPlane, exclusive: true });
    return { url: await app.listen({ host: "127.0.0.1", port: 0 }), close: () => app.close() };
  },
} as const;

export const ADAPTER_NAMES = ["express", "fastify"] as const;

const account = { username: "ada@acme.example", password: "violet tram at noon" };
const wanted = Number(TENANT.replace("tnt_", ""));

/** How many ids are drawn before that of the first tenant, itself included. */
async function drawnForTenant(): Promise<number> {
  const { send, controlPlane } = createPlane();
  const { json } = await send("POST", "/api/v1/register", { body: { organization: "Acme", ...account } });
  await controlPlane.close();
  return Number(json.tenantId.replace("tnt_", ""));
}

/** Serves the tenant and the application that the messages name, over HTTP, at their time. */
export async function openDoor(adapter: keyof typeof ADAPTERS) {
  const plane = createPlane({ clock: manualClock(new Date(NOW).toISOString()) }, wanted - (await drawnForTenant()));
  const { send, controlPlane, store } = plane;
  const { json: tenant } = await send("POST", "/api/v1/register", { body: { organization: "Acme", ...account } });
  if (tenant.tenantId !== TENANT) throw new Error(`the tenant is ${tenant.tenantId}`);
  const { json: signedIn } = await send("POST", "/api/v1/auth/signin", { body: account });
  const { token } = signedIn;
  const { sp } = await testKeys();
  const slo = { sloUrl: "https://sp.example/slo", sloBinding: "redirect" };
  const body = {
    entityId: SP,
    acsUrls: [ACS],
    ...slo,
    certificates: [sp.certificate],
    signedRequests: true,
    status: "active",
  };
  const { json: app } = await send("POST", "/api/v1/saml-apps/create", { token, body });
  await send("POST", `/api/v1/saml-apps/${app.id}/assignments`, { token, body: { subjectType: "everyone" } });
  const { url, close } = await ADAPTERS[adapter](controlPlane);
  let seen = 0;

  return {
    url,
    app: app as { readonly id: string },
    account,
    /** Types and refusals of the events since the last call. */
    async news(): Promise<readonly { readonly type: string; readonly refusal?: string }[]> {
      const events = await store.forTenant(TENANT).scanEvents({ after: seen, size: 100 });
      seen = events.at(-1)?.sequence ?? seen;
      return events.map(({ attributes, data }) => {
        const { refusal } = JSON.parse(data ?? "{}") as { refusal?: string };
        const { type } = JSON.parse(attributes) as { type: string };
        return { type, ...(refusal === undefined ? {} : { refusal }) };
      });
    },
    /** The sessions at the application. */
    sessions: async () => (await send("GET", `/api/v1/saml-apps/${app.id}/sessions`, { token })).json.items,
    /** Signs the owner on. Returns the index of the session. */
    async signOn(): Promise<string> {
      const { json } = await send("POST", `/api/v1/saml-apps/${app.id}/launch`, { token });
      return (await send("GET", `/${json.nonce}/${app.id}`, { token })).json.sessionIndex;
    },
    async stop() {
      await close();
      await controlPlane.close();
    },
  };
}

export type Door = Awaited<ReturnType<typeof openDoor>>;

/** Sends a message as a browser brings it. */
export async function bring({ url }: Pick<Door, "url">, kind: Kind, message: SamlMessage) {
  const headers = { accept: "text/html" };
  const door = `${url}/saml/${kind === "AuthnRequest" ? "sso" : "slo"}?tenant=${TENANT}`;
  const answer =
    message.binding === "post"
      ? await fetch(door, { method: "POST", headers, body: new URLSearchParams(message.fields) })
      : await fetch(`${door}&${message.query.replace(`tenant=${TENANT}&`, "")}`, { headers });
  const page = await answer.text();
  const [, code = "", refusal] = /<code>(\w+)(?:: (\w+))?<\/code>/.exec(page) ?? [];
  return { status: answer.status, headers: answer.headers, page, code, refusal };
}
