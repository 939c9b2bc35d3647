import { lookup } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { BASE_URL, countedHasher, createPlane, createScene, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { type PasswordHasher, ReeveError, scryptHasher } from "../../../src/index.js";
import { eventTypes, withoutRequestId } from "../../helpers/facts.js";
import { suspend } from "../../helpers/provider.js";
import { createWorld } from "../../helpers/world.js";

const MINUTE = 60_000;
/** A sign-in without a tenant compares three passwords where there are as many tenants. */
const COMPARED = 3;
const GOOD = "a pass phrase that is long";

let hasher: ReturnType<typeof countedHasher>;
let world: World;
beforeEach(async () => {
  hasher = countedHasher();
  world = await createWorld({ hasher });
  await signIn("warm-up@example.test", GOOD, "warm-up");
  Object.assign(hasher, { hashed: 0, verified: 0 });
});

const signIn = (username: string, password: string, remoteAddress = "192.0.2.50", more: object = {}) =>
  world.send("POST", "/api/v1/auth/signin", { body: { username, password, ...more }, remoteAddress });

describe("sign-in under guessing", () => {
  it("compares at most ten of two hundred passwords sent at once, and answers the rest with 429", async () => {
    const { username } = world.a.owner;
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => signIn(username, `wrong password ${index}`)),
    );
    expect(hasher.verified).toBe(10 * COMPARED);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    const locked = answers.filter(({ status }) => status === 429);
    expect(locked).toHaveLength(190);
    expect(
      locked.every(({ json, headers }) => json.code === "too_many_attempts" && headers["retry-after"] === "900"),
    ).toBe(true);
  });

  it("refuses the right password while locked, from that address only, and takes it again after the window", async () => {
    const { username, password } = world.a.owner;
    for (let index = 0; index < 10; index += 1) await signIn(username, "wrong password");
    expect((await signIn(username, password)).status).toBe(429);
    expect((await signIn(username, password, "192.0.2.51")).status).toBe(200);
    world.clock.advance(15 * MINUTE - 1);
    expect((await signIn(username, password)).headers["retry-after"]).toBe("1");
    world.clock.advance(1);
    expect((await signIn(username, password)).status).toBe(200);
  });

  it("counts failures only: a hundred good sign-ins from one address are a hundred sign-ins", async () => {
    const { username, password } = world.a.owner;
    for (let index = 0; index < 101; index += 1) expect((await signIn(username, password)).status).toBe(200);
  });

  it("does not count what could not be compared", async () => {
    const closed = countedHasher();
    const broken = { ...closed, verify: () => Promise.reject(new ReeveError("overloaded")) };
    const plane = createPlane({ store: world.store, hasher: broken });
    const { username, password } = world.a.owner;
    const body = { username, password };
    for (let index = 0; index < 11; index += 1) {
      const answer = await plane.send("POST", "/api/v1/auth/signin", { body, remoteAddress: "192.0.2.50" });
      expect(answer.status).toBe(503);
    }
    expect((await signIn(username, password)).status).toBe(200);
  });

  it.each([
    ["an IPv6 subscriber's network", (index: number) => `2001:db8:1:2::${index.toString(16)}`],
    ["an IPv4 address in IPv6 clothing", (index: number) => (index % 2 ? "192.0.2.77" : "::ffff:192.0.2.77")],
  ])("counts %s as one", async (_name, address) => {
    for (let index = 1; index <= 10; index += 1) await signIn("ada@acme.example", "wrong", address(index));
    expect((await signIn("ada@acme.example", "wrong", address(11))).status).toBe(429);
    expect((await signIn("ada@acme.example", "wrong", "2001:db8:1:3::1")).status).toBe(401);
  });

  it("gives the budget back after a success at a tenant, and without one what the success took", async () => {
    const { username, password } = world.a.owner;
    const tenant = world.a.tenantId;
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 9; index += 1)
        expect((await signIn(username, "wrong password", undefined, { tenant })).status).toBe(401);
      expect((await signIn(username, password, undefined, { tenant })).status).toBe(200);
    }
    for (let index = 0; index < 9; index += 1) await signIn(username, "wrong password");
    for (let index = 0; index < 3; index += 1) expect((await signIn(username, password)).status).toBe(200);
    expect((await signIn(username, "wrong password")).status).toBe(401);
    expect((await signIn(username, password)).status).toBe(429);
  });

  it("counts spellings of one user name together, and unknown users like known ones", async () => {
    for (const username of [world.a.owner.username, "nobody@example.test"]) {
      const spellings = [username, username.toUpperCase(), username.replace("e", "E")];
      for (let index = 0; index < 10; index += 1) await signIn(spellings[index % 3] as string, "wrong password");
      expect((await signIn(username, "wrong password")).status).toBe(429);
    }
    expect(hasher.verified).toBe(20 * COMPARED);
  });

  it("has a budget for a user over all addresses, and for an address over all users", async () => {
    for (let index = 0; index < 100; index += 1) {
      expect((await signIn("everywhere@example.test", "wrong password", `198.51.100.${index}`)).status).toBe(401);
    }
    expect((await signIn("everywhere@example.test", "wrong password", "203.0.113.1")).status).toBe(429);
    for (let index = 0; index < 300; index += 1) {
      expect((await signIn(`user-${index}@example.test`, "wrong password", "203.0.113.9")).status).toBe(401);
    }
    expect((await signIn("user-301@example.test", "wrong password", "203.0.113.9")).status).toBe(429);
  });

  it("shares the budget of the current password when it is changed", async () => {
    const { token, username } = world.a.owner;
    const change = (currentPassword: string) =>
      world.send("POST", "/api/v1/auth/reset-password", {
        token,
        body: { currentPassword, newPassword: "entirely another phrase" },
        remoteAddress: "192.0.2.50",
      });
    for (let index = 0; index < 10; index += 1) expect((await change("wrong")).json.code).toBe("invalid_credentials");
    const { password } = world.a.owner;
    expect((await change(password)).status).toBe(429);
    expect((await signIn(username, password, "192.0.2.50", { tenant: world.a.tenantId })).status).toBe(429);
  });
});

