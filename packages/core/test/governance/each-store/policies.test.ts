import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { policies } from "#families/governance/index.js";
import { changePolicy } from "../../helpers/policies.js";
import { createWorld } from "../../helpers/world.js";

const GOVERNANCE = "/api/v1/ai-governance/policies";
const RUNTIME = "/api/v1/ai/policies";
const PACKS = "/api/v1/ai-governance/policy-packs";
const reason = "because a test wants it so";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const as = (body?: object, who = world.a.owner) => ({ token: who.token, ...(body ? { body } : {}) });
const ask = (method: string, path: string, body?: object, who = world.a.owner) =>
  world.send(method, path, as(body, who));

const shadow = () => ({
  key: world.a.unique(),
  name: "No shadow",
  severity: "high",
  gate: true,
  rules: [
    {
      key: "registered",
      assert: '!(asset.lifecycle == "discovered" && asset.ageDays > int(params.grace))',
      message: "{asset.name} is {asset.ageDays} days old.",
    },
  ],
  params: { grace: 14 },
  tests: [
    { name: "young", input: { asset: { name: "x", lifecycle: "discovered", ageDays: 14 } }, expect: "pass" },
    { name: "old", input: { asset: { name: "x", lifecycle: "discovered", ageDays: 15 } }, expect: "fail" },
  ],
});

/** Faults of a rule, with pointer and code. */
const FAULTS = [
  ["an unknown field", { assert: "asset.nmae != ''" }, "/rules/0/assert", "unknown_name"],
  ["a value that a field never has", { assert: "asset.environment == 'prod'" }, "/rules/0/assert", "impossible_value"],
  ["a regular expression", { assert: "asset.name.matches('(a+)+$')" }, "/rules/0/assert", "unknown_function"],
  ["a condition that is none", { when: "asset.name" }, "/rules/0/when", "not_boolean"],
  ["a parameter that is not there", { assert: "asset.ageDays > int(params.garce)" }, "/rules/0/assert", "unknown_name"],
  ["a message that names nothing", { message: "{asset.nmae}" }, "/rules/0/message", "unknown_name"],
  ["a list that is none", { forEach: "asset.name" }, "/rules/0/forEach", "unknown_name"],
  ["a type's own fields where it may be any", { assert: "spec.hasLimits" }, "/rules/0/assert", "unknown_name"],
  ["a rule over requests", { effect: "deny", if: "true", assert: undefined }, "/rules/0", "wrong_kind"],
] as const;

const KINDS = ["posture", "runtime"] as const;

/** A token of a machine client with these scopes only. */
async function tokenFor(scopes: readonly string[]): Promise<string> {
  const id = await world.a.newIdentity({ scopes });
  const { clientSecret } = await world.a.newCredential(id);
  const body = { grant_type: "client_credentials", client_id: id, client_secret: clientSecret };
  return (await world.send("POST", "/api/v1/auth/token", { body })).json.access_token;
}

/** Takes a policy out of force. */
async function disable(id: string): Promise<void> {
  expect((await changePolicy(world.a, id, { status: "disabled", reason })).status).toBe("disabled");
}

