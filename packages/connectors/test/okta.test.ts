import type { GrantSpec } from "@reeve/core/connectors";
import { connectorCalls, connectorParts, listAll } from "@reeve/testkit/connectors";
import { describe, expect, it, onTestFinished } from "vitest";
import { okta } from "../src/okta/index.js";
import { failureOf } from "./support/failure.js";
import { LOOPBACK, queryOf, serve, serveAnswer } from "./support/http-server.js";
import { BOB, startOkta } from "./support/okta-emulator.js";

const TOKEN = "00abc-okta-api-token";

function organisation(baseUrl: string, config: Record<string, unknown> = {}) {
  const connector = okta();
  const parts = connectorParts(connector, {
    config: { baseUrl, ...config },
    secrets: { apiToken: TOKEN },
    allow: LOOPBACK,
  });
  return { parts, calls: connectorCalls(connector, parts) };
}

const specOf = (groupId: string, userId: string, more: Partial<GrantSpec> = {}): GrantSpec => ({
  grantKey: `${groupId}/${userId}`,
  resource: { type: "group", externalId: groupId },
  profileExternalId: "member",
  principal: { type: "user", externalId: userId },
  parameters: {},
  ...more,
});

async function startEmulator() {
  const target = await startOkta(Array.from({ length: 34 }, (_, at) => `team-${at}`));
  onTestFinished(target.close);
  return { ...target, calls: organisation(target.url).calls };
}

describe("groups of an emulated Okta organisation", () => {
  it("are listed over links to next pages, and those that Okta fills are told", async () => {
    const { calls } = await startEmulator();
    const groups = await listAll((page) => calls.listResources("group", page));
    expect(groups).toMatchObject({ complete: true, pages: 2 });
    expect(groups.items).toHaveLength(35);
    expect(new Set(groups.items.map(({ externalId }) => externalId)).size).toBe(35);
    expect(groups.items.filter(({ attributes }) => attributes?.changeable === false)).toMatchObject([
      { name: "Everyone", attributes: { groupType: "BUILT_IN" } },
    ]);
  });

  it("have members, of one group, of all, and of some principals", async () => {
    const { calls, group, idOf } = await startEmulator();
    const [ann, bob] = [idOf("ann"), idOf("bob")];
    for (const [name, user] of [
      ["team-1", ann],
      ["team-1", bob],
      ["team-33", ann],
    ] as const)
      await calls.grant(specOf(group(name), user));
    const all = await listAll((page) => calls.listGrants({}, page));
    const teams = all.items.filter(({ immutable }) => !immutable);
    expect(teams.map(({ resource, principal }) => [resource.externalId, principal.externalId]).sort()).toEqual(
      [
        [group("team-1"), ann],
        [group("team-1"), bob],
        [group("team-33"), ann],
      ].sort(),
    );
    expect(all.complete).toBe(true);
    const one = { type: "group", externalId: group("team-1") };
    expect((await listAll((page) => calls.listGrants({ resource: one }, page))).items).toHaveLength(2);
    const principals = [{ type: "user", externalId: bob } as const];
    expect((await listAll((page) => calls.listGrants({ resource: one, principals }, page))).items).toHaveLength(1);
  });
});

describe("membership of a group of an emulated Okta organisation", () => {
  it("is granted and revoked one by one, again and again, and others keep theirs", async () => {
    const { calls, group, idOf, membersOf } = await startEmulator();
    const team = group("team-1");
    const spec = specOf(team, idOf("bob"));
    await calls.grant(specOf(team, idOf("ann")));
    // The emulator has users in no group at all, which Okta has not: nothing shows that it would show one.
    expect(await calls.verify(spec)).toEqual({ presence: "absent", authoritative: false });
    await calls.grant(specOf(group("team-33"), idOf("bob")));
    expect(await calls.verify(spec)).toEqual({ presence: "absent", authoritative: true });
    expect(await calls.grant(spec)).toMatchObject({ outcome: "applied" });
    expect(await calls.grant(spec)).toMatchObject({ outcome: "already_applied" });
    expect(await calls.verify(spec)).toMatchObject({ presence: "present", authoritative: true });
    expect((await membersOf(team)).sort()).toEqual([idOf("ann"), idOf("bob")].sort());
    expect(await calls.revoke(spec)).toEqual({ outcome: "applied" });
    expect(await calls.revoke(spec)).toEqual({ outcome: "already_applied" });
    expect(await membersOf(team)).toEqual([idOf("ann")]);
  });

  it("is declined for groups that Okta fills", async () => {
    const { calls, idOf, membersOf } = await startEmulator();
    const before = await membersOf("00g_everyone");
    const outcome = await calls.grant(specOf("00g_everyone", idOf("ann")));
    expect(["declined", "already_applied"]).toContain(outcome.outcome);
    expect(await membersOf("00g_everyone")).toEqual(before);
  });

  it("waits for no group and no user that does not exist, and no id leads to another path", async () => {
    const { calls, group, idOf } = await startEmulator();
    const ann = idOf("ann");
    for (const spec of [specOf("gone", ann), specOf(group("team-1"), "nobody"), specOf(`../users/${ann}`, ann)])
      expect(await failureOf(calls.grant(spec))).toMatchObject({ errorClass: "not_found" });
    for (const spec of [specOf("..", ann), specOf(group("team-1"), "."), specOf("", ann)])
      expect(await failureOf(calls.revoke(spec))).toMatchObject({ errorClass: "invalid" });
  });
});