describe("M14: a flood of sign-ins", () => {
  const FLOOD = 500;
  const overloads = { code: "overloaded", status: 503 };

  it("finds a hasher that takes two at once and lets 32 wait", async () => {
    const bounded = scryptHasher({ cost: 4 });
    const outcomes = await Promise.allSettled(Array.from({ length: FLOOD }, () => bounded.hash(GOOD)));
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(refused).toHaveLength(FLOOD - 34);
    for (const error of refused) expect(error).toMatchObject({ ...overloads, headers: { "retry-after": "2" } });
    expect((await bounded.hash(GOOD)).startsWith("$scrypt$")).toBe(true);
  });

  it("is answered with 503 beyond that, while pings, names and files are still looked up", async () => {
    const inner = scryptHasher({ cost: 14 });
    const held = new Set<unknown>();
    let most = 0;
    const tracked: PasswordHasher = {
      hash: inner.hash,
      async verify(password, hash) {
        const work = inner.verify(password, hash).finally(() => held.delete(work));
        held.add(work);
        // A refused request is rejected by the next turn of the event loop. All others wait or run.
        await Promise.race([work, new Promise(setImmediate)]);
        most = Math.max(most, held.size);
        return work;
      },
    };
    const plane = createPlane({ hasher: tracked });
    const flood = Array.from({ length: FLOOD }, (_, index) =>
      plane.send("POST", "/api/v1/auth/signin", {
        body: { username: `nobody-${index}@example.test`, password: GOOD },
        remoteAddress: `flood-${index}`,
      }),
    );
    let over = false;
    const flooded = Promise.all(flood).finally(() => {
      over = true;
    });
    const served = { pings: 0, names: 0, files: 0 };
    while (!over) {
      expect((await plane.send("GET", "/api/v1/monitor/ping")).status).toBe(200);
      served.pings += 1;
      await lookup("localhost");
      served.names += 1;
      await readFile(new URL(import.meta.url));
      served.files += 1;
    }
    const answers = await flooded;
    expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(34);
    const refused = answers.filter(({ status }) => status !== 401);
    expect(refused.length).toBeGreaterThan(100);
    for (const { status, json, headers } of refused) {
      expect({ status, code: json.code, after: headers["retry-after"] }).toEqual({ ...overloads, after: "2" });
    }
    expect(most).toBeLessThanOrEqual(34);
    expect(Math.min(served.pings, served.names, served.files)).toBeGreaterThan(3);
  });
});