describe("a policy", () => {
  it("is a draft first, tells what it is known by, and goes under observation and in force by its tests", async () => {
    const { name, ...configuration } = shadow();
    const created = await ask("POST", GOVERNANCE, { name, configuration });
    expect(created).toMatchObject({
      status: 201,
      json: { status: "draft", kind: "posture", revision: 1, managedBy: "tenant", warnings: [], gate: true },
    });
    expect(created.json.digest).toMatch(/^[0-9a-f]{64}$/);
    const path = `${GOVERNANCE}/${created.json.id}`;
    expect((await ask("PUT", path, { status: "observe" })).json).toMatchObject({ status: "observe", revision: 1 });
    await world.a.activatePolicy(created.json.id);
    expect((await ask("GET", path)).json.status).toBe("active");
    expect(await ask("DELETE", path)).toMatchObject({ status: 409, json: { code: "in_use" } });
    expect(await ask("PUT", path, { status: "disabled" })).toMatchObject({
      status: 400,
      json: { code: "missing_reason" },
    });
    await disable(created.json.id);
    expect((await ask("PUT", path, { status: "archived", reason })).json.status).toBe("archived");
    expect(await ask("PUT", path, { description: "new" })).toMatchObject({ status: 409, json: { code: "in_use" } });
    expect((await ask("DELETE", path)).status).toBe(204);
  });

  it("changes its revision and digest with what it finds, and with nothing else", async () => {
    const { json } = await ask("POST", GOVERNANCE, shadow());
    const path = `${GOVERNANCE}/${json.id}`;
    const described = (await ask("PUT", path, { description: "Of what is found." })).json;
    expect([described.revision, described.digest]).toEqual([1, json.digest]);
    const stricter = (await ask("PUT", path, { params: { grace: 7 } })).json;
    expect(stricter.revision).toBe(2);
    expect(stricter.digest).not.toBe(json.digest);
  });

  it("that is evaluated is changed only if its tests still pass", async () => {
    const id = await world.a.newPolicy("posture", { ...shadow(), status: "active" });
    const { json } = await ask("GET", `${GOVERNANCE}/${id}`);
    expect(json.status).toBe("active");
    const refused = await ask("PUT", `${GOVERNANCE}/${json.id}`, { params: { grace: 7 } });
    expect(refused).toMatchObject({
      status: 400,
      json: { errors: [{ pointer: "/tests/0", code: "test_failed", message: expect.stringContaining("gets fail") }] },
    });
    expect((await ask("GET", `${GOVERNANCE}/${json.id}`)).json).toMatchObject({
      version: json.version,
      params: { grace: 14 },
    });
  });

  it("that is evaluated no more may be changed whatever its tests say, and not be evaluated again so", async () => {
    const id = await world.a.newPolicy("posture", { ...shadow(), status: "active" });
    const path = `${GOVERNANCE}/${id}`;
    await disable(id);
    expect((await ask("PUT", path, { params: { grace: 7 } })).json).toMatchObject({ revision: 2, status: "disabled" });
    expect(await ask("PUT", path, { status: "observe" })).toMatchObject({
      status: 409,
      json: { code: "transition_guard_failed" },
    });
  });

  it("without tests stays a draft", async () => {
    const { json } = await ask("POST", GOVERNANCE, { ...shadow(), tests: [] });
    expect(await ask("PUT", `${GOVERNANCE}/${json.id}`, { status: "observe" })).toMatchObject({
      status: 409,
      json: { code: "transition_guard_failed", guards: [{ key: "proven", ok: false, detail: "It has no tests." }] },
    });
  });

  it.each(FAULTS)("with %s is refused with its place", async (_what, rule, pointer, code) => {
    const body = shadow();
    const answer = await ask("POST", GOVERNANCE, { ...body, rules: [{ ...body.rules[0], ...rule }] });
    expect(answer).toMatchObject({ status: 400, json: { code: "invalid_request", errors: [{ pointer, code }] } });
  });

  it("has no place for fields that nobody knows", async () => {
    const { name, ...fields } = shadow();
    const answer = await ask("POST", GOVERNANCE, { name, configuration: { ...fields, severty: "high" } });
    expect(answer).toMatchObject({ status: 400, json: { errors: [{ pointer: "/configuration/severty" }] } });
  });

  it("keeps its key, which no other policy has", async () => {
    const { json } = await ask("POST", GOVERNANCE, shadow());
    expect(await ask("POST", RUNTIME, { ...world.a.policyBody("runtime"), key: json.key })).toMatchObject({
      status: 409,
      json: { code: "already_exists" },
    });
    expect(await ask("PUT", `${GOVERNANCE}/${json.id}`, { key: "another" })).toMatchObject({
      status: 400,
      json: { code: "read_only_property" },
    });
  });

  it("of either kind is served among all, and where its events say that it is", async () => {
    const ids = { posture: await world.a.newPolicy("posture"), runtime: await world.a.newPolicy("runtime") };
    const kinds = async (path: string) =>
      new Set((await ask("GET", path)).json.items.map(({ kind }: { kind: string }) => kind));
    expect([...(await kinds(`${RUNTIME}?size=100`))]).toEqual(["runtime"]);
    expect([...(await kinds(`${GOVERNANCE}?size=100`))].sort()).toEqual(["posture", "runtime"]);
    for (const [kind, id] of Object.entries(ids)) {
      expect([...(await kinds(`${GOVERNANCE}?size=100&kind=${kind}&status=draft&severity=medium`))]).toEqual([kind]);
      const { json } = await ask("GET", `/api/v1/ai/activity/${id}`);
      expect(json.items[0].source).toBe(`${GOVERNANCE}/${id}`);
      expect((await ask("GET", json.items[0].source)).json).toMatchObject({ id, kind });
      expect((await ask("PUT", `${GOVERNANCE}/${id}`, { description: "changed" })).json).toMatchObject({ kind });
      expect((await ask("PUT", `${GOVERNANCE}/${id}`, { kind: "other" })).json.code).toBe("read_only_property");
    }
    expect((await ask("DELETE", `${GOVERNANCE}/${ids.runtime}`)).status).toBe(204);
    expect((await ask("GET", `${RUNTIME}/${ids.posture}`)).status).toBe(404);
    expect((await ask("PUT", `${RUNTIME}/${ids.posture}`, { description: "x" })).status).toBe(404);
    expect((await ask("DELETE", `${RUNTIME}/${ids.posture}`)).status).toBe(404);
  });

  it.each([
    ["at top level", { kind: "runtime" }],
    ["inside configuration", { configuration: { kind: "runtime" } }],
  ])("is written for requests where its kind is said %s", async (_where, kind) => {
    const { json } = await ask("POST", GOVERNANCE, { ...world.a.policyBody("runtime"), ...kind });
    expect(json).toMatchObject({ kind: "runtime", status: "draft" });
    expect((await ask("GET", `${RUNTIME}/${json.id}`)).json).toEqual(json);
  });

  it.each(["posture ", "Runtime", 7, null, []])("has no kind %j", async (kind) => {
    const answer = await ask("POST", GOVERNANCE, { ...world.a.policyBody("posture"), kind });
    expect(answer).toMatchObject({ status: 400, json: { errors: [{ pointer: "/kind" }] } });
  });

  it("is another tenant's to nobody here", async () => {
    const id = await world.b.newPolicy("posture");
    expect((await ask("GET", `${GOVERNANCE}/${id}`)).status).toBe(404);
    expect((await ask("POST", `${GOVERNANCE}/${id}/test`)).status).toBe(404);
  });

  it.each(KINDS)("goes in force by those who may say so alone: %s", async (kind) => {
    const token = await tokenFor(["ai-policy:write"]);
    const id = await world.a.newPolicy(kind);
    const put = async (body: object) => {
      const { status, json } = await world.send("PUT", `${GOVERNANCE}/${id}`, { token, body });
      return [status, json.permission];
    };
    const [allowed, refused] = [
      [200, undefined],
      [403, "ai-policy:activate"],
    ];
    expect(await put({ severity: "low" })).toEqual(allowed);
    expect(await put({ status: "active" })).toEqual(refused);
    await world.a.activatePolicy(id);
    // Any of these would change the effect of a policy in force.
    const changes = [{ severity: "info" }, { gate: true }, { params: { more: 1 } }];
    for (const change of changes) expect(await put(change), JSON.stringify(change)).toEqual(refused);
    expect(await put({ name: "Another name" })).toEqual(allowed);
  });
});