describe("identities and the test of an emulated Okta organisation", () => {
  it("name what the search finds, and the address where there is no id", async () => {
    const { url } = await startEmulator();
    const { calls } = organisation(url, { identitySearch: BOB });
    expect(await calls.discoverAssets({ limit: 50 })).toMatchObject({
      items: [{ assetType: "identity", metadata: { login: "bob@acme.example" } }],
      complete: true,
    });
    const { checks, target } = await calls.testConnection();
    expect(checks.map(({ capability, status }) => [capability, status])).toEqual([
      ["observe", "pass"],
      ["grant", "skip"],
      ["revoke", "skip"],
      ["discover", "pass"],
    ]);
    expect(target?.id).toBe(url);
  });
});

describe("an organisation as Okta publishes its interface, in a small server of the tests", () => {
  const group = (id: string, type = "OKTA_GROUP") => ({ id, type, profile: { name: `Group ${id}` } });

  /** Pages of groups by `after`, and the link that `link` makes of an address. */
  const paged = (link: (address: string) => string) =>
    serve((request, response) => {
      const { host = "" } = request.headers;
      const from = Number(queryOf(request).get("after") ?? 0);
      const limit = Number(queryOf(request).get("limit"));
      const body = Array.from({ length: limit }, (_, at) => group(`00g${from + at}`));
      if (from + limit < 6) {
        const self = `<http://${host}/api/v1/groups?limit=2>; rel="self"`;
        response.setHeader(
          "link",
          `${self}, <${link(`http://${host}/api/v1/groups?after=${from + 2}&limit=2`)}>; rel="next"`,
        );
      }
      response.end(JSON.stringify(body));
    });

  it("is read over links with `after`", async () => {
    const { url, requests } = await paged((address) => address);
    const listed = await listAll((page) => organisation(url).calls.listResources("group", page), 2);
    expect(listed.items.map(({ externalId }) => externalId)).toEqual(["00g0", "00g1", "00g2", "00g3", "00g4", "00g5"]);
    expect(requests.map((request) => request.url)).toEqual([
      "/api/v1/groups?limit=2",
      "/api/v1/groups?after=2&limit=2",
      "/api/v1/groups?after=4&limit=2",
      // The last page was full, so it is asked for again with a smaller size.
      "/api/v1/groups?after=4&limit=1",
    ]);
  });

  it("is read but for records of odd forms, each of which keeps what is good", async () => {
    const users = [
      { id: "00u1", status: "ON_LEAVE", profile: { login: "a@acme.example", displayName: null, email: { value: 1 } } },
      { id: "00u2", status: 7, profile: { displayName: "Sync", userType: ["Service"] } },
      { id: "00u3", profile: null },
      { id: 4, profile: { login: "d@acme.example" } },
      { id: "00u1", profile: { login: "twin@acme.example" } },
    ];
    const groups = [{ ...group("00g1"), type: null }, group("00g2"), { type: "OKTA_GROUP", profile: { name: "-" } }];
    const { url } = await serve((request, response) => {
      const of = request.url?.includes("/users") ? users : request.url?.includes("00g1") ? groups[0] : groups;
      response.end(JSON.stringify(of));
    });
    const { calls } = organisation(url, { identitySearch: BOB });
    const page = await calls.discoverAssets({ limit: 10 });
    expect(page.items.map(({ name, metadata }) => [name, metadata])).toEqual([
      ["a@acme.example", { login: "a@acme.example", status: "ON_LEAVE" }],
      ["Sync", {}],
      ["00u3", {}],
    ]);
    expect(page.rejected).toMatchObject([{ externalId: "4" }, { externalId: "00u1" }]);
    expect(page.warnings?.map(({ externalId, part }) => `${externalId} ${part}`)).toEqual([
      "00u2 status",
      "00u2 profile.login",
      "00u2 profile.userType",
      "00u3 profile",
    ]);
    expect((await listAll((at) => calls.discoverAssets(at))).complete).toBe(false);
    const listed = await calls.listResources("group", { limit: 10 });
    expect(listed.items.map(({ name, attributes }) => [name, attributes?.changeable])).toEqual([
      ["Group 00g1", false],
      ["Group 00g2", true],
    ]);
    const members = await listAll((at) => calls.listGrants({}, at));
    expect([members.items.length, members.complete]).toEqual([6, false]);
    expect(
      (await calls.listGrants({ resource: { type: "group", externalId: "00g1" } }, { limit: 9 })).items,
    ).toHaveLength(3);
  });

  it("cannot send the token elsewhere by a link to a next page", async () => {
    const other = await serveAnswer(200, []);
    const foreign = [
      () => `${other.url}/api/v1/groups?after=2`,
      (address: string) => address.replace("/groups", "/users"),
      (address: string) => address.replace("http://", "http://user@"),
      () => "http://169.254.169.254/latest/meta-data?after=2",
      () => "//evil.example/api/v1/groups?after=2",
      () => "https://[bad",
      (address: string) => `${address}&x=${"x".repeat(3_000)}`,
    ];
    for (const link of foreign) {
      const { url, requests } = await paged(link);
      const walked = listAll((page) => organisation(url).calls.listResources("group", page), 2);
      const outcome = await walked.catch((error) => error);
      if (link(`${url}/api/v1/groups?`).includes("user@")) expect(outcome).toMatchObject({ complete: true });
      else expect(outcome).toMatchObject({ errorClass: "invalid", code: "foreign_link" });
      expect(requests.every(({ headers }) => headers.authorization === `SSWS ${TOKEN}`)).toBe(true);
    }
    expect(other.requests).toHaveLength(0);
  });

  it("whose links lead back to themselves is given up", async () => {
    const { url } = await paged((address) => address.replace(/after=\d/, "after=2"));
    expect(await failureOf(listAll((page) => organisation(url).calls.listResources("group", page), 2))).toMatchObject({
      code: "pagination_loop",
    });
  });

  it("that limits calls says when its window ends", async () => {
    const reset = String(Math.ceil(Date.now() / 1_000) + 60);
    const { url } = await serveAnswer(429, {}, { "x-rate-limit-reset": reset });
    const error = await failureOf(organisation(url).calls.testConnection());
    expect(error.errorClass).toBe("rate_limited");
    expect(error.retryAfterMs).toBeGreaterThan(30_000);
  });

  it("that refuses the token has it in no failure and no log", async () => {
    const { url } = await serveAnswer(401, { errorSummary: `Invalid token ${TOKEN}` });
    const { calls, parts } = organisation(url);
    const error = await failureOf(calls.testConnection());
    expect(error.errorClass).toBe("auth");
    expect(JSON.stringify([error.message, parts.lines])).not.toContain(TOKEN);
  });

  it("tells its own id to the test, which gets no token", async () => {
    const { url, requests } = await serve((request, response) =>
      response.end(JSON.stringify(request.url?.includes("okta-organization") ? { id: "00o1" } : [])),
    );
    expect((await organisation(url).calls.testConnection()).target?.id).toBe("00o1");
    const asked = requests.find((request) => request.url?.includes("okta-organization"));
    expect(asked?.headers.authorization).toBeUndefined();
  });

  it("that shows no groups of a user is sent the removal all the same, which it is not said to lack", async () => {
    const sent: string[] = [];
    const { url } = await serve((request, response) => {
      if (request.method === "GET")
        return response.end(JSON.stringify(request.url?.includes("/users/") ? [] : group("00g1")));
      sent.push(request.method ?? "");
      return response.writeHead(204).end();
    });
    const { calls } = organisation(url);
    expect(await calls.grant(specOf("00g1", "00u1"))).toEqual({ outcome: "applied" });
    expect(await calls.verify(specOf("00g1", "00u1"))).toEqual({ presence: "absent", authoritative: false });
    expect(await calls.revoke(specOf("00g1", "00u1"))).toEqual({ outcome: "applied" });
    expect(sent).toEqual(["PUT", "DELETE"]);
  });

  it.each([204, 500])("that answers %i to a change that it does not make is not believed", async (status) => {
    const { url } = await serve((request, response) => {
      if (request.method !== "GET") return response.writeHead(status).end();
      return response.end(JSON.stringify(request.url?.includes("/users/") ? [group("00g9")] : group("00g1")));
    });
    expect(await failureOf(organisation(url).calls.grant(specOf("00g1", "00u1")))).toMatchObject({
      errorClass: "outcome_unknown",
    });
  });
});
