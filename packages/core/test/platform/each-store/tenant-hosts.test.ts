import { type Actor, createPlane, pathOf, type Scene, sampleOf, sendSample, table, type World } from "@reeve/testkit";
import { beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { permissionsOf } from "#reference/index.js";
import { scryptHasher } from "../../../src/index.js";
import { look, prove, release } from "../../helpers/domains.js";
import { eventsOf, recordsOf, withoutRequestId } from "../../helpers/facts.js";
import { createDomainWorld, createWorld } from "../../helpers/world.js";

/** Databases are asked for one of so many operations, because a host is looked up before an operation is asked. */
const ONE_OF = inject("store") === undefined ? 1 : 8;
const bearers = table.filter(({ access }) => access !== "public").filter((_operation, at) => at % ONE_OF === 0);
const hostOf = async (scene: Scene) => `${(await look(scene)).json.subdomain}.reeve.example`;
const signIn = ({ send }: Scene, { username, password }: Pick<Actor, "username" | "password">, host: string) =>
  send("POST", "/api/v1/auth/signin", { body: { username, password }, headers: { host, "x-request-id": "fixed" } });

describe("the host of a tenant", () => {
  let world: World;
  let hosts: { a: string; b: string };
  let records: Record<string, string[]>;
  beforeAll(async () => {
    world = await createWorld();
    records = await recordsOf(world.b);
    hosts = { a: await hostOf(world.a), b: await hostOf(world.b) };
  });

  it.each(bearers.map((operation) => [operation.id, operation] as const))(
    "refuses tokens of another tenant for %s, and nothing is written",
    async (_id, operation) => {
      const { a } = world;
      const params = (await sampleOf(operation).arrange?.(a)) ?? {};
      const body = sampleOf(operation).body?.(a, a.owner);
      const before = { records: await recordsOf(a), events: await eventsOf(a) };
      const request = { token: a.owner.token, body, headers: { host: hosts.b } };
      const answer = await a.send(operation.method, pathOf(operation, params, a), request);
      expect([answer.status, answer.json.code]).toEqual([401, "invalid_token"]);
      expect({ records: await recordsOf(a), events: await eventsOf(a) }).toEqual(before);
    },
  );

  it("has its records as they were after all of that", async () => {
    expect(await recordsOf(world.b)).toEqual(records);
  });

  const answering = bearers.filter((operation) => !sampleOf(operation).elsewhere);
  it.each(answering.map((operation) => [operation.id, operation] as const))(
    "takes its own tenant's for %s",
    async (_id, operation) => {
      const { a } = world;
      const caller = await a.newUser(["owner"]);
      const host = await hostOf(a);
      const answer = await sendSample(a, operation, caller, { headers: { host } });
      const { access } = operation;
      const may = typeof access === "string" || permissionsOf(["owner"]).has(access.permission);
      expect(answer.status).toBe(may ? operation.success.status : 403);
    },
  );
});

describe("which host is whose", () => {
  let world: Awaited<ReturnType<typeof createDomainWorld>>;
  let host: string;
  beforeEach(async () => {
    world = await createDomainWorld();
    host = await hostOf(world.b);
  });

  /** The status for a token of tenant A at a host. 401 means that the host is another tenant's. */
  const statusAt = async (headers: Record<string, string | readonly string[]>) =>
    (await world.a.send("GET", "/api/v1/ai-assets", { token: world.a.owner.token, headers })).status;

  it("is told by the name alone: case, port and a trailing dot do not count", async () => {
    const spellings = [host, host.toUpperCase(), `${host}.`, `${host}:8443`, `${host}.:80`, `${host}:`];
    for (const spelling of spellings) expect(await statusAt({ host: spelling }), spelling).toBe(401);
    expect(await statusAt({ ":authority": host })).toBe(401);
    expect(await statusAt({ ":authority": host, host: "reeve.example" })).toBe(401);
  });

  it("is nobody's where it is unknown: the base host, its parents, deeper names, addresses, nonsense", async () => {
    const [label] = host.split(".");
    const hosts = ["reeve.example", "REEVE.example:443", "example", `x.${host}`, `${label}.other.example`, `${label}`];
    const others = [
      "127.0.0.1",
      "127.0.0.1:80",
      "[::1]:80",
      "localhost",
      "",
      " ",
      ".",
      "a..b",
      "a b",
      "é",
      "%00",
      `${host}@x`,
    ];
    for (const name of [...hosts, ...others, "x".repeat(10_000)])
      expect(await statusAt({ host: name }), name).toBe(200);
  });

  it("is told by no header that a proxy or a client adds", async () => {
    for (const name of ["x-forwarded-host", "x-host", "x-original-host", "forwarded"]) {
      expect(await statusAt({ [name]: name === "forwarded" ? `host=${host}` : host })).toBe(200);
    }
  });

  it("must be one", async () => {
    for (const both of [
      [host, host],
      ["reeve.example", host],
    ]) {
      expect(await statusAt({ host: both })).toBe(400);
    }
    const { b } = world;
    const { username, password } = b.owner;
    const twice = await b.send("POST", "/api/v1/auth/signin", {
      body: { username, password },
      headers: { host: [host, host] },
    });
    expect(twice.json.code).toBe("invalid_request");
  });

  it("is the tenant's whose alias it is, from when it is active until it is released", async () => {
    const { b } = world;
    expect(await statusAt({ host: "ai.example.com" })).toBe(200);
    await prove(world, b, "ai.example.com");
    expect(await statusAt({ host: "AI.example.com:443" })).toBe(401);
    expect(await statusAt({ host: "x.ai.example.com" })).toBe(200);
    expect(
      (await b.send("GET", "/api/v1/ai-assets", { token: b.owner.token, headers: { host: "ai.example.com" } })).status,
    ).toBe(200);
    await release(b);
    expect(await statusAt({ host: "ai.example.com" })).toBe(200);
  });

  it("is the tenant's in another process within five seconds", async () => {
    const { a, b, store, clock } = world;
    const other = createPlane({ store, clock });
    const there = async () =>
      (await other.send("GET", "/api/v1/ai-assets", { token: a.owner.token, headers: { host: "ai.example.com" } }))
        .status;
    expect(await there()).toBe(200);
    await prove(world, b, "ai.example.com");
    clock.advance(5_000);
    expect(await there()).toBe(401);
    await release(b);
    clock.advance(5_000);
    expect(await there()).toBe(200);
  });
});

describe("signing in at the host of a tenant", () => {
  it("is for its own users; others are unknown there, at the same cost", async () => {
    const inner = scryptHasher({ cost: 4 });
    let verified = 0;
    const verify: typeof inner.verify = (password, hash) => {
      verified += 1;
      return inner.verify(password, hash);
    };
    const { a, b } = await createWorld({ hasher: { ...inner, verify } });
    const [own, foreign] = [await hostOf(a), await hostOf(b)];
    for (const host of [own, "reeve.example", "unknown.example.com"])
      expect((await signIn(a, a.owner, host)).status).toBe(200);
    const before = await eventsOf(a);
    const costs: number[] = [];
    const refusals: string[] = [];
    for (const user of [a.owner, { username: "nobody@example.test", password: a.owner.password }]) {
      const from = verified;
      const answer = await signIn(a, user, foreign);
      expect([answer.status, answer.json.code]).toEqual([401, "invalid_credentials"]);
      refusals.push(withoutRequestId(answer.text));
      costs.push(verified - from);
    }
    expect(costs).toEqual([1, 1]);
    expect(refusals[0]).toBe(refusals[1]);
    expect(await eventsOf(a)).toEqual(before);
  });

  it("is for its own users by a mailed link, too", async () => {
    const { a, b, send } = await createWorld();
    await a.newInvited();
    const body = { token: a.mailed.secret, newPassword: "a first long phrase of theirs" };
    const follow = (host: string) => send("POST", "/api/v1/auth/set-password", { body, headers: { host } });
    expect((await follow(await hostOf(b))).json.code).toBe("invalid_otp");
    expect((await follow(await hostOf(a))).status).toBe(200);
  });

  it("is for its own refresh tokens, which another host does not use up", async () => {
    const { a, b, send } = await createWorld();
    const body = { grant_type: "refresh_token", refresh_token: a.owner.refreshToken };
    const refresh = (host: string) => send("POST", "/api/v1/auth/token", { body, headers: { host } });
    expect((await refresh(await hostOf(b))).json).toMatchObject({ status: 400, error: "invalid_grant" });
    expect((await refresh(await hostOf(a))).status).toBe(200);
  });

  it("is for its own machine clients", async () => {
    const { a, b, send } = await createWorld();
    const identity = await a.newIdentity();
    const { clientId, clientSecret } = await a.newCredential(identity);
    const body = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    const ask = (host: string) => send("POST", "/api/v1/auth/token", { body, headers: { host } });
    expect((await ask(await hostOf(b))).json).toMatchObject({ status: 401, error: "invalid_client" });
    expect((await ask(await hostOf(a))).status).toBe(200);
  });

  it("founds no tenant there", async () => {
    const { a, send } = await createWorld();
    const body = { organization: "New", username: "new@example.test", password: "quite a long pass phrase 7" };
    const register = (host: string) => send("POST", "/api/v1/register", { body, headers: { host } });
    expect((await register(await hostOf(a))).json.code).toBe("registration_closed");
    expect((await register("unknown.example.com")).status).toBe(201);
  });
});