describe("a check of a policy", () => {
  it("tells faults, warnings, tests and what is read, and stores nothing", async () => {
    const before = (await ask("GET", GOVERNANCE)).json.totalItems;
    const { json } = await ask("POST", `${GOVERNANCE}/validate`, { ...shadow(), params: { grace: 14, unused: 1 } });
    expect(json).toMatchObject({
      valid: true,
      faults: [],
      warnings: [{ pointer: "/params/unused" }],
      reads: ["asset.ageDays", "asset.lifecycle", "params.grace"],
      tests: [{ passed: true }, { actual: "fail", results: [{ message: "x is 15 days old." }] }],
    });
    expect((await ask("GET", GOVERNANCE)).json.totalItems).toBe(before);
  });

  it("warns of rules that always say the same and tests that show nothing", async () => {
    const rules = [{ key: "always", assert: "1 == 1", message: "Never." }];
    const { json } = await ask("POST", `${GOVERNANCE}/validate`, { ...shadow(), rules, params: {}, tests: [] });
    expect(json.warnings.map(({ pointer }: { pointer: string }) => pointer)).toEqual(["/rules/0", "/tests"]);
  });

  it("says error, and neither pass nor fail, where a value is absent or of another type", async () => {
    const id = await world.a.newPolicy("posture", {
      key: world.a.unique(),
      rules: shadow().rules,
      params: { grace: 14 },
      tests: [],
    });
    const tests = [
      { name: "absent", input: { asset: { lifecycle: "discovered" } }, expect: "error" },
      { name: "a text", input: { asset: { lifecycle: "discovered", ageDays: "15" } }, expect: "error" },
    ];
    const { json } = await ask("POST", `${GOVERNANCE}/${id}/test`, { tests });
    expect(json).toMatchObject({ passed: true, tests: [{ actual: "error" }, { actual: "error" }] });
  });

  it("goes through a list item by item", async () => {
    const { json } = await ask("POST", `${GOVERNANCE}/validate`, {
      selector: { assetTypes: ["mcp_server"] },
      rules: [
        {
          key: "approved",
          forEach: "spec.tools",
          locus: "item.name",
          when: 'item.origin == "mcp"',
          assert: 'item.status == "approved"',
          message: "{item.name} is {item.status}.",
        },
      ],
      tests: [
        {
          name: "three tools",
          input: {
            asset: {},
            spec: {
              tools: [
                { name: "one", origin: "mcp", status: "approved" },
                { name: "two", origin: "mcp", status: "changed" },
                { name: "three", origin: "http", status: "changed" },
              ],
            },
          },
          expect: "fail",
        },
      ],
    });
    expect(json.tests[0].results.map(({ outcome, message }: Record<string, string>) => [outcome, message])).toEqual([
      ["pass", ""],
      ["fail", "two is changed."],
      ["skip", ""],
    ]);
  });

  it("is about assets of the selected types and environments", async () => {
    const test = (name: string, asset: object, expected: string) => ({ name, input: { asset }, expect: expected });
    const { json } = await ask("POST", `${GOVERNANCE}/validate`, {
      selector: { assetTypes: ["agent", "model"], environments: ["production"], expression: "asset.hasOwner" },
      rules: [{ key: "named", assert: 'asset.name != ""', message: "It has no name." }],
      tests: [
        test("within", { assetType: "agent", environment: "production", hasOwner: true, name: "" }, "fail"),
        test("a tool", { assetType: "tool", environment: "production", hasOwner: true, name: "" }, "skip"),
        test("a test", { assetType: "model", environment: "test", hasOwner: true, name: "" }, "skip"),
        test("nobody's", { assetType: "model", environment: "production", hasOwner: false, name: "" }, "skip"),
        test("not said", { hasOwner: true, name: "" }, "fail"),
      ],
    });
    expect(json).toMatchObject({ valid: true, faults: [] });
  });

  it("has an end, however long its tests would take", async () => {
    const l = Array(256).fill(1);
    const assert = "asset.metadata.l.all(a, asset.metadata.l.all(b, a >= 0 && b >= 0))";
    const { json } = await ask("POST", `${GOVERNANCE}/validate`, {
      rules: Array.from({ length: 50 }, (_, index) => ({ key: `r${index}`, assert, message: "No." })),
      tests: Array.from({ length: 30 }, (_, index) => ({
        name: `${index}`,
        input: { asset: { metadata: { l } } },
        expect: "pass",
      })),
    });
    expect(json.valid).toBe(false);
    expect(json.tests.at(-1)).toMatchObject({ passed: false, actual: "error" });
  });

  it("of rules over requests gives the strongest effect", async () => {
    const rule = (key: string, effect: string, condition: string) => ({ key, effect, if: condition, message: key });
    const { json } = await ask("POST", `${GOVERNANCE}/validate`, {
      kind: "runtime",
      rules: [
        rule("all", "allow", "true"),
        rule("expensive", "require_approval", 'action.name == "pay"'),
        rule("never", "deny", 'action.name == "drop"'),
        rule("broken", "warn", 'action.name == "break" && context.absent == 1'),
      ],
      tests: ["look", "pay", "drop", "break"].map((name) => ({
        name,
        input: { action: { name }, context: {} },
        expect: { look: "allow", pay: "require_approval", drop: "deny", break: "error" }[name],
      })),
    });
    expect(json).toMatchObject({ valid: true, faults: [] });
  });
});

