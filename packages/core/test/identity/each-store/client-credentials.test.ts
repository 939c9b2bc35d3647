import { generateKeyPairSync } from "node:crypto";
import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import {
  clientByCredential,
  clientBySubject,
  clientPrincipal,
  recordCredentialUse,
  secretMatches,
} from "#families/identity/index.js";
import { HUMAN_ONLY, PERMISSIONS } from "#reference/index.js";
import type { Principal } from "../../../src/index.js";
import { environmentOf } from "../../helpers/environment.js";
import { eventsOf, eventTypes, recordsOf } from "../../helpers/facts.js";
import { tokenForge } from "../../helpers/token-forge.js";
import { createWorld } from "../../helpers/world.js";

const IDENTITIES = "/api/v1/ai/identities";
const REASON = "a reason of more than ten characters";
const DAY = 86_400_000;

let world: World;
let id: string;
let path: string;
beforeEach(async () => {
  world = await createWorld();
  id = await world.a.newIdentity({ scopes: ["ai-asset:read", "ai-asset:write"] });
  path = `${IDENTITIES}/${id}/credentials`;
});

const send = (method: string, target: string, body?: object, token = world.a.owner.token) =>
  world.send(method, target, { token, body });
const env = () => environmentOf(world);
const presented = async (clientId = id) => {
  const client = await clientByCredential(env(), clientId);
  if (!client) throw new Error("there is no such client");
  return client;
};
const assetId = async () => (await send("GET", `${IDENTITIES}/${id}`)).json.assetId as string;
const inDays = (days: number) => new Date(world.clock.now() + days * DAY).toISOString();

/** Whether the client can authenticate with this secret now. */
async function works(secret: string): Promise<boolean> {
  const { credentials, usable } = await presented();
  return usable && credentials.some(({ secretHash }) => secretHash !== null && secretMatches(secret, secretHash));
}

/** A bearer token in the form that the token endpoint issues to the client. */
async function tokenOf(more: Record<string, unknown> = {}): Promise<string> {
  const forge = await tokenForge(world);
  const now = Math.floor(world.clock.now() / 1_000);
  const { tenantId, securityVersion } = await presented();
  const issuer = { iss: "https://reeve.example", aud: "https://reeve.example", jti: "tok_1" };
  const times = { iat: now, nbf: now, exp: now + 3_600, auth_time: now };
  return forge.sign({ ...issuer, ...times, sub: id, uid: id, tid: tenantId, sv: securityVersion, ...more });
}
const ask = async (token: string, target = "/api/v1/ai-assets") => (await send("GET", target, undefined, token)).status;

