import { generateKeyPairSync } from "node:crypto";
import { freePort } from "@reeve/testkit/postgres";
import { importJWK } from "jose";
import * as client from "openid-client";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { ADAPTER_OF } from "../helpers/adapters.js";
import { startIssuer, startServer } from "../helpers/servers.js";
import { emptyDatabase } from "../helpers/stores.js";

const AUDIENCE = "https://reeve.example/api";
const EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const JWT = "urn:ietf:params:oauth:token-type:jwt";
const ACCOUNT = { username: "ada@acme.example", password: "violet tram at noon" };
const DAY = 86_400_000;

/**
 * Two servers on one database, an external issuer, and a client library that knows nothing of Reeve. All are real
 * processes.
 */
describe.each(["sqlite", "postgres"] as const)("a client of openid-client, against a server on %s", (kind) => {
  let issuer: Awaited<ReturnType<typeof startIssuer>>;
  let base: string;
  let second: string;
  let owner: { token: string; refreshToken: string };
  let identity: string;
  let secret: string;
  beforeAll(async () => {
    issuer = await startIssuer(AUDIENCE, {
      "batch-job": { secret: "one", claims: {} },
      ada: { secret: "two", claims: { org: "acme", email: ACCOUNT.username } },
      eve: { secret: "three", claims: { org: "acme", email: "eve@elsewhere.example" } },
    });
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    const claims = { tenantClaim: "org", usernameClaim: "email", usernamesVerified: true };
    const trusted = { issuer: issuer.url, audience: AUDIENCE, ...claims };
    const setting = {
      adapter: ADAPTER_OF[kind],
      address: await emptyDatabase(kind),
      config: { baseUrl: base, trustedIssuers: [trusted], egressAllow: ["127.0.0.1"] },
    };
    await startServer(setting, port);
    second = await startServer(setting);
    await post(base, "/register", { organization: "Acme", subdomain: "acme", ...ACCOUNT });
    owner = await post(base, "/auth/signin", ACCOUNT);
    identity = await newIdentity({ issuer: issuer.url, subject: "batch-job" });
    secret = (await post(base, `/ai/identities/${identity}/credentials`, {})).clientSecret;
  });

  async function post(at: string, path: string, body: object, token = owner?.token) {
    const answer = await fetch(`${at}/api/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }
  const newIdentity = async (more: object): Promise<string> => {
    const sponsor = { type: "external", id: "ada", name: "ada" };
    const body = { kind: "workload", environment: "test", sponsor, scopes: ["ai-asset:read", "ai-asset:write"] };
    return (await post(base, "/ai/identities", { name: "Batch job", ...body, ...more })).id;
  };
  const ask = async (token: string, at = base) =>
    (await fetch(`${at}/api/v1/ai-assets`, { headers: { authorization: `Bearer ${token}` } })).status;
  const discover = (clientId: string, how: client.ClientAuth) =>
    client.discovery(new URL(base), clientId, undefined, how, {
      algorithm: "oauth2",
      execute: [client.allowInsecureRequests],
    });
  // For an error with a challenge, the library exposes the challenge.
  const challenged = expect.objectContaining({ status: 401, code: "OAUTH_WWW_AUTHENTICATE_CHALLENGE" });
  const refused = (error: string) => expect.objectContaining({ error });

  it("discovers the server", async () => {
    const metadata = (await discover(identity, client.None())).serverMetadata();
    expect(metadata).toMatchObject({ issuer: base, token_endpoint: `${base}/api/v1/auth/token` });
    const { keys } = (await (await fetch(metadata.jwks_uri as string)).json()) as { keys: unknown[] };
    expect(keys).toHaveLength(2);
  });

  it.each([
    ["ClientSecretBasic", client.ClientSecretBasic],
    ["ClientSecretPost", client.ClientSecretPost],
  ])("gets a token by %s", async (_name, proof) => {
    const config = await discover(identity, proof(secret));
    const answer = await client.clientCredentialsGrant(config, { scope: "ai-asset:read" });
    expect(answer).toMatchObject({ token_type: "bearer", scope: "ai-asset:read", expires_in: 3_600 });
    expect([await ask(answer.access_token), await ask(answer.access_token, second)]).toEqual([200, 200]);
    const reported = await client.tokenIntrospection(config, answer.access_token);
    expect(reported).toMatchObject({ active: true, client_id: identity, scope: "ai-asset:read" });
    await client.tokenRevocation(config, answer.access_token);
    expect(await client.tokenIntrospection(config, answer.access_token)).toEqual({ active: false });
    expect(await ask(answer.access_token)).toBe(401);
    const wrong = await discover(identity, proof(`${secret}x`));
    await expect(client.clientCredentialsGrant(wrong)).rejects.toEqual(challenged);
    await expect(client.clientCredentialsGrant(config, { scope: "user:write" })).rejects.toEqual(
      refused("invalid_scope"),
    );
  });

  it.each(["ES256", "EdDSA", "RS256"] as const)("gets a token by PrivateKeyJwt with %s", async (alg) => {
    const pair = {
      ES256: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
      EdDSA: () => generateKeyPairSync("ed25519"),
      RS256: () => generateKeyPairSync("rsa", { modulusLength: 2_048 }),
    }[alg]();
    const publicJwk = { ...pair.publicKey.export({ format: "jwk" }), alg };
    await post(base, `/ai/identities/${identity}/credentials`, { publicJwk });
    const key = await importJWK(pair.privateKey.export({ format: "jwk" }), alg);
    const config = await discover(identity, client.PrivateKeyJwt(key as client.CryptoKey));
    const { access_token } = await client.clientCredentialsGrant(config);
    expect(await ask(access_token)).toBe(200);
    expect((await client.tokenIntrospection(config, access_token)).active).toBe(true);
    const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
    const other = client.PrivateKeyJwt((await importJWK(stranger, "ES256")) as client.CryptoKey);
    await expect(client.clientCredentialsGrant(await discover(identity, other))).rejects.toEqual(challenged);
  });

  it("refreshes a user's sign-in, and ends it when a refresh token comes back in another process", async () => {
    const config = await discover("a browser", client.None());
    const first = await client.refreshTokenGrant(config, owner.refreshToken);
    expect(await ask(first.access_token)).toBe(200);
    const { refreshToken } = await post(base, "/auth/signin", ACCOUNT);
    const later = await client.refreshTokenGrant(config, refreshToken);
    expect(await ask(later.access_token, second)).toBe(200);
    const reused = post(second, "/auth/token", { grant_type: "refresh_token", refresh_token: refreshToken });
    await expect(reused).rejects.toThrow("invalid_grant");
    await vi.waitFor(async () => expect(await ask(later.access_token)).toBe(401), { timeout: 15_000 });
    await expect(client.refreshTokenGrant(config, later.refresh_token as string)).rejects.toEqual(
      refused("invalid_grant"),
    );
  });

  it("exchanges a workload's token of the trusted issuer for one of its identity", async () => {
    const config = await discover(identity, client.None());
    const subject_token = await issuer.tokenOf("batch-job");
    // The issuer has a tenant claim, and this workload's token lacks it.
    const wanted = { subject_token, subject_token_type: JWT };
    await expect(client.genericGrantRequest(config, EXCHANGE, wanted)).rejects.toEqual(refused("invalid_request"));
    const named = await newIdentity({ issuer: issuer.url, subject: "ada" });
    const ada = { subject_token: await issuer.tokenOf("ada"), subject_token_type: JWT, scope: "ai-asset:read" };
    const answer = await client.genericGrantRequest(await discover(named, client.None()), EXCHANGE, ada);
    expect(answer).toMatchObject({ scope: "ai-asset:read", issued_token_type: expect.stringMatching(/access_token$/) });
    expect(answer.expires_in).toBeLessThanOrEqual(600);
    expect(answer.refresh_token).toBeUndefined();
    expect(await ask(answer.access_token)).toBe(200);
    await expect(client.genericGrantRequest(config, EXCHANGE, ada)).rejects.toEqual(refused("invalid_request"));
  });

  it("takes the issuer's own tokens as bearers of the user they name, and of nobody else", async () => {
    const token = await issuer.tokenOf("ada");
    expect([await ask(token), await ask(token, second)]).toEqual([200, 200]);
    expect(await ask(await issuer.tokenOf("eve"))).toBe(401);
    expect(await ask(await issuer.tokenOf("batch-job"))).toBe(401);
    const { id } = await post(base, "/ai-assets", { name: "made by Ada", assetType: "agent" }, token);
    expect(id).toMatch(/^ast_/);
  });

  it.each<[string, (token: string) => Promise<unknown>]>([
    ["a sign-out", (token) => post(base, "/auth/signout", {}, token)],
    ["a revocation", (token) => post(base, "/auth/revoke", { token })],
  ])("ends with %s in one process in the other too", async (_what, end) => {
    const { token } = await post(base, "/auth/signin", ACCOUNT);
    expect([await ask(token), await ask(token, second)]).toEqual([200, 200]);
    await end(token);
    expect(await ask(token)).toBe(401);
    await vi.waitFor(async () => expect(await ask(token, second)).toBe(401), { timeout: 15_000 });
  });

  it("is cut off in both processes when its credential is revoked in one", async () => {
    const mine = await newIdentity({ issuer: null, subject: null });
    const { id, clientSecret, expiresAt } = await post(base, `/ai/identities/${mine}/credentials`, {});
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(89 * DAY);
    const config = await discover(mine, client.ClientSecretBasic(clientSecret));
    const { access_token } = await client.clientCredentialsGrant(config);
    expect([await ask(access_token), await ask(access_token, second)]).toEqual([200, 200]);
    const gone = await fetch(`${second}/api/v1/ai/identities/${mine}/credentials/${id}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${owner.token}` },
    });
    expect([gone.status, await ask(access_token, second)]).toEqual([204, 401]);
    await expect(client.clientCredentialsGrant(config)).rejects.toEqual(challenged);
    await vi.waitFor(async () => expect(await ask(access_token)).toBe(401), { timeout: 15_000 });
  });
});
