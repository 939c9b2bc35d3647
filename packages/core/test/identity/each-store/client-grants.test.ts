import { generateKeyPairSync, type KeyObject } from "node:crypto";
import type { Answer, Sending, World } from "@reeve/testkit";
import { decodeJwt, type JWTPayload, SignJWT } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { collections } from "#reference/index.js";
import { eventTypes } from "../../helpers/facts.js";
import { suspend } from "../../helpers/provider.js";
import { createWorld } from "../../helpers/world.js";

const TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const DAY = 86_400_000;
const SCOPES = ["ai-asset:read", "ai-asset:write"];

let world: World;
let id: string;
let secret: string;
beforeEach(async () => {
  world = await createWorld();
  id = await world.a.newIdentity({ scopes: SCOPES });
  secret = (await world.a.newCredential(id)).clientSecret;
});

const ask = (body: Record<string, unknown>, more: Sending = {}): Promise<Answer> =>
  world.send("POST", "/api/v1/auth/token", { body: { grant_type: "client_credentials", ...body }, ...more });
const basic = (user: string, password: string) => ({
  headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` },
});
const bySecret = (more: object = {}) => ask({ client_id: id, client_secret: secret, ...more });
const works = async (token: string) => (await world.send("GET", "/api/v1/ai-assets", { token })).status;
const manage = (method: string, target: string, body?: object) =>
  world.send(method, `/api/v1/ai/identities/${target}`, { token: world.a.owner.token, ...(body ? { body } : {}) });
const badClient = { status: 401, json: { code: "invalid_credentials", error: "invalid_client" } };

describe("client credentials", () => {
  it.each<[string, () => Promise<Answer>]>([
    ["in the body", () => bySecret()],
    ["as Basic", () => ask({}, basic(id, secret))],
    ["as Basic, the id repeated in the body", () => ask({ client_id: id }, basic(id, secret))],
    ["as Basic, form-encoded", () => ask({}, basic(id.replace("_", "%5F"), secret.replaceAll("_", "%5f")))],
    [
      "in a form",
      () =>
        world.send("POST", "/api/v1/auth/token", {
          bytes: `${new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret })}`,
          headers: { "content-type": "application/x-www-form-urlencoded" },
        }),
    ],
  ])("give a token %s", async (_how, send) => {
    const { status, json, headers } = await send();
    expect([status, Object.keys(json).sort()]).toEqual([200, ["access_token", "expires_in", "scope", "token_type"]]);
    expect(json).toMatchObject({ token_type: "Bearer", expires_in: 3_600, scope: SCOPES.join(" ") });
    expect(headers).toMatchObject({ "cache-control": "no-store", pragma: "no-cache" });
    expect(decodeJwt(json.access_token)).toMatchObject({ sub: id, uid: id, tid: world.a.tenantId });
    expect(await works(json.access_token)).toBe(200);
  });

  it("leave an event and the time of use", async () => {
    await bySecret();
    expect((await eventTypes(world.a)).at(-1)).toBe("client.signed_in");
    const { items } = (await manage("GET", `${id}/credentials`)).json;
    expect(items[0].lastUsedAt).toBe("2026-01-05T09:00:00.000Z");
  });

  it("let the machine do what its scopes say and nothing else", async () => {
    const { access_token: token } = (await bySecret()).json;
    expect((await world.send("POST", "/api/v1/ai-assets", { token, body: {} })).status).toBe(201);
    const refused = await world.send("GET", "/api/v1/users", { token });
    expect(refused.json).toMatchObject({ code: "permission_denied", permission: "user:read" });
  });

  it("narrow the token to the scope that is asked for", async () => {
    const { json } = await bySecret({ scope: "ai-asset:read" });
    expect(json.scope).toBe("ai-asset:read");
    expect(await works(json.access_token)).toBe(200);
    const refused = await world.send("POST", "/api/v1/ai-assets", { token: json.access_token, body: {} });
    expect(refused.json.code).toBe("permission_denied");
  });

  it.each(["user:read", "ai-asset:read user:read", "ai-governance:approve", "nothing", " "])(
    "cannot widen the scope: %j",
    async (scope) => {
      expect((await bySecret({ scope })).json).toMatchObject({ code: "invalid_request", error: "invalid_scope" });
    },
  );

  it.each<[string, string, () => Promise<Answer>]>([
    ["invalid_client", "a wrong secret", () => ask({ client_id: id, client_secret: `${secret}x` })],
    ["invalid_client", "an empty header", () => ask({}, { headers: { authorization: "Basic " } })],
    ["invalid_client", "a header that is not base64", () => ask({}, { headers: { authorization: "Basic %%%" } })],
    ["invalid_client", "a header without a colon", () => ask({}, { headers: { authorization: "Basic YWJj" } })],
    ["invalid_client", "a header that is not UTF-8", () => ask({}, { headers: { authorization: "Basic /zr/" } })],
    ["invalid_client", "a broken escape in the header", () => ask({}, basic(id, "%zz"))],
    ["invalid_client", "an unknown client", () => ask({ client_id: id.replace(/.$/, "Z"), client_secret: secret })],
    ["invalid_client", "an id of another shape", () => ask({ client_id: "x".repeat(2_000), client_secret: secret })],
    ["invalid_client", "a user as client", () => ask({ client_id: world.a.owner.username, client_secret: secret })],
    ["invalid_client", "no proof", () => ask({ client_id: id })],
    ["invalid_client", "a bearer as proof", async () => ask({}, { token: world.a.owner.token })],
    ["invalid_client", "another client's secret", async () => ask(await otherClient(world.a))],
    ["invalid_client", "another tenant's secret", async () => ask(await otherClient(world.b))],
    ["invalid_request", "a secret without an id", () => ask({ client_secret: secret })],
    ["invalid_request", "header and body", () => ask({ client_id: id, client_secret: secret }, basic(id, secret))],
    ["invalid_request", "two ids", () => ask({ client_id: "idn_other" }, basic(id, secret))],
    ["invalid_request", "two kinds of proof", () => bySecret({ client_assertion: "x", client_assertion_type: TYPE })],
    [
      "invalid_request",
      "an assertion of another type",
      () => ask({ client_assertion: "x", client_assertion_type: "x" }),
    ],
    ["invalid_request", "no grant", () => ask({ grant_type: undefined, client_id: id, client_secret: secret })],
    ["unsupported_grant_type", "a password grant", () => bySecret({ grant_type: "password" })],
  ])("are refused as %s: %s", async (error, _what, send) => {
    const { status, json, headers, text } = await send();
    expect([status, json.error]).toEqual([error === "invalid_client" ? 401 : 400, error]);
    expect(headers["www-authenticate"]).toBe(status === 401 ? 'Basic realm="reeve", charset="UTF-8"' : undefined);
    expect(text).not.toContain(secret);
  });

  const otherClient = async (scene: World["a"]) => {
    const other = await scene.newCredential(await scene.newIdentity());
    return { client_id: id, client_secret: other.clientSecret };
  };

  it("are not taken from the query", async () => {
    const query = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret });
    const answer = await world.send("POST", `/api/v1/auth/token?${query}`);
    expect([answer.status, answer.text.includes(secret)]).toEqual([400, false]);
  });

  it.each<[string, () => Promise<unknown>, number]>([
    ["the credential is revoked", async () => manage("DELETE", `${id}/credentials/${await credentialId()}`), 401],
    [
      "the credential is rotated without overlap",
      async () => manage("POST", `${id}/credentials/${await credentialId()}/rotate`, { overlapSeconds: 0 }),
      401,
    ],
    ["the credential has expired", async () => world.clock.advance(90 * DAY), 401],
    ["the identity is disabled", () => manage("PUT", id, { status: "disabled" }), 401],
    [
      "the identity is revoked",
      () => manage("PUT", id, { status: "revoked", reason: "it is not needed any more" }),
      401,
    ],
    ["the identity is deleted", () => manage("DELETE", id), 401],
    ["the tenant is suspended", () => suspend(world, world.a.tenantId), 403],
  ])("end, and the tokens with them, when %s", async (_when, act, status) => {
    const { access_token: token } = (await bySecret()).json;
    expect(await works(token)).toBe(200);
    expect(await act()).not.toMatchObject({
      status: expect.toSatisfy((code) => typeof code === "number" && code > 299),
    });
    expect(await works(token)).toBe(status);
    expect(await bySecret()).toMatchObject(badClient);
  });

  it("work on beside their successor until the overlap ends", async () => {
    const { access_token: token } = (await bySecret()).json;
    const { json } = await manage("POST", `${id}/credentials/${await credentialId()}/rotate`, { overlapSeconds: 60 });
    expect((await ask({ client_id: id, client_secret: json.clientSecret })).status).toBe(200);
    expect((await bySecret()).status).toBe(200);
    world.clock.advance(60_000);
    expect(await bySecret()).toMatchObject(badClient);
    expect(await works(token)).toBe(200);
  });

  const credentialId = async () => (await manage("GET", `${id}/credentials`)).json.items[0].id as string;
});

describe("private_key_jwt", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const now = () => Math.floor(world.clock.now() / 1_000);
  let count = 0;
  beforeEach(async () => {
    const publicJwk = { ...publicKey.export({ format: "jwk" }), alg: "ES256", kid: "mine" };
    await world.a.newCredential(id, { publicJwk });
  });

  const claims = (): JWTPayload => {
    count += 1;
    return { iss: id, sub: id, aud: "https://reeve.example", exp: now() + 60, iat: now(), jti: `once-${count}` };
  };
  const signed = (payload: JWTPayload, header: object = {}, key: KeyObject | Uint8Array = privateKey) =>
    new SignJWT(payload).setProtectedHeader({ alg: "ES256", ...header } as { alg: string }).sign(key);
  const present = (client_assertion: string, more: object = {}) =>
    ask({ client_assertion, client_assertion_type: TYPE, ...more });

  it.each<[string, () => Promise<string>]>([
    ["for the issuer", () => signed(claims())],
    ["for the token endpoint", () => signed({ ...claims(), aud: "https://reeve.example/api/v1/auth/token" })],
    ["for several audiences", () => signed({ ...claims(), aud: ["https://a.example", "https://reeve.example"] })],
    ["with the key's id", () => signed(claims(), { kid: "mine" })],
    ["at the end of the leeway", () => signed({ ...claims(), exp: now() - 59 })],
  ])("lets in who has signed %s", async (_what, make) => {
    const { status, json } = await present(await make(), { client_id: id });
    expect(status).toBe(200);
    expect(await works(json.access_token)).toBe(200);
  });

  it.each<[string, () => string | Promise<string>]>([
    ["no JWT", () => "x"],
    ["another key", () => signed(claims(), {}, stranger)],
    ["another key's id", () => signed(claims(), { kid: "other" })],
    [
      "alg none",
      async () => `${Buffer.from('{"alg":"none"}').toString("base64url")}.${(await signed(claims())).split(".")[1]}.`,
    ],
    ["HS256 keyed with the public key", () => signed(claims(), { alg: "HS256" }, publicPem())],
    ["another issuer than subject", () => signed({ ...claims(), iss: "someone" })],
    ["another subject", () => signed({ ...claims(), sub: "someone", iss: "someone" })],
    ["no audience", () => signed({ ...claims(), aud: undefined } as never)],
    ["another audience", () => signed({ ...claims(), aud: "https://other.example" })],
    ["no expiry", () => signed({ ...claims(), exp: undefined } as never)],
    ["expired", () => signed({ ...claims(), exp: now() - 61 })],
    ["good for too long", () => signed({ ...claims(), exp: now() + 661 })],
    ["not yet valid", () => signed({ ...claims(), nbf: now() + 61 })],
    ["no jti", () => signed({ ...claims(), jti: undefined } as never)],
    ["an empty jti", () => signed({ ...claims(), jti: "" })],
    ["a long jti", () => signed({ ...claims(), jti: "x".repeat(301) })],
    ["an access token of ours", async () => (await bySecret()).json.access_token],
  ])("refuses %s", async (_what, make) => {
    expect(await present(await make())).toMatchObject(badClient);
  });

  const publicPem = () => Buffer.from(publicKey.export({ format: "pem", type: "spki" }));

  it("refuses a client_id that is not the one that signed", async () => {
    const other = await world.a.newIdentity();
    expect(await present(await signed(claims()), { client_id: other })).toMatchObject(badClient);
  });

  it("is taken once: of many at once one, and none after that", async () => {
    const assertion = await signed(claims());
    const answers = await Promise.all(Array.from({ length: 8 }, () => present(assertion)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await present(assertion)).toMatchObject(badClient);
  });

  it("is remembered until it has expired, and then forgotten", async () => {
    await present(await signed(claims()));
    expect(await used()).toBe(1);
    world.clock.advance(121_000);
    await world.controlPlane.tick();
    expect(await used()).toBe(1);
    world.clock.advance(1_001);
    await world.controlPlane.tick();
    expect(await used()).toBe(0);
  });

  const used = async () => {
    const collection = collections.find(({ name }) => name === "used_assertions") as (typeof collections)[number];
    return (await world.store.forTenant(world.a.tenantId).scan(collection, { size: 10 })).length;
  };

  it("does not let the key work as a secret, nor a secret as a key", async () => {
    const { publicJwk } = (await manage("GET", `${id}/credentials`)).json.items[0];
    expect(await ask({ client_id: id, client_secret: JSON.stringify(publicJwk) })).toMatchObject(badClient);
    expect(await present(await signed(claims(), { alg: "HS256" }, Buffer.from(secret)))).toMatchObject(badClient);
  });
});

describe("a machine client at the other endpoints", () => {
  const introspect = (token: string, more: Sending) =>
    world.send("POST", "/api/v1/auth/introspect", { body: { token }, ...more });

  it("introspects tokens of its tenant by its own credentials", async () => {
    const { access_token } = (await bySecret({ scope: "ai-asset:read" })).json;
    const { json } = await introspect(access_token, basic(id, secret));
    expect(json).toMatchObject({ active: true, client_id: id, sub: id, scope: "ai-asset:read" });
    expect((await introspect(world.a.owner.token, basic(id, secret))).json).toMatchObject({ active: true });
    expect((await introspect(world.b.owner.token, basic(id, secret))).json).toEqual({ active: false });
    expect(await introspect(access_token, basic(id, "wrong"))).toMatchObject(badClient);
  });

  it("revokes its token, as itself, and not with a wrong secret", async () => {
    const { access_token: token } = (await bySecret()).json;
    const revoke = (more: Sending) => world.send("POST", "/api/v1/auth/revoke", { body: { token }, ...more });
    expect(await revoke(basic(id, "wrong"))).toMatchObject(badClient);
    expect(await works(token)).toBe(200);
    expect((await revoke(basic(id, secret))).status).toBe(200);
    expect(await works(token)).toBe(401);
    expect((await eventTypes(world.a)).at(-1)).toBe("token.revoked");
  });

  it("signs out", async () => {
    const { access_token: token } = (await bySecret()).json;
    expect((await world.send("POST", "/api/v1/auth/signout", { token })).status).toBe(204);
    expect(await works(token)).toBe(401);
  });
});
