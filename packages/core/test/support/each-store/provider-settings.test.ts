import { createPlane, type World } from "@reeve/testkit";
import { decodeJwt } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { SETTINGS } from "#reference/index.js";
import { eventsOf } from "../../helpers/facts.js";
import { newestEvent, providerOf, REASON } from "../../helpers/provider.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let provider: ReturnType<typeof providerOf>;
beforeEach(async () => {
  world = await createWorld();
  provider = providerOf(world);
});

const entry = async (key: string) => {
  const { json } = await provider.get("config?size=100");
  return json.items.find(({ id }: { id: string }) => id === key);
};

describe("settings of the platform", () => {
  it("are all listed, with their defaults from the options", async () => {
    const { json } = await provider.get("config?size=100");
    expect(json.items.map(({ id }: { id: string }) => id)).toEqual(Object.keys(SETTINGS));
    for (const item of json.items) {
      expect(item).toMatchObject({ source: "default", value: item.default, version: 0, updatedBy: null });
      expect(item.description.length).toBeGreaterThan(20);
    }
    expect(await entry("passwords.minLength")).toMatchObject({ value: 15 });
    expect(await entry("rateLimits.tenant")).toMatchObject({ value: 0 });
  });

  it("page by number and by cursor", async () => {
    const all = Object.keys(SETTINGS);
    const seen: string[] = [];
    let query = "?size=4";
    for (;;) {
      const { json } = await provider.get(`config${query}`);
      expect(json).toMatchObject({ totalItems: all.length, totalRelation: "exact" });
      seen.push(...json.items.map(({ id }: { id: string }) => id));
      if (json.nextCursor === null) break;
      query = `?size=4&cursor=${json.nextCursor}`;
    }
    expect(seen).toEqual(all);
    expect((await provider.get("config?size=4&page=1")).json.items[0].id).toBe(all[4]);
    const foreign = (await provider.get("kill-switches?size=1")).json.nextCursor;
    expect((await provider.get(`config?cursor=${foreign}`)).json.code).toBe("invalid_cursor");
  });

  it("are created, changed and taken back, each step in the provider's stream", async () => {
    const created = await provider.post("config", { name: "tokens.lifetime", configuration: { value: 600 } });
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({
      id: "tokens.lifetime",
      value: 600,
      default: 3_600,
      source: "stored",
      version: 1,
    });
    expect(created.headers.etag).toBe('"1"');
    expect(await newestEvent(world, world.provider.tenantId)).toMatchObject({
      type: "reeve.support.acted.v1",
      subject: "tokens.lifetime",
      authid: world.provider.owner.userId,
      data: { operation: "support.createConfig", from: 3_600, to: 600, reason: REASON, tenantId: null },
    });
    expect((await provider.post("config", { name: "tokens.lifetime", configuration: { value: 700 } })).json.code).toBe(
      "already_exists",
    );
    const changed = await provider.set("tokens.lifetime", 700);
    expect([changed.status, changed.json.version]).toEqual([200, 2]);
    expect((await provider.reset("tokens.lifetime")).status).toBe(204);
    expect(await entry("tokens.lifetime")).toMatchObject({ value: 3_600, source: "default", version: 0 });
    const history = await world.send("GET", "/api/v1/ai/activity/tokens.lifetime", {
      token: world.provider.owner.token,
    });
    expect(
      history.json.items.map(({ data }: { data: { from: unknown; to: unknown } }) => [data.from, data.to]),
    ).toEqual([
      [700, 3_600],
      [600, 700],
      [3_600, 600],
    ]);
  });

  it("that are sent as they are change nothing", async () => {
    await provider.set("limits.assets", 7);
    const before = (await eventsOf(world.provider)).length;
    expect((await provider.set("limits.assets", 7)).json.version).toBe(1);
    expect((await provider.reset("limits.users")).status).toBe(204);
    expect((await eventsOf(world.provider)).length).toBe(before);
  });

  it.each<[string, unknown]>([
    ["tokens.lifetime", 59],
    ["tokens.lifetime", 86_401],
    ["tokens.lifetime", "600"],
    ["passwords.minLength", 7],
    ["passwords.minLength", 12.5],
    ["registration.policy", "sometimes"],
    ["rateLimits.tenant", -1],
    ["limits.assets", "many"],
    ["retention.failedDeliveryDays", 0],
    ["retention.failedDeliveryDays", "tomorrow"],
    ["support.sqlConsole", 1],
    ["custom.note", undefined],
    ["custom.note", "x".repeat(8 * 1_024)],
  ])("%s does not take %j", async (name, value) => {
    const answer = await provider.post("config", { name, configuration: { value } });
    expect(answer.status).toBe(400);
    expect(answer.json.errors).toMatchObject([{ pointer: "/configuration/value" }]);
    expect(await eventsOf(world.provider)).not.toContainEqual(expect.objectContaining({ subject: name }));
  });

  it.each(["tokens.lifetimes", "custom", "custom.", "custom.A", "custom.a.b.c.d.e", "__proto__", "toString", "a b"])(
    "there is none named %s",
    async (name) => {
      const created = await provider.post("config", { name, configuration: { value: 1 } });
      expect([created.status, created.json.errors[0].pointer]).toEqual([400, "/name"]);
      expect((await provider.set(encodeURIComponent(name), 1)).status).toBe(404);
      expect((await provider.reset(encodeURIComponent(name))).status).toBe(404);
    },
  );

  it("of the provider's own exist only once created, and are listed behind the declared ones", async () => {
    expect((await provider.set("custom.note", 1)).status).toBe(404);
    const value = { any: ["JSON", 1, null] };
    expect((await provider.post("config", { name: "custom.note.two", configuration: { value } })).status).toBe(201);
    expect((await provider.set("custom.note.two", 2)).json).toMatchObject({ value: 2, default: null });
    const { json } = await provider.get("config?size=100");
    expect(json.items.at(-1)).toMatchObject({ id: "custom.note.two", value: 2 });
    expect((await provider.reset("custom.note.two")).status).toBe(204);
    expect((await provider.reset("custom.note.two")).status).toBe(404);
  });

  it("want a reason", async () => {
    const short = { reason: "short" };
    const answers = [
      await provider.post("config", { name: "limits.assets", configuration: { value: 1 }, ...short }),
      await provider.post("config/limits.assets", { configuration: { value: 1 }, ...short }),
    ];
    for (const { json } of answers)
      expect(json).toMatchObject({ code: "missing_reason", errors: [{ pointer: "/reason" }] });
    for (const query of ["", "?reason=short"])
      expect((await provider.reset("limits.assets", query)).json).toMatchObject({
        code: "missing_reason",
        errors: [{ parameter: "reason" }],
      });
  });

  it("heed If-Match", async () => {
    await provider.set("limits.assets", 5);
    const body = { configuration: { value: 6 } };
    expect((await provider.post("config/limits.assets", body, { "if-match": '"2"' })).status).toBe(412);
    expect((await provider.reset("limits.assets", undefined, { "if-match": '"2"' })).status).toBe(412);
    expect((await provider.post("config/limits.assets", body, { "if-match": '"1"' })).status).toBe(200);
    expect((await provider.reset("limits.assets", undefined, { "if-match": '"2"' })).status).toBe(204);
    expect((await provider.post("config/limits.assets", body, { "if-match": '"2"' })).status).toBe(412);
    expect((await provider.reset("limits.assets", undefined, { "if-match": '"2"' })).status).toBe(412);
    expect((await provider.post("config/limits.assets", body, { "if-match": '"0"' })).status).toBe(200);
  });
});

