import type { Scene, World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { claim, DOMAIN, HOUR, look, prove, release, renewOwner } from "../../helpers/domains.js";
import { eventsOf, eventTypes } from "../../helpers/facts.js";
import { createDomainWorld, createWorld } from "../../helpers/world.js";

const HOLD = 90 * 24 * HOUR;

let world: World;
beforeEach(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const change = (scene: Scene, subdomain: string, headers: Record<string, string> = {}) =>
  scene.send("PATCH", DOMAIN, { token: scene.owner.token, body: { subdomain }, headers });
const register = ({ send }: Pick<World, "send">, subdomain: string, who = subdomain) =>
  send("POST", "/api/v1/register", {
    body: { organization: who, subdomain, username: `${who}@example.org`, password: "quite a long pass phrase 7" },
  });
/** Whether a token of tenant A is refused at a host, which is then another tenant's. */
const isAnothers = async (subdomain: string) => {
  const { a } = world;
  const headers = { host: `${subdomain}.reeve.example` };
  return (await a.send("GET", "/api/v1/ai-assets", { token: a.owner.token, headers })).status === 401;
};

describe("a subdomain", () => {
  it("changes at once, with an event, and the former one leads nowhere", async () => {
    const { b } = world;
    const former = (await look(b)).json.subdomain;
    expect(await isAnothers(former)).toBe(true);
    const before = (await eventsOf(b)).length;
    const changed = await change(b, "bravo");
    expect(changed.json).toMatchObject({ subdomain: "bravo", tenantUrl: "https://bravo.reeve.example" });
    expect(await eventTypes(b, before)).toEqual(["tenant.updated"]);
    expect(await isAnothers("bravo")).toBe(true);
    expect(await isAnothers(former)).toBe(false);
    const again = await change(b, "bravo");
    expect(again.json.version).toBe(changed.json.version);
    expect((await eventsOf(b)).length).toBe(before + 1);
  });

  it.each(["provider", "www", "api", "xn--bcher-kva"])("cannot become %s, which is reserved", async (name) => {
    expect((await change(world.a, name)).json).toMatchObject({ code: "already_exists", status: 409 });
    expect((await register(world, name)).json.code).toBe("already_exists");
  });

  it.each(["ab", "-abc", "abc-", "a.b", "ABC", "a_b", "a".repeat(64), "", 7])("cannot become %j", async (name) => {
    expect((await change(world.a, name as string)).json).toMatchObject({
      status: 400,
      errors: [{ pointer: "/subdomain" }],
    });
  });

  it("cannot become another tenant's", async () => {
    const { a, b } = world;
    const refused = await change(a, (await look(b)).json.subdomain);
    expect(refused.json).toMatchObject({ code: "already_exists", key: "subdomain" });
    expect(refused.text).not.toContain(b.tenantId);
  });

  it("asks for If-Match where one is sent", async () => {
    const { headers } = await look(world.a);
    expect((await change(world.a, "alpha", { "if-match": '"99"' })).status).toBe(412);
    expect((await change(world.a, "alpha", { "if-match": headers.etag as string })).status).toBe(200);
  });

  it("stays the provider's where it is the provider's", async () => {
    const { controlPlane, a } = world;
    const { tenantId, owner } = a.provider;
    const admin = await controlPlane.principalOf(tenantId, owner.userId);
    // No provider role has this permission, but a role of the host may.
    const principal = { ...admin, permissions: new Set(["tenant-domain:write"]) };
    const change = controlPlane.call("tenantDomain.patch", principal, { body: { subdomain: "elsewhere" } });
    await expect(change).rejects.toMatchObject({ code: "in_use" });
  });
});

describe("the registry of the provider", () => {
  it("shows the subdomain and the active alias of a tenant, and finds it by them", async () => {
    const domains = await createDomainWorld();
    const { a, send } = domains;
    await a.send("PATCH", DOMAIN, { token: a.owner.token, body: { subdomain: "alpha-renamed" } });
    const orgs = async (search: string) =>
      (await send("GET", `/api/v1/support/orgs?search=${search}`, { token: a.provider.owner.token })).json.items;
    await claim(a, "found.example.com");
    expect(await orgs("found.example.com")).toEqual([]);
    expect(await orgs("alpha-renamed")).toMatchObject([{ subdomain: "alpha-renamed", alias: null }]);
    await prove(domains, a, "found.example.com");
    expect(await orgs("found.example.com")).toMatchObject([{ id: a.tenantId, alias: "found.example.com" }]);
    await release(a);
    expect(await orgs("found.example.com")).toEqual([]);
  });
});

describe("a former subdomain", () => {
  it("is held for 90 days for the tenant that left it, which may take it back", async () => {
    const { a, b, clock } = world;
    await change(a, "alpha");
    await change(a, "omega");
    for (const attempt of [change(b, "alpha"), register(world, "alpha", "first")]) {
      expect((await attempt).json).toMatchObject({ code: "already_exists", key: "subdomain" });
    }
    expect((await change(a, "alpha")).json.subdomain).toBe("alpha");
    await change(a, "omega");
    clock.advance(HOLD - 1);
    await renewOwner(b);
    expect((await change(b, "alpha")).json.code).toBe("already_exists");
    clock.advance(1);
    expect((await change(b, "alpha")).json.subdomain).toBe("alpha");
    await renewOwner(a);
    expect((await change(a, "alpha")).json.code).toBe("already_exists");
  });

  it("is free for registration afterwards, whether a tick has run or not", async () => {
    const { a, clock, controlPlane } = world;
    for (const name of ["one", "two", "three"]) await change(a, name);
    clock.advance(HOLD);
    expect((await register(world, "one")).status).toBe(201);
    clock.advance(1);
    await controlPlane.tick();
    expect((await register(world, "two")).status).toBe(201);
    expect((await register(world, "three", "fourth")).json.code).toBe("already_exists");
  });

  it("is one of ten at most", async () => {
    const { a, clock } = world;
    const names = Array.from({ length: 10 }, (_, index) => `name-${index}`);
    for (const name of names) expect((await change(a, name)).status).toBe(200);
    const refused = await change(a, "too-many");
    expect(refused.json.code).toBe("in_use");
    expect((await look(a)).json.subdomain).toBe(names.at(-1));
    expect((await register(world, "too-many")).status).toBe(201);
    clock.advance(HOLD);
    await renewOwner(a);
    expect((await change(a, "five")).status).toBe(200);
  });
});

describe("tenants that want one subdomain at the same time", () => {
  it.each([1, 2, 3, 4, 5])("get it once between them (round %i)", async (round) => {
    const { a, b } = world;
    const name = `wanted-${round}`;
    const attempts = [change(a, name), change(b, name), ...["c", "d", "e"].map((who) => register(world, name, who))];
    const answers = await Promise.all(attempts);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    const lost = answers.filter(({ status }) => status >= 300);
    expect(lost.map(({ json }) => json.code)).toEqual(Array(4).fill("already_exists"));
    const names = [(await look(a)).json.subdomain, (await look(b)).json.subdomain];
    expect(names.filter((one) => one === name).length).toBeLessThanOrEqual(1);
  });

  it.each([1, 2, 3, 4, 5])("do not get it while it is being left (round %i)", async () => {
    const { a, b } = world;
    await change(a, "leaving");
    const [left, taken, registered] = await Promise.all([
      change(a, "left"),
      change(b, "leaving"),
      register(world, "leaving"),
    ]);
    expect(left.status).toBe(200);
    expect([taken.json.code, registered.json.code]).toEqual(["already_exists", "already_exists"]);
  });

  it("get an outdated one once between them", async () => {
    const { a, b, clock } = world;
    await change(a, "outdated");
    await change(a, "newer");
    clock.advance(HOLD);
    await renewOwner(b);
    const attempts = [change(b, "outdated"), ...["c", "d", "e"].map((who) => register(world, "outdated", who))];
    const answers = await Promise.all(attempts);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    const codes = answers.filter(({ status }) => status >= 300).map(({ json }) => json.code);
    expect(codes.every((code) => code === "already_exists" || code === "concurrent_modification")).toBe(true);
  });
});
