import { createPlane, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { canonical } from "#kernel/events/canonical.js";
import { StoreError, sha256, type Transaction } from "#store/index.js";
import type { Decision, Principal, Store } from "../../../src/index.js";
import { eventsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const EVALUATE = "/api/v1/ai/policies/evaluate";
const reason = "because a test wants it so";

let world: World;
let owner: Principal;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  owner = await world.controlPlane.principalOf(world.a.tenantId, world.a.owner.userId);
});

const asking = (name: string, more: object = {}) => ({
  subject: { type: "user", id: "someone" },
  action: { name },
  resource: { type: "thing", id: "something" },
  ...more,
});
const decisions = async () =>
  (await eventsOf(world.a))
    .map(({ attributes, data }) => ({ ...JSON.parse(attributes), data: JSON.parse(data as string) }))
    .filter(({ type }) => type.startsWith("reeve.decision."));

/** A store whose transactions fail before they commit, or lose the answer to the commit, while `fails` says so. */
function failing(store: Store, fails: (when: "before" | "after") => boolean): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name === "transaction") {
        return async <T>(tenantId: string, work: (tx: Transaction) => Promise<T>, kind?: string) => {
          const done = await target.transaction(
            tenantId,
            async (tx) => {
              const done = await work(tx);
              if (fails("before")) throw new StoreError("unavailable", "the database is gone");
              return done;
            },
            kind,
          );
          if (fails("after")) throw new StoreError("outcome_unknown", "the connection was lost");
          return done;
        };
      }
      const value = Reflect.get(target, name) as unknown;
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

describe("the decision log", () => {
  it("holds who, what, why and digests, and shows it in the activity of the assets concerned", async () => {
    const resource = { type: "application", id: await world.a.newAsset() };
    const sessionId = await world.a.newSession({ agentId: null });
    const ask = asking("look", { resource, context: { sessionId } });
    const { json } = await world.send("POST", EVALUATE, { token: world.a.owner.token, body: ask });
    const last = (await decisions()).at(-1);
    const plain = { subject: { ...ask.subject, properties: {} }, action: { ...ask.action, properties: {} } };
    const whole = { ...plain, resource: { ...resource, properties: {} } };
    expect(last).toMatchObject({
      type: "reeve.decision.denied.v1",
      subject: json.id,
      source: EVALUATE,
      outcome: "denied",
      authid: world.a.owner.userId,
      data: {
        status: "deny",
        decision: false,
        subject: ask.subject,
        action: { name: "look" },
        resource,
        reasons: [{ code: "default", policyKey: null, ruleKey: null, revision: null }],
        sessionIds: [sessionId],
        actionDigest: sha256(canonical(whole)),
        inputDigest: sha256(canonical({ ...whole, context: { sessionId } })),
        input: {},
      },
    });
    expect(json.context.actionDigest).toBe(last.data.actionDigest);
    for (const id of [resource.id, sessionId]) {
      const activity = await world.send("GET", `/api/v1/ai/activity/${id}`, { token: world.a.owner.token });
      expect(activity.json.items[0].id).toBe(last.id);
    }
  });

  it("gives nothing away: of properties only what the provider lists, and never what is named like a secret", async () => {
    const [secret, quiet, reported] = [world.a.unique(), world.a.unique(), world.a.unique()];
    const name = world.a.unique();
    const rules = [
      {
        key: "asks",
        effect: "require_approval",
        if: `action.name == "${name}"`,
        message: "For {action.properties.api_key} and {context.channel}.",
      },
      { key: "warns", effect: "warn", if: `action.name == "${name}"`, message: "By {subject.properties.accessToken}." },
    ];
    const tests = [{ name, input: { action: { name: "x" } }, expect: "none" }];
    await world.a.newPolicy("runtime", { rules, tests, status: "active" });
    const set = await world.send("POST", "/api/v1/support/config", {
      token: world.provider.owner.token,
      body: {
        name: "decisions.loggedFields",
        configuration: { value: ["context.channel", "action.properties.api_key", "context.nested.password"] },
        reason,
      },
    });
    expect(set.status).toBeLessThan(300);
    const ask = {
      subject: { type: "user", id: "someone", properties: { accessToken: secret } },
      action: { name, properties: { api_key: secret, note: quiet, headers: { Authorization: `Bearer ${secret}` } } },
      resource: { type: "thing", id: "something", properties: { list: [{ clientSecret: secret }] } },
      context: { channel: reported, nested: { password: secret } },
    };
    const before = (await eventsOf(world.a)).length;
    const answer = await world.send("POST", EVALUATE, { token: world.a.actors.operator.token, body: ask });
    expect(answer.json.context.reasons[0].message).toBe(`For [masked] and ${reported}.`);
    expect(answer.json.context.obligations[0].message).toBe("By [masked].");
    const approval = await world.send("GET", `/api/v1/ai-governance/approvals/${answer.json.context.approval.id}`, {
      token: world.a.owner.token,
    });
    expect(approval.json.input).toEqual({ "context.channel": reported });
    const events = (await eventsOf(world.a)).slice(before).map(({ attributes, data }) => `${attributes}${data}`);
    expect(events).toHaveLength(2);
    expect(events.join()).toContain(reported);
    for (const text of [answer.text, approval.text, ...events]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(quiet);
    }
  });

  it("comes first: what could not be written down is no decision, over HTTP or in process", async () => {
    let broken = false;
    const plane = createPlane({
      store: failing(world.store, () => broken),
      clock: world.clock,
      ids: world.ids,
    });
    const before = (await eventsOf(world.a)).length;
    broken = true;
    const answer = await plane.send("POST", EVALUATE, { token: world.a.owner.token, body: asking("x") });
    expect(answer).toMatchObject({ status: 503, json: { code: "storage_unavailable" } });
    const all = await Promise.allSettled(
      Array.from({ length: 5 }, () => plane.controlPlane.decide(owner, asking("x"))),
    );
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => "rejected"));
    broken = false;
    expect((await eventsOf(world.a)).length).toBe(before);
    expect((await plane.controlPlane.decide(owner, asking("x"))).status).toBe("deny");
    expect((await eventsOf(world.a)).length).toBe(before + 1);
  });

  it("is not written again by decisions whose commit nobody has heard of", async () => {
    const before = (await eventsOf(world.a)).length;
    const store = failing(world.store, (when) => when === "after");
    const { controlPlane } = createPlane({ store, clock: world.clock, ids: world.ids });
    const all = await Promise.allSettled(Array.from({ length: 5 }, () => controlPlane.decide(owner, asking("x"))));
    const codes = all.map((one) => (one.status === "rejected" ? one.reason.code : one.status));
    expect(codes).toEqual(Array.from({ length: 5 }, () => "outcome_unknown"));
    expect((await eventsOf(world.a)).length).toBe(before + 5);
  });

  it("gives the first answer again to the same Idempotency-Key, and logs it once", async () => {
    const before = (await eventsOf(world.a)).length;
    const ask = () =>
      world.send("POST", EVALUATE, {
        token: world.a.owner.token,
        body: asking("x"),
        headers: { "idempotency-key": "one" },
      });
    const [first, again] = [await ask(), await ask()];
    expect(again.text).toBe(first.text);
    expect((await eventsOf(world.a)).length).toBe(before + 1);
  });
});