describe("a running process", () => {
  it("goes by the new lifetime of tokens from the next sign-in on", async () => {
    const lifetime = async () => {
      const { username, password } = world.a.owner;
      const { json } = await world.send("POST", "/api/v1/auth/signin", { body: { username, password } });
      const { exp = 0, iat = 0 } = decodeJwt(json.token);
      return exp - iat;
    };
    expect(await lifetime()).toBe(3_600);
    await provider.set("tokens.lifetime", 60);
    expect(await lifetime()).toBe(60);
  });

  it("goes by the new password floor, wherever a password is set", async () => {
    await provider.set("passwords.minLength", 40);
    const password = "a pass phrase of 30 characters";
    const created = await world.send("POST", "/api/v1/users", {
      token: world.a.owner.token,
      body: { username: "new@example.test", password },
    });
    const organization = "Newcomers";
    const registered = await world.send("POST", "/api/v1/register", {
      body: { organization, username: "founder@example.test", password },
    });
    const changed = await world.send("POST", "/api/v1/auth/reset-password", {
      token: world.a.owner.token,
      body: { currentPassword: world.a.owner.password, newPassword: password },
    });
    await world.a.newInvited();
    const token = world.a.mailed.secret;
    const linked = await world.send("POST", "/api/v1/auth/set-password", { body: { token, newPassword: password } });
    for (const { json } of [created, registered, changed, linked])
      expect(json).toMatchObject({ code: "password_rejected", detail: "At least 40 characters." });
  });

  it("closes and opens registration", async () => {
    const register = () =>
      world.send("POST", "/api/v1/register", {
        body: { organization: "Late", username: "late@example.test", password: "quite a long pass phrase 7" },
      });
    await provider.set("registration.policy", "closed");
    expect((await register()).json.code).toBe("registration_closed");
    const asked = await world.send("POST", "/api/v1/email/send-otp", { body: { email: "late@example.test" } });
    expect(asked.json.code).toBe("registration_closed");
    await provider.set("registration.policy", "open");
    expect((await register()).status).toBe(201);
  });

  it("limits rates at once, and stops limiting", async () => {
    const ask = () => world.send("GET", "/api/v1/users", { token: world.a.owner.token });
    expect((await ask()).headers).not.toHaveProperty("ratelimit");
    await provider.set("rateLimits.principal", 2);
    const answers = [await ask(), await ask(), await ask()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[0]?.headers["ratelimit-policy"]).toBe('"principal";q=2;w=60');
    expect((await world.send("GET", "/api/v1/users", { token: world.b.owner.token })).status).toBe(200);
  });

  it("beside it hears of a change within five seconds", async () => {
    const { store, clock } = world;
    const other = createPlane({ store, clock });
    const login = { username: world.a.owner.username, password: world.a.owner.password };
    const lifetime = async () => {
      const { json } = await other.send("POST", "/api/v1/auth/signin", { body: login });
      const { exp = 0, iat = 0 } = decodeJwt(json.token);
      return exp - iat;
    };
    expect(await lifetime()).toBe(3_600);
    await provider.set("tokens.lifetime", 120);
    clock.advance(5_000);
    expect(await lifetime()).toBe(120);
  });

  it("keeps what it knows while the store cannot be read, and ignores what it cannot use", async () => {
    await provider.set("registration.policy", "closed");
    const { store, clock } = world;
    const warnings: unknown[] = [];
    const say = (fields: unknown) => warnings.push(fields);
    const logger = { debug: say, info: say, warn: say, error: say };
    const other = createPlane({ store, clock, logger: logger as never });
    const body = { organization: "Late", username: "late@example.test", password: "quite a long pass phrase 7" };
    const register = async () => (await other.send("POST", "/api/v1/register", { body })).json.code;
    expect(await register()).toBe("registration_closed");
    const { forTenant } = store;
    const broken = { scan: () => Promise.reject(new Error("no answer")) };
    Object.assign(store, {
      forTenant: (id: string) => Object.assign(forTenant.call(store, id), id === "platform" ? broken : {}),
    });
    clock.advance(5_000);
    expect(await register()).toBe("registration_closed");
    expect(JSON.stringify(warnings)).toContain("no answer");
  });
});
