import { createPlane, MASTER_KEY, type World } from "@reeve/testkit";
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import { collections } from "#reference/index.js";
import { ulidSource } from "#testing/index.js";
import type { ControlPlaneConfig } from "../../../src/index.js";
import { eventTypes } from "../../helpers/facts.js";
import { tokenForge } from "../../helpers/token-forge.js";
import { createWorld } from "../../helpers/world.js";

const SECOND = 1_000;
const DAY = 86_400_000;

const works = async ({ send }: Pick<World, "send">, token: string) =>
  (await send("GET", "/api/v1/ai-assets", { token })).status;
const published = async ({ send }: Pick<World, "send">) =>
  (await send("GET", "/.well-known/jwks.json")).json as JSONWebKeySet;
const kidOf = (token: string) => decodeProtectedHeader(token).kid;
const storedKeys = async ({ store }: Pick<World, "store">) => {
  const collection = collections.find(({ name }) => name === "signing_keys") as (typeof collections)[number];
  return (await store.forTenant("platform").scan(collection, { size: 100 })).map((row) => row.value as never) as {
    id: string;
    status: string;
    alg: string;
  }[];
};
const freshToken = async ({ a }: World) => (await a.signIn(a.owner.userId, a.owner)).token;
/** Another process on the same store, with its own caches and the same clock. */
const another = ({ store, clock }: World, config: Partial<ControlPlaneConfig> = {}) =>
  createPlane({ store, clock, ids: ulidSource(), ...config });