describe("a client secret", () => {
  it("is shown once, and what is kept of it is a hash that nothing shows", async () => {
    const count = (await eventsOf(world.a)).length;
    const issued = await world.a.newCredential(id);
    expect(issued).toMatchObject({ clientId: id, expiresAt: inDays(90) });
    expect(issued.clientSecret).toMatch(/^reeve_cs_[\w-]{43}$/);
    expect(await works(issued.clientSecret)).toBe(true);
    const { clientSecret: _shown, clientId: _client, ...rest } = issued;
    const listed = (await send("GET", path)).json.items;
    expect(listed).toMatchObject([
      { ...rest, status: "active", method: "client_secret", lastUsedAt: null, replacedBy: null },
    ]);
    const [hash] = (await presented()).credentials.map(({ secretHash }) => secretHash as string);
    const events = (await eventsOf(world.a)).slice(count).map(({ attributes, data }) => `${attributes}${data}`);
    expect(await eventTypes(world.a, count)).toEqual(["identity.updated", "identity.credential_issued"]);
    const { client_credentials: kept, ...others } = await recordsOf(world.a);
    expect(JSON.stringify(kept)).not.toContain(issued.clientSecret);
    for (const secret of [issued.clientSecret, hash as string])
      expect(JSON.stringify([others, events, listed])).not.toContain(secret);
    expect(await works(`${issued.clientSecret}x`)).toBe(false);
    expect((await send("GET", `${IDENTITIES}/${id}`)).json).toMatchObject({ credentialRef: issued.id });
  });

  it.each([
    ["in the past", -1],
    ["now", 0],
    ["too far away", 367],
  ])("does not end %s", async (_when, days) => {
    const { json } = await send("POST", path, { expiresAt: inDays(days) });
    expect(json).toMatchObject({ code: "invalid_request", errors: [{ pointer: "/expiresAt" }] });
  });

  it("never outlives its identity's credentialExpiresAt", async () => {
    await send("PUT", `${IDENTITIES}/${id}`, { credentialExpiresAt: inDays(7) });
    expect((await world.a.newCredential(id)).expiresAt).toBe(inDays(7));
    expect((await send("POST", path, { expiresAt: inDays(8) })).status).toBe(400);
  });

  it("stops working at its end, without a tick", async () => {
    const { clientSecret, expiresAt } = await world.a.newCredential(id, { expiresAt: inDays(1) });
    world.clock.set(expiresAt);
    expect(await works(clientSecret)).toBe(false);
    world.clock.advance(-1);
    expect(await works(clientSecret)).toBe(true);
    world.clock.advance(31 * DAY);
    await world.controlPlane.tick();
    expect(JSON.stringify((await recordsOf(world.a)).client_credentials)).not.toContain(id);
  });

  it.each(["managed", "api_key", "user_delegated"])("is not for an identity of kind %s", async (kind) => {
    const { clientSecret } = await world.a.newCredential(id);
    await send("PUT", `${IDENTITIES}/${id}`, { kind });
    expect((await send("POST", path)).status).toBe(400);
    await send("PUT", `${IDENTITIES}/${id}`, { kind: "workload" });
    expect(await works(clientSecret)).toBe(false);
  });

  it("is the tenth at most, counting those that work", async () => {
    await world.a.newCredential(id, { expiresAt: inDays(1 / 1_440) });
    for (let count = 2; count <= 10; count += 1) await world.a.newCredential(id);
    expect((await send("POST", path)).json).toMatchObject({ code: "limit_exceeded", status: 403 });
    expect((await send("POST", `${IDENTITIES}/${await world.a.newIdentity()}/credentials`)).status).toBe(201);
    world.clock.advance(60_000);
    expect((await send("POST", path)).status).toBe(201);
  });

  it("is issued only by someone who holds every scope of the identity", async () => {
    await send("PUT", `${IDENTITIES}/${id}`, { scopes: ["user:read"] });
    const { id: credential } = await world.a.newCredential(id);
    const { token } = world.a.actors.operator;
    for (const target of [path, `${path}/${credential}/rotate`]) {
      const { json } = await send("POST", target, {}, token);
      expect(json).toMatchObject({ code: "permission_denied", permission: "user:read" });
    }
    expect((await send("DELETE", `${path}/${credential}`, undefined, token)).status).toBe(204);
  });
});

describe("rotation", () => {
  it("leaves the old secret valid for the overlap and not a moment longer", async () => {
    const old = await world.a.newCredential(id, { name: "kept" });
    const { json, status } = await send("POST", `${path}/${old.id}/rotate`, { overlapSeconds: 60 });
    const until = new Date(world.clock.now() + 60_000).toISOString();
    expect([status, json.clientId, json.replaces]).toEqual([201, id, { id: old.id, expiresAt: until }]);
    expect([await works(old.clientSecret), await works(json.clientSecret)]).toEqual([true, true]);
    expect((await send("GET", path)).json.items).toMatchObject([
      { id: json.id, name: "kept", status: "active" },
      { id: old.id, name: "kept", status: "superseded", replacedBy: json.id },
    ]);
    world.clock.advance(60_000);
    expect([await works(old.clientSecret), await works(json.clientSecret)]).toEqual([false, true]);
  });

  it("keeps tokens alive unless the old secret ends at once", async () => {
    const old = await world.a.newCredential(id);
    const token = await tokenOf();
    const { json } = await send("POST", `${path}/${old.id}/rotate`);
    expect(json.replaces.expiresAt).toBe(inDays(1));
    expect(await ask(token)).toBe(200);
    const again = await send("POST", `${path}/${json.id}/rotate`, { overlapSeconds: 0 });
    expect([await works(json.clientSecret), await works(again.json.clientSecret)]).toEqual([false, true]);
    expect(await ask(token)).toBe(401);
    expect(await ask(await tokenOf())).toBe(200);
  });

  it("is for credentials that work, of this identity", async () => {
    const old = await world.a.newCredential(id);
    await send("POST", `${path}/${old.id}/rotate`);
    expect((await send("POST", `${path}/${old.id}/rotate`)).json.code).toBe("invalid_transition");
    const sibling = await world.a.newIdentity();
    const other = await world.a.newCredential(sibling);
    expect((await send("POST", `${path}/${other.id}/rotate`)).status).toBe(404);
    expect((await send("DELETE", `${path}/${other.id}`)).status).toBe(404);
    expect((await send("POST", `${path}/${old.id}/rotate`, { overlapSeconds: 30 * 86_400 + 1 })).status).toBe(400);
  });
});

