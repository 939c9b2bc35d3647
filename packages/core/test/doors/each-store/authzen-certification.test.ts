import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";
import {
  admin,
  alice,
  archived,
  BASIC,
  BATCH,
  bob,
  RULES,
  read,
  record1,
  record2,
  write,
} from "../certification-scenario.js";

let world: World;
let token: string;
beforeAll(async () => {
  world = await createWorld();
  token = world.a.actors.governance_officer.token;
  await world.a.newPolicy("runtime", {
    rules: RULES,
    tests: [{ name: "reads", input: { subject: alice, action: read, resource: record1 }, expect: "allow" }],
    status: "active",
  });
});
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  world.send("POST", `/access/v1/${path}`, { token, body: body as object, headers });
const decided = async (body: object) => {
  const { status, json } = await post("evaluation", body);
  expect(status).toBe(200);
  expect(typeof json.decision).toBe("boolean");
  return json.decision;
};
const found = async (kind: string, body: object) => {
  const { status, json } = await post(`search/${kind}`, body);
  expect([status, json.page.next_token]).toEqual([200, ""]);
  return json.results;
};

describe("Basic", () => {
  it.each(BASIC)("%s gives the decision of the fixture", async (_name, body, decision) => {
    expect(await decided(body)).toBe(decision);
  });

  it.each([
    ["no subject", { action: read, resource: record1 }],
    ["no action", { subject: alice, resource: record1 }],
    ["no resource", { subject: alice, action: read }],
    ["no subject.type", { subject: { id: "alice" }, action: read, resource: record1 }],
    ["no subject.id", { subject: { type: "user" }, action: read, resource: record1 }],
    ["no action.name", { subject: alice, action: {}, resource: record1 }],
    ["no resource.type", { subject: alice, action: read, resource: { id: "record-1" } }],
    ["no resource.id", { subject: alice, action: read, resource: { type: "record" } }],
    ["a text for a subject", { subject: "alice", action: read, resource: record1 }],
    ["a number for a name", { subject: alice, action: { name: 123 }, resource: record1 }],
  ])("refuses %s with 400", async (_name, body) => {
    expect((await post("evaluation", body)).status).toBe(400);
  });

  it.each([
    [
      "another media type",
      { "content-type": "text/plain" },
      JSON.stringify({ subject: alice, action: read, resource: record1 }),
    ],
    ["malformed JSON", { "content-type": "application/json" }, "{"],
    ["an empty body", { "content-type": "application/json" }, ""],
  ])("refuses %s with 400", async (_name, headers, raw) => {
    const answer = await world.send("POST", "/access/v1/evaluation", { token, bytes: raw, headers });
    expect(answer.status, answer.text).toBe(400);
  });

  it("echoes the id of the request, asks for none, and says the same each time", async () => {
    const body = { subject: alice, action: read, resource: record1 };
    const id = "bfe9eb29-ab87-4ca3-be83-a1d5d8305716";
    const answers = [await post("evaluation", body, { "x-request-id": id }), await post("evaluation", body)];
    expect(answers[0]?.headers["x-request-id"]).toBe(id);
    expect(answers.map(({ json }) => json.decision)).toEqual([true, true]);
  });

  it("is for those who may ask for decisions", async () => {
    const body = { subject: alice, action: read, resource: record1 };
    const send = (as?: string) => world.send("POST", "/access/v1/evaluation", { body, ...(as ? { token: as } : {}) });
    expect([(await send()).status, (await send(world.a.actors.auditor.token)).status]).toEqual([401, 403]);
  });
});

describe("Batch", () => {
  const decisions = async (body: object) => {
    const { status, json } = await post("evaluations", body);
    expect(status).toBe(200);
    return json.evaluations.map(({ decision }: { decision: unknown }) => decision);
  };

  it.each(BATCH)("%s", async (_name, body, expected) => {
    expect(await decisions(body)).toEqual(expected);
  });

  it.each([
    ["absent", {}],
    ["empty", { evaluations: [] }],
  ])("is one question where evaluations are %s", async (_name, more) => {
    const { status, json } = await post("evaluations", { subject: alice, action: read, resource: record1, ...more });
    expect([status, json.decision, json.evaluations]).toEqual([200, true, undefined]);
  });
});

