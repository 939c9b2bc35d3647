import { createPlane, type Scene, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import type { Principal, Store } from "../../../src/index.js";
import { eventsOf, eventTypes } from "../../helpers/facts.js";
import { changePolicy } from "../../helpers/policies.js";
import { createWorld } from "../../helpers/world.js";

const EVALUATE = "/api/v1/ai/policies/evaluate";
const NOWHERE = "ast_7ZZZZZZZZZZZZZZZZZZZZZZZZZ";
const reason = "because a test wants it so";

let world: World;
let owner: Principal;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  owner = await world.controlPlane.principalOf(world.a.tenantId, world.a.owner.userId);
});

const evaluate = (body: object, scene: Scene = world.a) =>
  scene.send("POST", EVALUATE, { token: scene.owner.token, body });
const send = (method: string, path: string, body: object) =>
  world.send(method, path, { token: world.a.owner.token, body });

/** A runtime policy in force with rules for one action name. */
async function policy(rules: readonly object[], more: object = {}): Promise<string> {
  const name = world.a.unique();
  const tests = [{ name, input: { action: { name: "nothing of it" } }, expect: "none" }];
  const whole = rules.map((rule, index) => ({ key: `r${index}`, message: name, ...rule }));
  return world.a.newPolicy("runtime", { rules: whole, tests, status: "active", ...more });
}
const onAction = (name: string) => `action.name == "${name}"`;
const asking = (name: string, more: object = {}) => ({
  subject: { type: "user", id: "someone" },
  action: { name },
  resource: { type: "thing", id: "something" },
  ...more,
});
/** An action name that a rule in force allows. */
async function allowed(): Promise<string> {
  const name = world.a.unique();
  await policy([{ effect: "allow", if: onAction(name) }]);
  return name;
}

/** A store that logs every read, by collection where there is one. */
function counting(store: Store, calls: string[]): Store {
  const noting = <T extends object>(inner: T): T =>
    new Proxy(inner, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (QUESTIONS.has(String(key))) calls.push(`${String(key)} ${(args[0] as { name: string }).name}`);
          const made = value.apply(target, args);
          return key === "forTenant" ? noting(made as object) : made;
        };
      },
    });
  return noting(store);
}
const QUESTIONS = new Set(["get", "getMany", "lookup", "lookupMany", "find", "scan", "count"]);