describe("the keys that are published", () => {
  it("verify what is signed, with nothing private about them, and the next one is there before it signs", async () => {
    const world = await createWorld();
    const jwks = await published(world);
    expect(jwks.keys).toHaveLength(2);
    for (const key of jwks.keys) {
      expect(Object.keys(key).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
    }
    const { payload } = await jwtVerify(world.a.owner.token, createLocalJWKSet(jwks), {
      currentDate: new Date(world.clock.now()),
      issuer: "https://reeve.example",
      typ: "at+jwt",
    });
    expect(payload).toMatchObject({ uid: world.a.owner.userId, tid: world.a.tenantId });
    world.clock.advance(10 * SECOND);
    const { kid } = await world.controlPlane.rotateSigningKey();
    expect(jwks.keys.map((key) => key.kid)).toContain(kid);
    expect(kidOf(await freshToken(world))).toBe(kid);
  });

  it("are sealed in the store", async () => {
    const world = await createWorld();
    const { privateJwk } = await tokenForge(world);
    expect(JSON.stringify(await storedKeys(world))).not.toContain(privateJwk.d);
  });

  it("are the same for two processes that start on an empty store at once", async () => {
    const first = createPlane();
    const second = createPlane({ store: first.store });
    const [one, two] = await Promise.all([published(first), published(second)]);
    expect(one).toEqual(two);
    expect(await storedKeys(first)).toHaveLength(2);
  });

  it.each(["ES256", "EdDSA", "RS256"] as const)("may be of %s", async (signingAlgorithm) => {
    const world = await createWorld({ signingAlgorithm });
    const { token } = world.a.owner;
    expect(decodeProtectedHeader(token).alg).toBe(signingAlgorithm);
    expect(await works(world, token)).toBe(200);
    expect(await works(world, `${token.slice(0, -4)}AAAA`)).toBe(401);
    await jwtVerify(token, createLocalJWKSet(await published(world)), { currentDate: new Date(world.clock.now()) });
  });
});

describe("rotation", () => {
  it("lets the old key verify what it has signed until that has expired, and then removes it", async () => {
    const world = await createWorld({ tokenLifetime: 86_400 });
    const old = world.a.owner.token;
    world.clock.advance(10 * SECOND);
    await world.controlPlane.rotateSigningKey();
    expect(await works(world, old)).toBe(200);
    expect((await published(world)).keys).toHaveLength(3);
    world.clock.advance(DAY + 49 * SECOND);
    expect(await works(world, old)).toBe(200);
    world.clock.advance(72 * SECOND);
    expect((await published(world)).keys.map(({ kid }) => kid)).not.toContain(kidOf(old));
    await world.controlPlane.tick();
    expect((await storedKeys(world)).map(({ status }) => status).sort()).toEqual(["active", "next"]);
    expect(await eventTypes({ store: world.store, tenantId: "platform" })).toContain("signing_key.rotated");
  });

  it("waits until every process can know the next key", async () => {
    const world = await createWorld();
    await published(world);
    const refused = expect.objectContaining({ code: "transition_guard_failed" });
    world.clock.advance(10 * SECOND - 1);
    await expect(world.controlPlane.rotateSigningKey()).rejects.toEqual(refused);
    world.clock.advance(1);
    const other = another(world);
    const attempts = await Promise.allSettled([
      world.controlPlane.rotateSigningKey(),
      other.controlPlane.rotateSigningKey(),
      world.controlPlane.rotateSigningKey(),
    ]);
    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const attempt of attempts) if (attempt.status === "rejected") expect(attempt.reason).toEqual(refused);
    expect((await storedKeys(world)).map(({ status }) => status).sort()).toEqual(["active", "next", "retiring"]);
  });

  it("gives tokens that another process takes at once, although it has not heard of the rotation", async () => {
    const world = await createWorld();
    world.clock.advance(10 * SECOND);
    const other = another(world);
    expect(await works(other, world.a.owner.token)).toBe(200);
    await world.controlPlane.rotateSigningKey();
    const token = await freshToken(world);
    expect(kidOf(token)).not.toBe(kidOf(world.a.owner.token));
    expect(await works(other, token)).toBe(200);
  });

  it("without overlap kills what the old key has signed: at once here, within five seconds elsewhere", async () => {
    const world = await createWorld();
    const other = another(world);
    const old = world.a.owner.token;
    expect([await works(world, old), await works(other, old)]).toEqual([200, 200]);
    await world.controlPlane.rotateSigningKey({ overlap: false });
    expect(await works(world, old)).toBe(401);
    expect(await works(world, await freshToken(world))).toBe(200);
    world.clock.advance(5 * SECOND);
    expect(await works(other, old)).toBe(401);
    expect((await published(world)).keys.map(({ kid }) => kid)).not.toContain(kidOf(old));
  });

  it("without overlap kills what keys before the old one have signed too", async () => {
    const world = await createWorld();
    const oldest = world.a.owner.token;
    world.clock.advance(10 * SECOND);
    await world.controlPlane.rotateSigningKey();
    const old = await freshToken(world);
    expect([await works(world, oldest), await works(world, old)]).toEqual([200, 200]);
    await world.controlPlane.rotateSigningKey({ overlap: false });
    expect([await works(world, oldest), await works(world, old)]).toEqual([401, 401]);
    expect((await storedKeys(world)).map(({ status }) => status).sort()).toEqual(["active", "next"]);
  });

  it("ends the sign-ins of every tenant without overlap, and none with it", async () => {
    const world = await createWorld();
    const refresh = (refresh_token: string) =>
      world.send("POST", "/api/v1/auth/token", { body: { grant_type: "refresh_token", refresh_token } });
    world.clock.advance(10 * SECOND);
    await world.controlPlane.rotateSigningKey();
    const kept = (await refresh(world.a.owner.refreshToken)).json.refresh_token;
    await world.controlPlane.rotateSigningKey({ overlap: false });
    for (const token of [kept, world.b.owner.refreshToken]) {
      expect(await refresh(token)).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
    }
    expect(await works(world, await freshToken(world))).toBe(200);
  });

  it("happens by age on tick, once however many processes tick", async () => {
    const world = await createWorld({ signingKeyDays: 30 });
    world.clock.advance(30 * DAY - 1);
    await world.controlPlane.tick();
    const before = kidOf(await freshToken(world));
    world.clock.advance(1);
    const other = another(world, { signingKeyDays: 30 });
    await Promise.all([world.controlPlane.tick(), other.controlPlane.tick()]);
    // The process that did not rotate signs with the old key until it reads the keys again.
    world.clock.advance(5 * SECOND);
    const after = kidOf(await freshToken(world));
    expect(after).not.toBe(before);
    await world.controlPlane.tick();
    expect(kidOf(await freshToken(world))).toBe(after);
    expect(await storedKeys(world)).toHaveLength(3);
  });

  it("follows a change of algorithm, while tokens of the old one stay good", async () => {
    const world = await createWorld();
    const changed = another(world, { signingAlgorithm: "EdDSA" });
    await changed.controlPlane.tick();
    world.clock.advance(10 * SECOND);
    await changed.controlPlane.tick();
    const { a } = world;
    const { username, password } = a.owner;
    const signedIn = await changed.send("POST", "/api/v1/auth/signin", { body: { username, password } });
    expect(decodeProtectedHeader(signedIn.json.token).alg).toBe("EdDSA");
    expect(await works(world, signedIn.json.token)).toBe(200);
    expect(await works(changed, a.owner.token)).toBe(200);
  });

  it("is refused to a process with another master key, which says so", async () => {
    const { store } = await createWorld();
    const wrong = createPlane({ store, masterKey: MASTER_KEY.toReversed() });
    expect((await wrong.send("GET", "/api/v1/auth/ping")).status).toBe(503);
  });
});

describe("the metadata", () => {
  it("names the endpoints that are there", async () => {
    const { send, controlPlane } = createPlane();
    const { json } = await send("GET", "/.well-known/oauth-authorization-server");
    const routes = controlPlane.operations.map(({ path }) => `https://reeve.example${path}`);
    for (const name of ["token_endpoint", "jwks_uri", "revocation_endpoint", "introspection_endpoint"]) {
      expect(routes).toContain(json[name]);
    }
    expect(json.issuer).toBe("https://reeve.example");
  });

  it("is not mounted without the root routes and the doors, so that a host keeps its own", async () => {
    const { controlPlane } = createPlane({ rootRoutes: false, doors: false });
    for (const target of ["/.well-known/jwks.json", "/.well-known/oauth-authorization-server"]) {
      const body = async () => new Uint8Array();
      expect(await controlPlane.handle({ method: "GET", target, headers: {}, body })).toBeUndefined();
    }
  });
});