describe("sign-in of users in every state", () => {
  it("costs exactly as many comparisons and answers alike", async () => {
    const { a, send } = world;
    const as = { token: a.owner.token };
    const [disabled, removed, known] = [
      await a.newUser(["member"]),
      await a.newUser(["member"]),
      await a.newUser(["member"]),
    ];
    await send("PATCH", `/api/v1/users/${disabled.userId}`, { ...as, body: { status: "disabled" } });
    await send("DELETE", `/api/v1/users/${removed.userId}`, as);
    await send("POST", "/api/v1/users", { ...as, body: { username: "invited@example.test" } });
    const suspended = world.b.owner;
    await suspend(world, world.b.tenantId);
    const attempts: [string, string][] = [
      [known.username, "the wrong password"],
      [disabled.username, disabled.password],
      [removed.username, removed.password],
      ["invited@example.test", GOOD],
      [suspended.username, suspended.password],
      ["unknown@example.test", GOOD],
      ["not even an address", GOOD],
    ];
    const answers = [];
    for (const [username, password] of attempts) {
      Object.assign(hasher, { hashed: 0, verified: 0 });
      const answer = await signIn(username, password);
      expect([hasher.hashed, hasher.verified], username).toEqual([0, COMPARED]);
      answers.push(`${answer.status} ${withoutRequestId(answer.text)}`);
    }
    expect(new Set(answers).size).toBe(1);
  });

  it("costs nothing while the budget is spent, and answers alike then too", async () => {
    const answers = [];
    for (const username of [world.a.owner.username, "unknown@example.test"]) {
      for (let index = 0; index < 10; index += 1) await signIn(username, "wrong password");
      hasher.verified = 0;
      const answer = await signIn(username, world.a.owner.password);
      expect(hasher.verified).toBe(0);
      answers.push(`${answer.status} ${withoutRequestId(answer.text)}`);
    }
    expect(answers).toEqual([expect.stringMatching(/^429 /), answers[0]]);
  });

  it("costs the same in a process that has just started, whoever asks", async () => {
    for (const username of [world.a.owner.username, "unknown@example.test"]) {
      const fresh = countedHasher();
      const { send } = createPlane({ store: world.store, hasher: fresh });
      await send("POST", "/api/v1/auth/signin", { body: { username, password: "wrong password" } });
      expect([fresh.hashed, fresh.verified]).toEqual([1, COMPARED]);
    }
  });

  it("gives a token, a user without secrets, and one event", async () => {
    const before = (await eventTypes(world.a)).length;
    const { username, password, userId } = world.a.owner;
    const answer = await signIn(username.toUpperCase(), password);
    expect(answer.json.user).toMatchObject({ id: userId, username, roles: ["owner"] });
    expect(answer.text).not.toMatch(/scrypt|passwordHash|securityVersion/);
    expect(await eventTypes(world.a, before)).toEqual(["user.signed_in"]);
  });

  it("makes a weaker hash stronger", async () => {
    const { username, password } = world.a.owner;
    const stronger = createPlane({ store: world.store, hasher: scryptHasher({ cost: 6 }) });
    const again = await stronger.send("POST", "/api/v1/auth/signin", { body: { username, password } });
    expect(again.status).toBe(200);
    expect((await signIn(username, password)).status).toBe(200);
  });
});