describe("decide", () => {
  it("gives what HTTP gives, typed, and logs it the same", async () => {
    const ask = asking("look", { context: { channel: "chat" } });
    const { json } = await world.send("POST", EVALUATE, { token: world.a.owner.token, body: ask });
    const decided = await world.controlPlane.decide(owner, ask);
    expectTypeOf(decided).toEqualTypeOf<Decision>();
    expect({ ...decided, id: "" }).toEqual({ ...json, id: "" });
    const [one, other] = (await decisions()).slice(-2);
    expect({ ...other.data, entity: {} }).toEqual({ ...one.data, entity: {} });
    expect(Object.keys(other)).toEqual(Object.keys(one));
    const batch = await world.controlPlane.decide(owner, { ...ask, evaluations: [{}, {}] });
    expect(batch.evaluations).toHaveLength(2);
  });

  it("writes all that is asked at once together, each under its own name", async () => {
    let transactions = 0;
    const counting = failing(world.store, (when) => {
      if (when === "before") transactions += 1;
      return false;
    });
    const plane = createPlane({ store: counting, clock: world.clock, ids: world.ids });
    await plane.controlPlane.decide(owner, asking("x"));
    const operator = await world.controlPlane.principalOf(world.a.tenantId, world.a.actors.operator.userId);
    transactions = 0;
    const before = (await decisions()).length;
    const asked = Array.from({ length: 150 }, (_, at) =>
      plane.controlPlane.decide(at % 2 ? owner : operator, asking("x")),
    );
    const ids = (await Promise.all(asked)).map(({ id }) => id);
    const logged = (await decisions()).slice(before);
    expect(logged.map(({ subject }) => subject).sort()).toEqual([...ids].sort());
    expect(new Set(logged.map(({ authid }) => authid)).size).toBe(2);
    expect(transactions).toBeLessThan(10);
  });

  it.each<[string, string, () => Promise<unknown>]>([
    [
      "without the permission",
      "permission_denied",
      () => world.controlPlane.decide({ ...owner, permissions: new Set() }, asking("x")),
    ],
    [
      "without a tenant",
      "invalid_token",
      () => world.controlPlane.decide({ ...owner, tenantId: "tnt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ" }, asking("x")),
    ],
    [
      "without a resource",
      "invalid_request",
      () => world.controlPlane.decide(owner, { subject: { type: "x", id: "y" }, action: { name: "z" } }),
    ],
    [
      "of something that is no JSON",
      "invalid_json",
      () => world.controlPlane.decide(owner, asking("x", { context: { big: 1n } })),
    ],
    ...[Number.NaN, Number.POSITIVE_INFINITY].map((amount): [string, string, () => Promise<unknown>] => [
      `of ${amount}, which rules would take for null`,
      "invalid_json",
      () => world.controlPlane.decide(owner, asking("x", { action: { name: "x", properties: { amount } } })),
    ]),
    [
      "of something too deep",
      "invalid_json",
      () => world.controlPlane.decide(owner, asking("x", { context: deep(40) })),
    ],
    [
      "of something too large",
      "payload_too_large",
      () =>
        world.controlPlane.decide(
          owner,
          asking("x", { context: { all: Array.from({ length: 6 }, () => "x".repeat(60_000)) } }),
        ),
    ],
  ])("is refused %s", async (_what, code, ask) => {
    const before = (await decisions()).length;
    await expect(ask()).rejects.toMatchObject({ code });
    expect((await decisions()).length).toBe(before);
  });

  it("knows nothing of other tenants", async () => {
    const foreign = await world.b.newAsset();
    const { context } = await world.controlPlane.decide(
      owner,
      asking("x", { resource: { type: "thing", id: foreign } }),
    );
    expect(context?.reasons).toMatchObject([{ code: "asset_unknown" }]);
    const before = (await eventsOf(world.b)).length;
    await world.controlPlane.decide(owner, asking("x"));
    expect((await eventsOf(world.b)).length).toBe(before);
  });
});

function deep(levels: number): Record<string, unknown> {
  return levels === 0 ? {} : { inner: deep(levels - 1) };
}
