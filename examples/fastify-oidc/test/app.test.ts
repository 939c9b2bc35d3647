import { generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { freePort } from "@reeve/testkit/postgres";
import type { FastifyInstance } from "fastify";
import { Provider } from "oidc-provider";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../src/app.js";

const AUDIENCE = "https://governance.acme.example";
/** The issuer's users, with the claims of their tokens. */
const PEOPLE: Readonly<Record<string, object>> = {
  ada: { org: "acme", email: "ada@acme.example", groups: ["operator"] },
  joan: { org: "acme", email: "joan@acme.example", groups: ["auditor"] },
  eve: { org: "elsewhere", email: "eve@elsewhere.example", groups: ["owner"] },
};
let server: Server;
let issuer: string;
let app: FastifyInstance;
let base: string;

beforeAll(async () => {
  const port = await freePort();
  issuer = `http://127.0.0.1:${port}`;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const provider = new Provider(issuer, {
    clients: Object.keys(PEOPLE).map((client_id) => ({
      client_id,
      client_secret: `secret of ${client_id}`,
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
    })),
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "RS256", use: "sig", kid: "one" }] },
    cookies: { keys: ["only for this test"] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => AUDIENCE,
        getResourceServerInfo: () => ({
          scope: "",
          audience: AUDIENCE,
          accessTokenFormat: "jwt",
        }),
      },
    },
    extraTokenClaims: (_ctx: unknown, token: { clientId: string }) => PEOPLE[token.clientId],
  });
  server = createServer(provider.callback()).listen(port, "127.0.0.1");
  await once(server, "listening");
  const masterKey = randomBytes(32).toString("base64");
  const settings = { issuer, audience: AUDIENCE, baseUrl: "http://127.0.0.1:3000", masterKey };
  app = await createApp({ ...settings, privateNetworks: ["127.0.0.1"] });
  base = await app.listen({ host: "127.0.0.1", port: 0 });
});

afterAll(async () => {
  await app.close();
  server.close().closeAllConnections();
});

async function tokenOf(person: string): Promise<string> {
  const credentials = Buffer.from(`${person}:${encodeURIComponent(`secret of ${person}`)}`).toString("base64");
  const answer = await fetch(`${issuer}/token`, {
    method: "POST",
    headers: { authorization: `Basic ${credentials}` },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}
const ASSETS = "/governance/api/v1/ai-assets";
const headers = async (person: string) => ({
  authorization: `Bearer ${await tokenOf(person)}`,
  "content-type": "application/json",
});
const make = async (person: string) =>
  fetch(base + ASSETS, {
    method: "POST",
    headers: await headers(person),
    body: JSON.stringify({ name: "Support agent", assetType: "agent" }),
  });

describe("a Fastify application behind an OpenID Connect issuer", () => {
  it("lets in whom the issuer has signed in, in the roles it names", async () => {
    expect((await make("ada")).status).toBe(201);
    expect((await make("joan")).status).toBe(403);
    const listed = await fetch(base + ASSETS, { headers: await headers("joan") });
    expect(await listed.json()).toMatchObject({ items: [{ name: "Support agent" }] });
  });

  it("lets in nobody of another organisation, and nobody without a token", async () => {
    expect((await make("eve")).status).toBe(401);
    expect((await fetch(base + ASSETS)).status).toBe(401);
  });
});