describe("a list of credentials", () => {
  it("is in the order in which they end", async () => {
    for (const days of [3, 1, 2]) expect((await send("POST", path, { expiresAt: inDays(days) })).status).toBe(201);
    const ends = async (sort: string) =>
      (await send("GET", `${path}?sort=${sort}`)).json.items.map(({ expiresAt }: { expiresAt: string }) => expiresAt);
    expect(await ends("expiresAt")).toEqual([1, 2, 3].map(inDays));
    expect(await ends("-expiresAt")).toEqual([3, 2, 1].map(inDays));
  });
});

describe("rotation again and again", () => {
  it("leaves ten replaced credentials at work, until one ends", async () => {
    let { id: newest } = await world.a.newCredential(id);
    const rotate = (overlapSeconds: number) => send("POST", `${path}/${newest}/rotate`, { overlapSeconds });
    for (let seconds = 60; seconds < 70; seconds += 1) newest = (await rotate(seconds)).json.id;
    expect((await rotate(60)).json.code).toBe("limit_exceeded");
    expect((await presented()).credentials).toHaveLength(11);
    world.clock.advance(60_000);
    expect((await rotate(60)).status).toBe(201);
  });
});

describe("a public key", () => {
  const jwkOf = (key: { export(options: { format: "jwk" }): object }, alg: string) => ({
    ...key.export({ format: "jwk" }),
    alg,
  });
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ed = generateKeyPairSync("ed25519");
  const rsa = (modulusLength: number) => jwkOf(generateKeyPairSync("rsa", { modulusLength }).publicKey, "RS256");

  it("takes the place of a secret", async () => {
    for (const publicJwk of [jwkOf(ec.publicKey, "ES256"), jwkOf(ed.publicKey, "EdDSA"), rsa(2_048)]) {
      const { json, status } = await send("POST", path, { publicJwk });
      expect([status, "clientSecret" in json]).toEqual([201, false]);
      expect((await presented()).credentials.find((one) => one.id === json.id)).toMatchObject({
        publicJwk,
        secretHash: null,
      });
      expect((await send("GET", path)).json.items[0]).toMatchObject({ method: "private_key_jwt", publicJwk });
    }
  });

  it.each<[string, () => object]>([
    ["a private key", () => jwkOf(ec.privateKey, "ES256")],
    ["a private RSA member", () => ({ ...rsa(2_048), d: "AQAB" })],
    ["a symmetric key", () => ({ kty: "oct", k: "c2VjcmV0", alg: "HS256" })],
    ["a short RSA key", () => rsa(1_024)],
    ["S24 an RSA key with the exponent 1", () => ({ ...rsa(2_048), e: "AQ" })],
    ["S24 an RSA key with an even exponent", () => ({ ...rsa(2_048), e: "AQAC" })],
    [
      "a point off its curve",
      () => ({ ...jwkOf(ec.publicKey, "ES256"), x: Buffer.alloc(32, 1).toString("base64url") }),
    ],
    ["another algorithm than its curve's", () => jwkOf(ec.publicKey, "ES384")],
    ["no algorithm", () => ec.publicKey.export({ format: "jwk" })],
    ["an address of a key", () => ({ ...jwkOf(ec.publicKey, "ES256"), x5u: "https://keys.example" })],
  ])("must not be %s", async (_what, publicJwk) => {
    const records = await recordsOf(world.a);
    const { json } = await send("POST", path, { publicJwk: publicJwk() });
    expect(json.code).toBe("invalid_request");
    expect(await recordsOf(world.a)).toEqual(records);
  });
});

