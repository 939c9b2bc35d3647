import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { reeve as onExpress } from "@reeve/adapter-express";
import { reeve as onFastify } from "@reeve/adapter-fastify";
import { openidSignIn } from "@reeve/openid";
import express from "express";
import fastify from "fastify";
import { expect, it, onTestFinished } from "vitest";
import type { ControlPlane } from "../../src/index.js";
import { ScriptedProvider } from "../helpers/openid-provider.js";
import { createWorld } from "../helpers/world.js";

const PREFIX = "/gov";
const BASE = `https://reeve.example${PREFIX}`;

type Ask = (path: string, cookie?: string) => Promise<Response>;

async function listening(listener: RequestListener): Promise<Ask> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return (path, cookie) =>
    fetch(`http://127.0.0.1:${port}${PREFIX}${path}`, { redirect: "manual", headers: cookie ? { cookie } : {} });
}

/** A control plane below a prefix of its host, each way that there is. */
const MOUNTS: Readonly<Record<string, (controlPlane: ControlPlane) => Promise<Ask>>> = {
  express: (controlPlane) => listening(express().use(PREFIX, onExpress(controlPlane))),
  async fastify(controlPlane) {
    const app = fastify();
    await app.register(onFastify, { controlPlane, prefix: PREFIX });
    await app.ready();
    onTestFinished(() => app.close());
    return listening((request, answer) => void app.routing(request, answer));
  },
  fetch: async (controlPlane) => async (path, cookie) => {
    const request = new Request(BASE + path, { headers: cookie ? { cookie } : {} });
    const answer = await controlPlane.fetch(request, { prefix: PREFIX });
    if (!answer) throw new Error(`nothing answers ${path}`);
    return answer;
  },
};

const cookieIn = (answer: Response) => answer.headers.get("set-cookie") ?? "";

it.each(Object.keys(MOUNTS))("a browser signs in at a provider below a prefix, through %s", async (way) => {
  const provider = await ScriptedProvider.start();
  const issuer = { issuer: provider.url, audience: `${BASE}/api`, tenantClaim: "org", usernameClaim: "email" };
  const { controlPlane, clock, a } = await createWorld({
    baseUrl: BASE,
    trustedIssuers: [issuer],
    openid: openidSignIn([{ name: "acme", label: "Acme", issuer: provider.url, clientId: "reeve" }]),
    egressAllow: ["127.0.0.1"],
  });
  provider.now = () => Math.floor(clock.now() / 1_000);
  const ask = await (MOUNTS[way] as (plane: ControlPlane) => Promise<Ask>)(controlPlane);
  const out = await ask("/api/v1/auth/openid/acme/start?return=inbox");
  const sent = new URL(out.headers.get("location") ?? "");
  expect([out.status, sent.searchParams.get("redirect_uri")]).toEqual([303, `${BASE}/api/v1/auth/openid/callback`]);
  expect(cookieIn(out)).toMatch(/^__Secure-reeve_openid=[\w-]+; Path=\/gov; HttpOnly; SameSite=Lax; Secure;/);
  const who = { sub: "somebody", org: a.tenantId, email: a.actors.operator.username, email_verified: true };
  const query = provider.grant(sent.href, who);
  const back = await ask(`/api/v1/auth/openid/callback?${query}`, cookieIn(out).split(";")[0]);
  expect([back.status, back.headers.get("location")]).toEqual([303, `${BASE}/console/inbox`]);
  expect(cookieIn(back)).toMatch(
    /^__Secure-reeve_session=reeve_bs_[\w-]+; Path=\/gov; HttpOnly; SameSite=Strict; Secure;/,
  );
  const me = await ask("/api/v1/me", cookieIn(back).split(";")[0]);
  expect([me.status, ((await me.json()) as { id: string }).id]).toEqual([200, a.actors.operator.userId]);
});