describe("a user name of several tenants", () => {
  const username = "ada@everywhere.example";
  const PASSWORDS = [GOOD, "another pass phrase, long too", "a third pass phrase, as long"];

  /** Tenants with one user of this name each, oldest first. */
  async function tenants(passwords: readonly string[]) {
    const made: { readonly tenantId: string; readonly subdomain: string; readonly userId: string }[] = [];
    for (const [at, password] of passwords.entries()) {
      const body = { organization: "Acme", subdomain: `everywhere-${at}`, username, password };
      const { status, json } = await world.send("POST", "/api/v1/register", { body });
      expect(status).toBe(201);
      made.push(json);
      world.clock.advance(1_000);
    }
    return made;
  }
  const into = (password: string, tenant?: string, headers: Record<string, string> = {}) => {
    const body = { username, password, ...(tenant === undefined ? {} : { tenant }) };
    return world.send("POST", "/api/v1/auth/signin", { body, headers });
  };
  const userOf = async (answer: ReturnType<typeof into>) => (await answer).json.user?.id ?? (await answer).json.code;

  it("is told apart by the password", async () => {
    const made = await tenants(PASSWORDS);
    for (const [at, password] of PASSWORDS.entries()) expect(await userOf(into(password))).toBe(made[at]?.userId);
    expect(await userOf(into("none of the passwords"))).toBe("invalid_credentials");
  });

  it("needs the tenant where passwords are the same, which only who knows the password is told", async () => {
    const made = await tenants([GOOD, GOOD, PASSWORDS[1] as string]);
    const answer = await into(GOOD);
    expect([answer.status, answer.json]).toMatchObject([
      409,
      { code: "tenant_required", tenants: [made[0]?.subdomain, made[1]?.subdomain] },
    ]);
    expect((await into("a wrong one")).json).toMatchObject({ code: "invalid_credentials" });
    for (const each of made.slice(0, 2)) {
      expect(await userOf(into(GOOD, each.subdomain))).toBe(each.userId);
      expect(await userOf(into(GOOD, each.tenantId))).toBe(each.userId);
      expect(await userOf(into(GOOD, each.subdomain.toUpperCase()))).toBe(each.userId);
    }
    expect(await userOf(into(GOOD, made[2]?.subdomain))).toBe("invalid_credentials");
  });

  it("is of the host's tenant at its host, and of no other", async () => {
    const made = await tenants(PASSWORDS);
    const host = { host: `${made[1]?.subdomain}.${new URL(BASE_URL).host}` };
    expect(await userOf(into(PASSWORDS[1] as string, undefined, host))).toBe(made[1]?.userId);
    expect(await userOf(into(PASSWORDS[0] as string, undefined, host))).toBe("invalid_credentials");
    expect(await userOf(into(PASSWORDS[0] as string, made[0]?.subdomain, host))).toBe("invalid_credentials");
  });

  it("costs one comparison where the tenant is named, whether it is there or not", async () => {
    const [made] = await tenants([GOOD]);
    for (const tenant of [made?.subdomain, "nobody", made?.tenantId.replace(/.$/, "Z"), world.b.tenantId]) {
      Object.assign(hasher, { hashed: 0, verified: 0 });
      const answer = await into("a wrong one", tenant);
      expect([answer.json.code, hasher.hashed, hasher.verified], tenant).toEqual(["invalid_credentials", 0, 1]);
    }
  });

  it("is found by its tenant behind any number of squatters", async () => {
    const made = await tenants([...PASSWORDS, "the pass phrase of the owner"]);
    const own = "the pass phrase of the owner";
    expect(await userOf(into(own))).toBe("invalid_credentials");
    expect(await userOf(into(own, made[3]?.subdomain))).toBe(made[3]?.userId);
  });

  it("counts disabled and suspended accounts as none", async () => {
    const made = await tenants([GOOD, GOOD]);
    await suspend(world, made[0]?.tenantId as string);
    expect(await userOf(into(GOOD))).toBe(made[1]?.userId);
  });
});

