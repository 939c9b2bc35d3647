import { listAll } from "@reeve/testkit/connectors";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { benchOf, idsOf, specOf } from "./bench.js";
import { type TestHost, testHost } from "./host.js";

let host: TestHost;
beforeAll(async () => {
  host = await testHost();
});
beforeEach(() => host.reset());
afterAll(() => host.close());

describe("a connection to a code host", () => {
  it("says who it is, and only reads", async () => {
    const { calls } = benchOf(host);
    const { checks, target } = await calls.testConnection();
    expect(checks.map(({ id, status }) => `${id} ${status}`)).toEqual(["account pass", "repositories pass"]);
    expect(target).toEqual({ id: host.url, name: `127.0.0.1:${host.port} as acme-admin` });
    expect(host.seen.every((line) => line.startsWith("GET "))).toBe(true);
  });

  it("that sees nothing says what to do", async () => {
    const { checks } = await benchOf(host, { token: "tok_carol" }).calls.testConnection();
    expect(checks[1]).toMatchObject({ status: "warn", remediation: expect.any(String) });
  });

  it("with a token that is not known fails as such, and quotes it nowhere", async () => {
    const token = "ghp_thisTokenIsNotKnown0123456789";
    const { calls, parts } = benchOf(host, { token });
    const error = await calls.testConnection().catch((given: Error) => given);
    expect(error).toMatchObject({ errorClass: "auth", httpStatus: 401 });
    expect(JSON.stringify([error, parts.lines]) + String(error)).not.toContain(token);
  });

  it.each([
    ["Retry-After", 403, { "retry-after": "42" }, 42_000],
    ["too many requests", 429, { "retry-after": "7" }, 7_000],
    ["a limit that is used up", 403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "4102444800" }, undefined],
  ])("waits as %s says", async (_what, status, headers, wait) => {
    host.script(() => ({ status, headers: headers as Record<string, string>, body: { message: "slow down" } }));
    const error = await benchOf(host)
      .calls.testConnection()
      .catch((given) => given);
    expect(error).toMatchObject({ errorClass: "rate_limited", httpStatus: status });
    if (wait !== undefined) expect(error.retryAfterMs).toBe(wait);
    expect(error.retryAfterMs).toBeGreaterThan(1_000);
    expect(error.message).not.toContain("slow down");
  });

  it.each([
    ["a read", "transient", () => benchOf(host).calls.testConnection()],
    [
      "a write",
      "outcome_unknown",
      async () => {
        const ids = await idsOf(host);
        host.script((method) => (method === "PUT" ? { status: 502 } : undefined));
        return benchOf(host).calls.grant(specOf(ids.agents, ids.bob, "pull"));
      },
    ],
  ])("of which %s fails in the middle is %s", async (_what, errorClass, call) => {
    host.script(() => ({ status: 502 }));
    await expect(call()).rejects.toMatchObject({ errorClass, httpStatus: 502 });
  });

  it.each([
    ["another shape", { login: 7 }],
    ["a list", []],
    ["nothing", null],
  ])("to a host that answers %s fails, and does not guess", async (_what, body) => {
    host.script(() => ({ status: 200, body }));
    await expect(benchOf(host).calls.testConnection()).rejects.toMatchObject({ errorClass: "invalid" });
  });

  it("follows no address of a next page to somewhere else", async () => {
    const link = '<http://169.254.169.254/steal?page=2>; rel="next"';
    host.script((_method, url) =>
      url.pathname === "/user/repos"
        ? { status: 200, body: [], ...(url.searchParams.get("page") === "1" ? { headers: { link } } : {}) }
        : undefined,
    );
    const { calls, parts } = benchOf(host);
    await listAll((page) => calls.listResources("repository", page));
    expect(parts.egress.calls.every((call) => call.kind === "http" && call.url.startsWith(host.url))).toBe(true);
  });

  it("to a host whose pages come again without end is given up, and its listing not called whole", async () => {
    host.script((_method, url) =>
      url.pathname === "/user/orgs"
        ? { status: 200, body: [{ id: 1, login: "acme" }], headers: { link: '<x>; rel="next"' } }
        : undefined,
    );
    expect(await benchOf(host).calls.listResources("team", { limit: 10 })).toMatchObject({
      complete: false,
      incomplete: "repeated",
    });
  });
});

describe("listings of a code host", () => {
  it("hold owners, repositories and teams by numbers, of the wanted owners only", async () => {
    const ids = await idsOf(host);
    const { calls } = benchOf(host);
    const list = async (type: string, limit: number, from = calls) =>
      (await listAll((page) => from.listResources(type, page), limit)).items;
    expect((await list("repository", 1)).map(({ name }) => name).sort()).toEqual([
      "acme-admin/tools",
      "acme/agents",
      "acme/site",
    ]);
    expect((await list("owner", 10)).map(({ name }) => name).sort()).toEqual(["acme", "acme-admin"]);
    expect(await list("team", 10)).toContainEqual(expect.objectContaining({ externalId: ids.team, name: "acme/ai" }));
    const acme = benchOf(host, { owners: ["ACME"] }).calls;
    expect((await list("repository", 1, acme)).map(({ name }) => name).sort()).toEqual(["acme/agents", "acme/site"]);
    expect((await list("owner", 10, acme)).map(({ name }) => name)).toEqual(["acme"]);
    await expect(list("galaxy", 10)).rejects.toMatchObject({ errorClass: "unsupported" });
  });

  it("name the roles, of which somebody has one", async () => {
    const { items } = await listAll((page) =>
      benchOf(host).calls.listAccessProfiles({ resourceType: "repository" }, page),
    );
    expect(items.map(({ externalId, privilegeLevel }) => `${externalId} ${privilegeLevel}`)).toEqual([
      "pull 1",
      "triage 1",
      "push 2",
      "maintain 3",
      "admin 4",
    ]);
    expect(new Set(items.map(({ exclusionGroup }) => exclusionGroup))).toEqual(new Set(["role"]));
  });
});
