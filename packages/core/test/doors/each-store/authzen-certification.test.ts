import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

/**
 * The fixture of the certification scenario of AuthZEN 1.0 as policies: alice reads and writes what is active, bob reads,
 * admins write what is archived, and soft deletion is alice's.
 */
const ARCHIVED =
  '(has(resource.properties.status) ? resource.properties.status == "archived" : resource.id == "record-2")';
const IS_ADMIN = 'has(subject.properties.role) && subject.properties.role == "admin"';
const KNOWN = 'resource.type == "record" && resource.id in ["record-1", "record-2"]';
const RULES = [
  {
    ...{ key: "read", effect: "allow", message: "Both read." },
    if: `subject.type == "user" && subject.id in ["alice", "bob"] && action.name == "read" && ${KNOWN}`,
  },
  {
    ...{ key: "write-active", effect: "allow", message: "Alice writes what is active." },
    if: `subject.type == "user" && subject.id == "alice" && action.name == "write" && ${KNOWN} && !${ARCHIVED}`,
  },
  {
    ...{ key: "write-archived", effect: "allow", message: "Admins write what is archived." },
    if: `subject.type == "user" && (${IS_ADMIN} || (!has(subject.properties.role) && subject.id == "bob")) && action.name == "write" && ${KNOWN} && ${ARCHIVED}`,
  },
  {
    ...{ key: "soft-delete", effect: "allow", message: "Alice deletes softly." },
    if: `subject.type == "user" && subject.id == "alice" && action.name == "delete" && has(action.properties.soft) && action.properties.soft == true && ${KNOWN}`,
  },
];

const [alice, bob] = [
  { type: "user", id: "alice" },
  { type: "user", id: "bob" },
];
const admin = { ...bob, properties: { role: "admin" } };
const [record1, record2] = [
  { type: "record", id: "record-1" },
  { type: "record", id: "record-2" },
];
const archived = { ...record2, properties: { status: "archived" } };
const [read, write] = [{ name: "read" }, { name: "write" }];
const deletes = (soft: boolean) => ({ name: "delete", properties: { soft } });

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
  it.each([
    ["c-2-2-1", { subject: alice, action: read, resource: record1 }, true],
    ["rule 2", { subject: alice, action: write, resource: record1 }, true],
    ["rule 3", { subject: bob, action: read, resource: record1 }, true],
    ["c-2-2-2", { subject: bob, action: write, resource: record1 }, false],
    ["c-2-2-3", { subject: alice, action: read, resource: record1, context: { ip: "192.168.1.1" } }, true],
    ["c-2-2-4", { subject: alice, action: write, resource: archived }, false],
    ["c-2-2-5", { subject: admin, action: write, resource: archived }, true],
    ["c-2-2-6", { subject: alice, action: deletes(true), resource: record1 }, true],
    ["c-2-2-7", { subject: alice, action: deletes(false), resource: record1 }, false],
    [
      "c-2-2-8",
      {
        subject: { ...alice, properties: { department: "Sales", role: "manager" } },
        action: { ...read, properties: { method: "GET" } },
        resource: { ...record1, properties: { status: "active", owner: "bob" } },
      },
      true,
    ],
    [
      "c-2-2-9",
      {
        subject: { ...alice, ids: [1] },
        action: { ...read, later: true },
        resource: { ...record1, label: "x" },
        foo: "bar",
        futureField: { nested: true },
      },
      true,
    ],
  ])("%s gives the decision of the fixture", async (_name, body, decision) => {
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
  const item = (subject: object, action: object, resource: object) => ({ subject, action, resource });

  it.each([
    [
      "c-3-2-1",
      { subject: alice, action: read, evaluations: [{ resource: record1 }, { resource: record2 }] },
      [true, true],
    ],
    ["c-3-2-2", { subject: bob, resource: record1, evaluations: [{ action: read }, { action: write }] }, [true, false]],
    [
      "c-3-2-3",
      {
        ...{ subject: alice, action: write },
        evaluations: [{ resource: { ...record1, properties: { status: "active" } } }, { resource: archived }],
      },
      [true, false],
    ],
    [
      "c-3-2-4",
      { action: write, resource: archived, evaluations: [{ subject: alice }, { subject: admin }] },
      [false, true],
    ],
    ["c-3-2-5", { evaluations: [item(alice, read, record1), item(bob, write, record1)] }, [true, false]],
    [
      "c-3-2-6",
      {
        ...{ subject: alice, action: read, context: { time: "2025-06-27T18:03-07:00" } },
        evaluations: [{ resource: record1 }, { resource: record2, context: { source: "batch-override" } }],
      },
      [true, true],
    ],
    [
      "c-3-2-7",
      {
        ...{ subject: alice, action: write, resource: { ...record1, properties: { status: "active" } } },
        evaluations: [{}, { resource: archived }],
      },
      [true, false],
    ],
    [
      "c-3-4-1",
      {
        ...{ subject: alice, action: read, options: { evaluations_semantic: "execute_all" } },
        evaluations: [{ resource: record1 }, {}],
      },
      [true, false],
    ],
    [
      "a fault ends it with the first denial",
      {
        ...{ subject: alice, action: read, options: { evaluations_semantic: "deny_on_first_deny" } },
        evaluations: [{ resource: record1 }, { resource: { type: "record" } }, { resource: record2 }],
      },
      [true, false],
    ],
    [
      "a fault does not end it with the first permission",
      {
        ...{ subject: alice, action: read, options: { evaluations_semantic: "permit_on_first_permit" } },
        evaluations: [{ resource: 5 }, { resource: record1 }, { resource: record2 }],
      },
      [false, true],
    ],
    ["all are at fault", { evaluations: [{}, {}] }, [false, false]],
  ])("%s", async (_name, body, expected) => {
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