describe("an identity as a principal", () => {
  it("may do what its scopes say and nothing else, and its acts are in its own name", async () => {
    const token = await tokenOf();
    const principal = await clientPrincipal(env(), world.a.tenantId, id);
    expect(principal).toMatchObject({
      kind: "client",
      tenantId: world.a.tenantId,
      userId: id,
      username: id,
      roles: [],
    });
    expect([...principal.permissions]).toEqual(["ai-asset:read", "ai-asset:write"]);
    const created = await send("POST", "/api/v1/ai-assets", { name: "by a machine" }, token);
    expect([created.status, created.json.createdBy]).toEqual([201, id]);
    const denied = await send("DELETE", `/api/v1/ai-assets/${created.json.id}`, undefined, token);
    expect([denied.status, denied.json.permission]).toEqual([403, "ai-asset:delete"]);
    const event = JSON.parse((await eventsOf(world.a)).at(-1)?.attributes as string);
    expect(event).toMatchObject({ authtype: "client", authid: id, source: `${IDENTITIES}/${id}`, outcome: "denied" });
  });

  it.each<[string, () => Promise<unknown>]>([
    ["its credential is revoked", async () => send("DELETE", `${path}/${(await world.a.newCredential(id)).id}`)],
    ["it is disabled", () => send("PUT", `${IDENTITIES}/${id}`, { status: "disabled" })],
    ["it is revoked", () => send("PUT", `${IDENTITIES}/${id}`, { status: "revoked", reason: REASON })],
    ["it is deleted", () => send("DELETE", `${IDENTITIES}/${id}`)],
    [
      "its asset is suspended",
      async () =>
        send("PATCH", `/api/v1/ai-assets/${await assetId()}/governance-state`, { status: "suspended", reason: REASON }),
    ],
    [
      "its asset is retired",
      async () =>
        send("PATCH", `/api/v1/ai-assets/${await assetId()}/lifecycle`, { status: "retired", reason: REASON }),
    ],
    [
      "it runs out",
      async () => {
        await send("PUT", `${IDENTITIES}/${id}`, {
          credentialExpiresAt: new Date(world.clock.now() + 1_000).toISOString(),
        });
        await world.controlPlane.principalOf(world.a.tenantId, id);
        world.clock.advance(1_000);
      },
    ],
  ])("is dead with the next request when %s", async (_what, act) => {
    const { clientSecret } = await world.a.newCredential(id);
    const token = await tokenOf();
    expect(await ask(token)).toBe(200);
    await act();
    expect(await ask(token)).toBe(401);
    if (_what !== "its credential is revoked") {
      const usable = (await clientByCredential(env(), id))?.usable ?? false;
      expect(usable).toBe(false);
      expect([400, 404, 409]).toContain((await send("POST", path)).status);
      await expect(world.controlPlane.principalOf(world.a.tenantId, id)).rejects.toMatchObject({
        code: "invalid_token",
      });
    } else expect(await works(clientSecret)).toBe(true);
  });

  it("lives again when the suspension is lifted, but its old tokens do not", async () => {
    const { clientSecret } = await world.a.newCredential(id);
    const token = await tokenOf();
    const govern = async (status: string, by = world.a.owner) =>
      world.send("PATCH", `/api/v1/ai-assets/${await assetId()}/governance-state`, {
        token: by.token,
        body: { status, reason: REASON },
      });
    await govern("suspended");
    expect(await works(clientSecret)).toBe(false);
    await govern("unreviewed", world.a.actors.approver);
    expect(await works(clientSecret)).toBe(true);
    expect([await ask(token), await ask(await tokenOf())]).toEqual([401, 200]);
  });

  it("loses a permission with the next request, when the scope is taken", async () => {
    const token = await tokenOf();
    await send("PUT", `${IDENTITIES}/${id}`, { scopes: ["ai-activity:read"] });
    expect([await ask(token), await ask(token, "/api/v1/ai/activity")]).toEqual([403, 200]);
  });

  it("belongs to its tenant", async () => {
    expect(await ask(await tokenOf({ tid: world.b.tenantId }))).toBe(401);
    expect(await ask(await tokenOf({ uid: "idn_nothing", sub: "idn_nothing" }))).toBe(401);
    expect(await clientByCredential(env(), "idn_7ZZZZZZZZZZZZZZZZZZZZZZZZZ")).toBeUndefined();
    expect(await clientByCredential(env(), "\u0000")).toBeUndefined();
    const { issuer, subject } = (await send("GET", `${IDENTITIES}/${id}`)).json;
    expect((await clientBySubject(env(), world.a.tenantId, issuer, subject))?.identityId).toBe(id);
    expect(await clientBySubject(env(), world.b.tenantId, issuer, subject)).toBeUndefined();
  });
});