describe("a decision", () => {
  it("is a denial where no rule speaks, and an allowance where one says so", async () => {
    expect(await evaluate(asking("unheard of"))).toMatchObject({
      status: 201,
      json: {
        id: expect.stringMatching(/^dec_/),
        status: "deny",
        decision: false,
        context: { reasons: [{ code: "default", policyKey: null }], obligations: [], sessionEpoch: null },
      },
    });
    const name = await allowed();
    const { json } = await evaluate(asking(name));
    expect(json).toMatchObject({ status: "allow", decision: true });
    expect(json.context).toMatchObject({
      reasons: [{ code: "policy_allow", ruleKey: "r0", revision: 1 }],
      ttlMs: 5_000,
      approval: null,
    });
    expect(json.context.actionDigest).toMatch(/^[0-9a-f]{64}$/);
  });

  it("is the strongest of what rules say, whatever their order", async () => {
    const name = world.a.unique();
    const effects = ["warn", "allow", "require_approval", "deny"] as const;
    const seen: string[] = [];
    for (const effect of effects) {
      await policy([{ effect, if: onAction(name) }]);
      const { json } = await evaluate(asking(name));
      seen.push(json.status);
      expect(json.context.obligations).toHaveLength(1);
    }
    expect(seen).toEqual(["deny", "allow", "require_approval", "deny"]);
  });

  it("takes its properties inside configuration as well", async () => {
    const name = await allowed();
    expect((await evaluate({ configuration: asking(name) })).json.status).toBe("allow");
    const { json } = await evaluate({ configuration: { ...asking(name), subject: { type: "user" } } });
    expect(json.errors).toMatchObject([{ pointer: "/configuration/subject/id" }]);
  });

  it.each([
    [{}, ["/subject", "/action", "/resource"]],
    [{ subject: { type: "user", id: "x" }, action: { name: "y" } }, ["/resource"]],
    [asking("x", { action: { name: "x", args: { amount: 1 } } }), ["/action/args"]],
    [asking("x", { resource: { type: "", id: "y" } }), ["/resource/type"]],
    [asking("x", { context: [] }), ["/context"]],
    [asking("x", { evaluations: [{}, { verb: 1 }] }), ["/evaluations/1/verb"]],
    [{ evaluations: [{ action: { name: "x" } }] }, ["/evaluations/0/subject", "/evaluations/0/resource"]],
    [asking("x", { evaluations: Array.from({ length: 101 }, () => ({})) }), ["/evaluations"]],
    [asking("x", { evaluations: [{}], options: { evaluations_semantic: "any" } }), ["/options/evaluations_semantic"]],
  ])("is not made of %j", async (body, pointers) => {
    const before = (await eventsOf(world.a)).length;
    const { status, json } = await evaluate(body);
    expect(status).toBe(400);
    expect(json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
    expect((await eventsOf(world.a)).length).toBe(before);
  });

  it("hears at once of a policy that is changed or taken out of force", async () => {
    const name = world.a.unique();
    const id = await policy([{ effect: "allow", if: onAction(name) }]);
    expect((await evaluate(asking(name))).json.status).toBe("allow");
    await changePolicy(world.a, id, {
      rules: [{ key: "r0", effect: "deny", if: onAction(name), message: "Not any more." }],
    });
    expect((await evaluate(asking(name))).json.context.reasons).toMatchObject([{ code: "policy_deny", revision: 2 }]);
    await changePolicy(world.a, id, { status: "disabled", reason });
    expect((await evaluate(asking(name))).json.context.reasons).toMatchObject([{ code: "default" }]);
  });

  it("hears within five seconds of a change that another control plane has made", async () => {
    const name = world.a.unique();
    const id = await policy([{ effect: "allow", if: onAction(name) }]);
    const other = createPlane({ store: world.store, clock: world.clock, ids: world.ids });
    const there = async () => (await other.controlPlane.decide(owner, asking(name))).status;
    expect(await there()).toBe("allow");
    await send("PUT", `/api/v1/ai-governance/policies/${id}`, { status: "disabled", reason });
    world.clock.advance(5_000);
    expect(await there()).toBe("deny");
  });

  it("says what policies under observation say, and goes by none of it", async () => {
    const name = await allowed();
    await policy([{ effect: "deny", if: onAction(name) }], { status: "observe" });
    await policy([{ effect: "deny", if: `${onAction(name)} && context.nothing == 1` }], { status: "observe" });
    const { json } = await evaluate(asking(name));
    expect(json.status).toBe("allow");
    expect(json.context.observed.map(({ effect }: { effect: string }) => effect).sort()).toEqual(["deny", "error"]);
  });

  it("may be used again only as long as time changes nothing of it", async () => {
    const timely = world.a.unique();
    expect((await evaluate(asking(await allowed()))).json.context.ttlMs).toBe(5_000);
    const until = new Date(world.clock.now() + 1_000).toISOString();
    const sessionId = await world.a.newSession({ agentId: null, expiresAt: until });
    expect((await evaluate(asking("x", { context: { sessionId } }))).json.context.ttlMs).toBe(1_000);
    for (const [seconds, ttlMs] of [
      [3, 3_000],
      [5, 5_000],
      [6, 5_000],
    ]) {
      const limited = await world.a.newSession({ agentId: null, limits: { maxDurationSec: seconds } });
      expect((await evaluate(asking("x", { context: { sessionId: limited } }))).json.context.ttlMs).toBe(ttlMs);
    }
    const id = await policy([
      { effect: "allow", if: `${onAction(timely)} && now > timestamp("2000-01-01T00:00:00Z")` },
    ]);
    expect((await evaluate(asking(timely))).json).toMatchObject({ status: "allow", context: { ttlMs: 0 } });
    await send("PUT", `/api/v1/ai-governance/policies/${id}`, { status: "disabled", reason });
  });
});

/** Rules that end without a result. */
const WITHOUT_RESULT = [
  ["reads what is absent", "context.budget.left > 1"],
  ["reads a value of another type", "int(action.properties.amount) > 1"],
  ["reads an asset where there is none", 'asset.name == "x"'],
  ["reads a list that is too long", "action.properties.list.exists(x, x == 1)"],
] as const;

/** Ids in the form of an asset's that are of no asset. */
const NO_ASSETS: readonly (readonly [what: string, make: () => Promise<string>])[] = [
  ["that never was", async () => NOWHERE],
  ["of another tenant", () => world.b.newAsset()],
  [
    "that was deleted",
    async () => {
      const id = await world.a.newAsset();
      await world.send("DELETE", `/api/v1/ai-assets/${id}`, { token: world.a.owner.token });
      return id;
    },
  ],
  ["of a record that never was", async () => NOWHERE.replace("ast", "agt")],
];

describe("a decision fails closed", () => {
  it.each(WITHOUT_RESULT)("where a rule in force %s, whatever others allow", async (_what, expression) => {
    const name = await allowed();
    const id = await policy([{ effect: "warn", if: `${onAction(name)} && ${expression}` }]);
    const properties = { amount: "many", list: Array.from({ length: 300 }, () => 2) };
    const { json } = await evaluate(asking(name, { action: { name, properties } }));
    expect(json).toMatchObject({ status: "deny", decision: false, context: { ttlMs: 0 } });
    expect(new Set(json.context.reasons.map(({ code }: { code: string }) => code))).toEqual(new Set(["policy_error"]));
    await send("PUT", `/api/v1/ai-governance/policies/${id}`, { status: "disabled", reason });
  });

  it.each(NO_ASSETS)("for an id %s, and all such look alike", async (_what, make) => {
    const name = await allowed();
    const id = await make();
    for (const party of ["subject", "resource"]) {
      const { json } = await evaluate(asking(name, { [party]: { type: "thing", id } }));
      expect(json).toMatchObject({ status: "deny" });
      expect(json.context.reasons).toEqual([
        { code: "asset_unknown", policyKey: null, ruleKey: null, revision: null, message: "An id names no asset." },
      ]);
    }
  });

  it("for assets that may not be used, before any policy is asked", async () => {
    const name = await allowed();
    const id = await world.a.newAsset();
    const party = { type: "application", id };
    const asked = () => evaluate(asking(name, { resource: party }));
    expect((await asked()).json.status).toBe("allow");
    await send("PATCH", `/api/v1/ai-assets/${id}/governance-state`, { status: "suspended", reason });
    expect((await asked()).json.context.reasons).toMatchObject([
      { code: "asset_denied", message: "governance_state:suspended" },
    ]);
    expect((await evaluate(asking(name, { subject: party }))).json.status).toBe("deny");
  });

  it("for a record whose own state forbids it: a blocked tool, an identity that was switched off", async () => {
    const name = await allowed();
    const tool = await world.a.newTool();
    const identity = await world.a.newIdentity();
    const of = (id: string, type: string) => evaluate(asking(name, { subject: { type, id } }));
    expect((await of(tool, "tool")).json.status).toBe("allow");
    expect((await of(identity, "identity")).json.status).toBe("allow");
    await send("PUT", `/api/v1/ai/tools/${tool}`, { status: "blocked", reason });
    await send("PUT", `/api/v1/ai/identities/${identity}`, { status: "disabled" });
    expect((await of(tool, "tool")).json.context.reasons).toMatchObject([{ message: "tool_status:blocked" }]);
    expect((await of(identity, "identity")).json.context.reasons).toMatchObject([
      { message: "identity_status:disabled" },
    ]);
  });

  it("where an asset is said to be of a type that it is not", async () => {
    const name = await allowed();
    const { json } = await evaluate(asking(name, { resource: { type: "tool", id: await world.a.newAsset() } }));
    expect(json.context.reasons).toMatchObject([{ code: "asset_type_mismatch" }]);
  });

  it("under a kill switch: of one asset, of a kind, of all", async () => {
    const name = await allowed();
    const id = await world.a.newAsset();
    const cases: readonly (readonly [key: string, ask: object, configuration?: object])[] = [
      [`ai.asset.${id}`, asking(name, { resource: { type: "application", id } }), { tenantId: world.a.tenantId }],
      ["ai.agents", asking(name, { subject: { type: "agent", id: await world.a.newAgent() } })],
      ["ai.mcp", asking(name, { resource: { type: "mcp_server", id: await world.a.newMcpServer() } })],
      ["ai.all", asking(name)],
    ];
    for (const [key, ask, configuration] of cases) {
      const move = (status: string) =>
        world.send("POST", `/api/v1/support/kill-switches/${key}`, {
          token: world.provider.owner.token,
          body: { status, reason, ...(configuration ? { configuration } : {}) },
        });
      expect((await evaluate(ask)).json.status, key).toBe("allow");
      expect((await move("engaged")).status).toBe(200);
      expect((await evaluate(ask)).json.context.reasons).toMatchObject([{ code: "kill_switch" }]);
      expect((await move("released")).status).toBe(200);
    }
  });

  it("for a session that is not active, not known, of another agent, over its limit or decided about since", async () => {
    const name = await allowed();
    const [one, other] = [
      await world.a.newAsset({ assetType: "agent" }),
      await world.a.newAsset({ assetType: "agent" }),
    ];
    const sessionId = await world.a.newSession({ agentId: one, limits: { maxIterations: 1 } });
    const of = async (context: object, more: object = {}) => (await evaluate(asking(name, { context, ...more }))).json;
    const codes = (json: { context: { reasons: { code: string }[] } }) => json.context.reasons.map(({ code }) => code);
    expect(await of({ sessionId, sessionEpoch: 0 })).toMatchObject({ status: "allow", context: { sessionEpoch: 0 } });
    const asSubject = await of({}, { subject: { type: "session", id: sessionId } });
    expect(asSubject).toMatchObject({ status: "allow", context: { sessionEpoch: 0 } });
    expect(codes(await of({ sessionId }, { subject: { type: "agent", id: other } }))).toEqual(["session_mismatch"]);
    expect(codes(await of({ sessionId, sessionEpoch: 7 }))).toEqual(["session_epoch"]);
    for (const unknown of ["x", 7, NOWHERE.replace("ast", "ses"), await world.b.newSession()])
      expect(codes(await of({ sessionId: unknown }))).toEqual(["session_unknown"]);
    await world.a.askSession(sessionId, "usage", { iterations: 1 });
    expect(["session_limit", "session_not_active"]).toContain(codes(await of({ sessionId }))[0]);
    const second = await world.a.newSession({ agentId: one });
    await world.a.askSession(second, "suspend", { reason });
    expect(await of({ sessionId: second })).toMatchObject({
      context: { reasons: [{ code: "session_not_active" }], sessionEpoch: 1 },
    });
  });
});

describe("a rule about assets", () => {
  it("can tell that a request names none", async () => {
    const name = await allowed();
    await policy([{ effect: "deny", if: `${onAction(name)} && has(asset.name) && asset.environment == "test"` }]);
    expect((await evaluate(asking(name))).json.status).toBe("allow");
    const resource = { type: "thing", id: await world.a.newAsset() };
    expect((await evaluate(asking(name, { resource }))).json.status).toBe("deny");
  });
});

describe("a policy about some assets", () => {
  it("is asked about each that the request names", async () => {
    const name = await allowed();
    const agent = await world.a.newAsset({ assetType: "agent" });
    const app = await world.a.newAsset();
    await policy([{ effect: "deny", if: onAction(name) }], {
      selector: { assetTypes: ["agent"] },
      tests: [{ name: "else", input: { action: { name: "x" }, asset: { assetType: "agent" } }, expect: "none" }],
    });
    const of = async (subject: string, resource: string) =>
      (await evaluate(asking(name, { subject: { type: "x", id: subject }, resource: { type: "y", id: resource } })))
        .json.status;
    expect(await of("someone", app)).toBe("allow");
    expect([await of(agent, app), await of(app, agent), await of("someone", agent)]).toEqual(["deny", "deny", "deny"]);
  });
});

describe("several at once", () => {
  const names = { yes: "", no: "" };
  beforeAll(async () => {
    names.yes = await allowed();
    names.no = world.a.unique();
  });
  const batch = async (order: readonly ("yes" | "no")[], semantic?: string) =>
    (
      await evaluate({
        ...asking("replaced"),
        evaluations: order.map((which) => ({ action: { name: names[which] } })),
        ...(semantic ? { options: { evaluations_semantic: semantic } } : {}),
      })
    ).json;

  it.each([
    [undefined, ["yes", "no", "yes"], [true, false, true], "deny"],
    ["execute_all", ["yes", "yes"], [true, true], "allow"],
    ["deny_on_first_deny", ["yes", "no", "yes"], [true, false], "deny"],
    ["deny_on_first_deny", ["yes", "yes"], [true, true], "allow"],
    ["permit_on_first_permit", ["no", "yes", "no"], [false, true], "allow"],
    ["permit_on_first_permit", ["no", "no"], [false, false], "deny"],
  ] as const)("%s of %j gives %j", async (semantic, order, decisions, status) => {
    const before = (await eventsOf(world.a)).length;
    const answer = await batch(order, semantic);
    expect(answer).toMatchObject({ status, decision: status === "allow" });
    expect(answer.evaluations.map(({ decision }: { decision: boolean }) => decision)).toEqual(decisions);
    expect(answer).not.toHaveProperty("context");
    // One event per evaluated request, and none for the rest.
    expect(await eventTypes(world.a, before)).toEqual(
      decisions.map((decision) => (decision ? "decision.allowed" : "decision.denied")),
    );
  });

  it("replaces a default as a whole, and is one question where the list is empty", async () => {
    const name = world.a.unique();
    await policy([{ effect: "allow", if: `${onAction(name)} && has(action.properties.deep)` }]);
    const action = { name, properties: { deep: 1 } };
    const { json } = await evaluate({ ...asking("x"), action, evaluations: [{}, { action: { name } }] });
    expect(json.evaluations.map(({ status }: { status: string }) => status)).toEqual(["allow", "deny"]);
    const { json: one } = await evaluate({ ...asking(name), action, evaluations: [] });
    expect(one).toMatchObject({ status: "allow", context: { reasons: [{ code: "policy_allow" }] } });
    expect(one).not.toHaveProperty("evaluations");
  });

  it("reads as much for a hundred as for one", async () => {
    const calls: string[] = [];
    const plane = createPlane({ store: counting(world.store, calls), clock: world.clock, ids: world.ids });
    const assets = await Promise.all(Array.from({ length: 20 }, () => world.a.newTool()));
    const evaluations = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        resource: { type: "tool", id: assets[at % assets.length] as string },
      }));
    const cost = async (count: number) => {
      const from = calls.length;
      await plane.controlPlane.decide(owner, { ...asking(names.yes), evaluations: evaluations(count) });
      return calls.slice(from);
    };
    await cost(1);
    const few = await cost(1);
    expect(await cost(100)).toEqual(few);
    expect(few.length).toBeGreaterThan(0);
  });
});