describe("the foundation pack", () => {
  it("comes under observation, is brought up to date, and keeps what a tenant has made of it", async () => {
    const [pack] = (await ask("GET", PACKS)).json.items;
    expect(pack).toMatchObject({ key: "foundation", version: 1 });
    expect(pack.policies).toHaveLength(22);
    const first = await ask("POST", `${PACKS}/foundation/install`);
    expect(first).toMatchObject({ status: 200, json: { created: 22, upgraded: 0, unchanged: 0, taken: [] } });
    const { items } = (await ask("GET", `${GOVERNANCE}?status=observe&size=100`)).json;
    const shadowed = items.find(({ key }: { key: string }) => key === "no-shadow");
    expect(shadowed).toMatchObject({ managedBy: "builtin", pack: "foundation/1", params: { graceDays: 14 } });
    const path = `${GOVERNANCE}/${shadowed.id}`;
    const own = { params: { graceDays: 30 }, severity: "low", status: "active" };
    expect((await ask("PUT", path, own)).json).toMatchObject({ ...own, revision: 2 });
    expect(await ask("PUT", path, { rules: [] })).toMatchObject({ status: 400, json: { code: "read_only_property" } });
    expect(await ask("DELETE", path)).toMatchObject({ status: 409, json: { code: "in_use" } });
    const again = await ask("POST", `${PACKS}/foundation/install`);
    expect(again.json).toMatchObject({ created: 0, upgraded: 0, unchanged: 22 });
    expect((await ask("GET", path)).json).toMatchObject({ ...own, revision: 2 });
  });

  it("changes no policy in force for a machine, which cannot put one in force either", async () => {
    const { items } = (await ask("GET", `${GOVERNANCE}?status=active&size=100`)).json;
    const inForce = items.find(({ key }: { key: string }) => key === "no-shadow");
    const home = world.store.forTenant(world.a.tenantId);
    const row = await home.get(policies, inForce.id);
    if (!row) throw new Error("the pack was not installed");
    // The policy as an earlier version of the pack would have stored it.
    const earlier = { ...row.value, version: row.version + 1, digest: "0".repeat(64), description: "Of before." };
    await home.replace(policies, earlier, row.value);
    const token = await tokenFor(["ai-policy:read", "ai-policy:write"]);
    const machine = await world.send("POST", `${PACKS}/foundation/install`, { token });
    expect(machine).toMatchObject({ status: 403, json: { permission: "ai-policy:activate" } });
    expect((await ask("GET", `${GOVERNANCE}/${inForce.id}`)).json.description).toBe("Of before.");
    expect((await ask("POST", `${PACKS}/foundation/install`)).json).toMatchObject({ upgraded: 1, unchanged: 21 });
  });

  it("leaves policies of the tenant's own alone", async () => {
    await world.b.newPolicy("posture", { key: "owner-required" });
    const { json } = await ask("POST", `${PACKS}/foundation/install`, undefined, world.b.owner);
    expect(json).toMatchObject({ created: 21, taken: ["owner-required"] });
  });

  it("that nobody knows is not found", async () => {
    expect((await ask("POST", `${PACKS}/other/install`)).status).toBe(404);
  });
});