describe("passwords", () => {
  const create = (password: string, username = `${world.a.unique()}@example.test`) =>
    world.send("POST", "/api/v1/users", { token: world.a.owner.token, body: { username, password } });

  it.each([64, 72, 73, 256])("of %i characters that differ in the last one differ", async (length) => {
    const common = "abcdefghij klmnopqrst ".repeat(20).slice(0, length - 1);
    const username = `${world.a.unique()}@example.test`;
    expect((await create(`${common}1`, username)).status).toBe(201);
    expect((await signIn(username, `${common}2`)).status).toBe(401);
    expect((await signIn(username, common)).status).toBe(401);
    expect((await signIn(username, `${common}1 `)).status).toBe(401);
    expect((await signIn(username, `${common}1`)).status).toBe(200);
  });

  it.each([
    "short",
    "fourteen chars",
    "aaaaaaaaaaaaaaaaaaaa",
    "passwordpassword",
    "PasswordPassword",
    "x".repeat(1_025),
    "é".repeat(600),
  ])("are refused: %s", async (password) => {
    expect((await create(password)).status).toBe(400);
  });

  it("are changed only with the current one, and the new one works", async () => {
    const actor = await world.a.newUser(["member"]);
    const change = (body: object) => world.send("POST", "/api/v1/auth/reset-password", { token: actor.token, body });
    expect((await change({ currentPassword: "wrong", newPassword: GOOD })).json.code).toBe("invalid_credentials");
    expect((await change({ currentPassword: actor.password, newPassword: "short" })).json.code).toBe(
      "password_rejected",
    );
    expect(
      (await change({ currentPassword: actor.password, newPassword: GOOD, username: "x@example.test" })).status,
    ).toBe(400);
    expect((await change({ currentPassword: actor.password, newPassword: GOOD })).status).toBe(200);
    expect((await signIn(actor.username, actor.password)).status).toBe(401);
    expect((await signIn(actor.username, GOOD)).status).toBe(200);
  });

  it("E13 a change keeps the token that made it, until the next one, and no other", async () => {
    const actor = await world.a.newUser(["member"]);
    const { token: other } = (await signIn(actor.username, actor.password)).json;
    const change = (token: string, currentPassword: string, newPassword: string) =>
      world.send("POST", "/api/v1/auth/reset-password", { token, body: { currentPassword, newPassword } });
    const ping = async (token: string) => (await world.send("GET", "/api/v1/ai-assets", { token })).status;
    const both = async () => [await ping(actor.token), await ping(other)];

    expect(await both()).toEqual([200, 200]);
    expect((await change(actor.token, actor.password, GOOD)).status).toBe(200);
    expect(await both()).toEqual([200, 401]);
    const { token: later } = (await signIn(actor.username, GOOD)).json;
    expect((await change(later, GOOD, "yet another long phrase")).status).toBe(200);
    expect([...(await both()), await ping(later)]).toEqual([401, 401, 200]);
    const as = { token: world.a.owner.token, body: { roles: ["auditor"] } };
    expect((await world.send("PATCH", `/api/v1/users/${actor.userId}`, as)).status).toBe(200);
    expect(await ping(later)).toBe(401);
  });

  it("E13 the same password again is refused", async () => {
    const { token, password } = await world.a.newUser(["member"]);
    const body = { currentPassword: password, newPassword: password };
    const answer = await world.send("POST", "/api/v1/auth/reset-password", { token, body });
    expect([answer.status, answer.json.code]).toEqual([400, "password_rejected"]);
    expect(answer.json.errors).toMatchObject([{ pointer: "/newPassword" }]);
    expect((await world.send("GET", "/api/v1/ai-assets", { token })).status).toBe(200);
  });
});

describe("registration", () => {
  const body = { organization: "Acme & Söhne", username: "ada@acme.example", password: "a pass phrase that is long" };

  it("is refused by the policy closed", async () => {
    const { send } = createPlane({ registration: "closed" });
    const answer = await send("POST", "/api/v1/register", { body });
    expect([answer.status, answer.json.code]).toEqual([403, "registration_closed"]);
  });

  it("makes a tenant whose owner can sign in", async () => {
    const plane = createPlane();
    const first = await plane.send("POST", "/api/v1/register", { body });
    expect(first.json).toMatchObject({ status: "active", subdomain: expect.stringMatching(/^acme-so-hne-\w{6}$/) });
    expect((await plane.send("POST", "/api/v1/auth/signin", { body })).json.user.roles).toEqual(["owner"]);
    expect((await createScene(plane, "other")).tenantId).not.toBe(first.json.tenantId);
  });

  it.each(["admin", "www", "xn--abc"])("refuses the subdomain %s", async (subdomain) => {
    const { send } = createPlane();
    const answer = await send("POST", "/api/v1/register", { body: { ...body, subdomain } });
    expect(answer.json.code).toBe("already_exists");
  });

  it.each(["A", "a", "-ab", "ab-", "a_b", "a.b", "x".repeat(64)])(
    "cannot be asked for the subdomain %s",
    async (subdomain) => {
      const { send } = createPlane();
      expect((await send("POST", "/api/v1/register", { body: { ...body, subdomain } })).json.code).toBe(
        "invalid_request",
      );
    },
  );

  it("takes a subdomain once, and one of racing requests", async () => {
    const { send } = createPlane();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        send("POST", "/api/v1/register", { body: { ...body, username: `u${index}@acme.example`, subdomain: "acme" } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });
});