describe("decisions of people", () => {
  const machine = async (...permissions: string[]): Promise<Principal> => {
    const principal = await clientPrincipal(env(), world.a.tenantId, id);
    return { ...principal, permissions: new Set([...principal.permissions, ...permissions]) };
  };

  it("include every permission that names one", () => {
    const ofPeople =
      /^user:(?!read$)|^support:|^provider:|approve|decide|certify|restore|reinstate|resume|exempt|kill|credential/;
    // Reading decisions is not deciding.
    const deciding = Object.keys(PERMISSIONS).filter((permission) => !/^ai-.*:read$/.test(permission));
    const named = deciding.filter((permission) => ofPeople.test(permission));
    expect(named.filter((permission) => !HUMAN_ONLY.has(permission))).toEqual([]);
  });

  it("are refused to a machine whatever permissions its principal brings along", async () => {
    const asset = await world.a.newAsset();
    const { call } = world.controlPlane;
    const caller = await machine("ai-governance:review", "ai-governance:suspend", ...HUMAN_ONLY);
    const move = (status: "under_review" | "suspended" | "unreviewed") =>
      call("aiAssets.changeGovernanceState", caller, { params: { id: asset }, body: { status, reason: REASON } });
    await move("under_review");
    for (const status of ["approved", "conditionally_approved", "rejected"] as const) {
      const configuration = status === "conditionally_approved" ? { conditions: [{ key: "k", text: "t" }] } : {};
      const refused = call("aiAssets.changeGovernanceState", caller, {
        params: { id: asset },
        body: { status, reason: REASON, configuration },
      });
      await expect(refused).rejects.toMatchObject({ code: "permission_denied", status: 403 });
    }
    await move("suspended");
    for (const status of ["unreviewed", "under_review"] as const)
      await expect(move(status)).rejects.toMatchObject({ code: "permission_denied" });
    const user = { body: { username: "machine@example.test" } };
    await expect(call("users.create", caller, user)).rejects.toMatchObject({ code: "permission_denied" });
    const issue = call("aiIdentities.issueCredential", caller, { params: { id } });
    await expect(issue).rejects.toMatchObject({ code: "permission_denied" });
  });

  it("stay with people in the transition itself, where a four-eyes approver is asked for", async () => {
    const { json } = await send("POST", "/api/v1/ai-assets", { name: "asked" });
    await send("PATCH", `/api/v1/ai-assets/${json.id}/governance-state`, { status: "under_review" });
    const caller = await machine("ai-governance:review", "ai-governance:approve");
    const approve = world.controlPlane.call("aiAssets.changeGovernanceState", caller, {
      params: { id: json.id },
      body: { status: "approved" },
    });
    await expect(approve).rejects.toMatchObject({ code: "permission_denied" });
  });
});

describe("the use of a credential", () => {
  it("is written at most once a minute, whoever notes it", async () => {
    const { id: credential } = await world.a.newCredential(id);
    const [one, other] = [env(), env()];
    const used = async () => (await send("GET", path)).json.items[0].lastUsedAt;
    const first = new Date(world.clock.now()).toISOString();
    await Promise.all([one, other, one].map((each) => recordCredentialUse(each, world.a.tenantId, credential)));
    expect(await used()).toBe(first);
    world.clock.advance(59_999);
    for (const each of [one, other]) await recordCredentialUse(each, world.a.tenantId, credential);
    expect(await used()).toBe(first);
    world.clock.advance(1);
    await recordCredentialUse(other, world.a.tenantId, credential);
    expect(await used()).toBe(new Date(world.clock.now()).toISOString());
    expect((await send("GET", `${IDENTITIES}/${id}`)).json.version).toBe(2);
  });

  it("is forgotten when the credential is revoked meanwhile, and concerns its own tenant only", async () => {
    const { id: credential } = await world.a.newCredential(id);
    await recordCredentialUse(env(), world.b.tenantId, credential);
    expect((await send("GET", path)).json.items[0].lastUsedAt).toBeNull();
    const notes = Array.from({ length: 5 }, () => recordCredentialUse(env(), world.a.tenantId, credential));
    const revoked = send("DELETE", `${path}/${credential}`);
    await Promise.all(notes);
    expect((await revoked).status).toBe(204);
    await recordCredentialUse(env(), world.a.tenantId, credential);
    expect((await send("GET", path)).json.items).toEqual([]);
  });
});