describe("Search", () => {
  const context = { time: "2025-06-27T18:03-07:00", ip: "192.168.1.1" };
  const users = { subject: { type: "user" }, action: read, resource: record1 };

  it.each([
    ["c-4-2-1", "subject", users, [alice, bob]],
    ["c-4-2-2", "subject", { ...users, context }, [alice, bob]],
    ["c-4-2-3", "subject", { ...users, subject: alice }, [alice, bob]],
    ["c-4-2-4", "subject", { subject: { type: "user" }, action: write, resource: archived }, [bob]],
    ["c-4-3-1", "resource", { subject: alice, action: read, resource: { type: "record" } }, [record1, record2]],
    [
      "c-4-3-2",
      "resource",
      { subject: alice, action: read, resource: { type: "record" }, context },
      [record1, record2],
    ],
    ["c-4-3-3", "resource", { subject: alice, action: read, resource: record1 }, [record1, record2]],
    ["c-4-3-4", "resource", { subject: admin, action: write, resource: { type: "record" } }, [record2]],
    ["c-4-4-1", "action", { subject: alice, resource: record1 }, [read, write]],
    ["c-4-4-2", "action", { subject: alice, resource: record1, context }, [read, write]],
    ["c-4-4-3", "action", { subject: admin, resource: archived }, [read, write]],
    ["c-4-6-1", "action", { subject: { type: "user", id: "nonexistent-user" }, resource: record1 }, []],
    ["c-4-6-2", "subject", { ...users, subject: { type: "spaceship" } }, []],
    ["c-4-6-2 for resources", "resource", { subject: alice, action: read, resource: { type: "spaceship" } }, []],
  ])("%s", async (_name, kind, body, expected) => {
    expect(await found(kind, body)).toEqual(expected);
  });

  it("c-4-5 gives pages, whose tokens go on with this search alone", async () => {
    const first = await post("search/subject", { ...users, page: { limit: 1 } });
    expect(first.json).toMatchObject({ results: [alice], page: { count: 1, next_token: expect.stringMatching(/./) } });
    const page = { token: first.json.page.next_token };
    const rest = await post("search/subject", { ...users, page });
    expect([rest.status, rest.json.results, rest.json.page.next_token]).toEqual([200, [bob], ""]);
    const other = await post("search/subject", { ...users, resource: record2, page });
    expect([other.status, other.json.code]).toEqual([400, "invalid_cursor"]);
    const foreign = await world.send("POST", "/access/v1/search/subject", {
      token: world.b.owner.token,
      body: { ...users, page },
    });
    expect([foreign.status, foreign.json.code]).toEqual([400, "invalid_cursor"]);
  });

  it("says that there may be others where it does not know all", async () => {
    const { json } = await post("search/subject", users);
    expect(json.context.partial).toBe(true);
    const agents = await post("search/subject", { ...users, subject: { type: "agent" } });
    expect(agents.json.context.partial).toBe(false);
  });

  it.each([
    ["subject", { subject: { type: "user" }, resource: record1 }],
    ["resource", { action: read, resource: { type: "record" } }],
    ["action", { subject: alice }],
    ["subject", { subject: { type: "user" }, action: read, resource: { type: "record" } }],
    ["resource", { subject: { type: "user" }, action: read, resource: { type: "record" } }],
    ["action", { subject: { type: "user" }, resource: record1 }],
  ])("c-4-7 refuses a search for a %s that lacks something", async (kind, body) => {
    expect((await post(`search/${kind}`, body)).status).toBe(400);
  });
});

it("Discovery tells where everything is", async () => {
  const { status, headers, json } = await world.send("GET", "/.well-known/authzen-configuration", {});
  expect([status, headers["content-type"]]).toEqual([200, expect.stringContaining("application/json")]);
  const base = json.policy_decision_point;
  expect(json).toMatchObject({
    policy_decision_point: base,
    access_evaluation_endpoint: `${base}/access/v1/evaluation`,
    access_evaluations_endpoint: `${base}/access/v1/evaluations`,
    search_subject_endpoint: `${base}/access/v1/search/subject`,
    search_resource_endpoint: `${base}/access/v1/search/resource`,
    search_action_endpoint: `${base}/access/v1/search/action`,
  });
});
