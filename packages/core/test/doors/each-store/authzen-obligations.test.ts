import { newRule, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { ulidSource } from "#testing/index.js";
import { eventsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const ALL = ["step-up", "notification", "session_termination", "custom"];
const reason = "because a test wants it so";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400, ids: ulidSource() });
});

const send = (method: string, path: string, body?: object, token = world.a.actors.operator.token) =>
  world.send(method, path, { token, ...(body ? { body } : {}) });
const evaluate = async (body: object) => (await send("POST", "/access/v1/evaluation", body)).json;

const stepUp = { type: "step-up", properties: { acr_value: "urn:example:loa:3", amr_values: ["hwk"] } };
const notification = {
  type: "notification",
  properties: { to: "security", topic: "Access", body: "{subject.id} reads {resource.id}, {context.api_key}." },
};
const termination = { type: "session_termination", properties: { subject: "{subject.id}" } };
const custom = { type: "custom", properties: { action: "watermark", text: ["{subject.id}", 7, { deep: "{now}" }] } };

interface Rule {
  readonly effect: string;
  readonly obligations?: readonly object[];
}

/** Puts rules about one new action in force, and gives its name. */
async function ruled(...rules: readonly Rule[]): Promise<string> {
  const name = world.a.unique();
  await world.a.newPolicy("runtime", {
    key: name,
    rules: rules.map((rule, at) => ({ key: `r${at}`, message: name, if: `action.name == "${name}"`, ...rule })),
    ...{ tests: [{ name, rule: "none", input: { action: { name: "x" } }, expect: "none" }], status: "active" },
  });
  return name;
}

const asked = (name: string, supported_obligations?: unknown, more: object = {}) => ({
  subject: { type: "user", id: "ada" },
  action: { name },
  resource: { type: "record", id: "4471" },
  context: { ...more, ...(supported_obligations === undefined ? {} : { supported_obligations }) },
});

describe("obligations", () => {
  it("are told of by the configuration", async () => {
    const { supported_obligations } = (await world.send("GET", "/.well-known/authzen-configuration")).json;
    expect(supported_obligations).toEqual(ALL);
  });

  it("go with an allowance, in the form of the profile, and quote the question", async () => {
    const name = await ruled(
      { effect: "allow", obligations: [stepUp, notification] },
      { effect: "warn", obligations: [custom] },
      { effect: "allow" },
    );
    const { decision, context } = await evaluate(asked(name, ALL, { api_key: "s3cret" }));
    expect([decision, context.ttlMs]).toEqual([true, 0]);
    const body = "ada reads 4471, [masked].";
    const text = ["ada", 7, { deep: new Date(world.clock.now()).toISOString() }];
    expect(context.obligations).toEqual([
      { id: `${name}.r0.1`, ...stepUp },
      { id: `${name}.r0.2`, type: "notification", properties: { ...notification.properties, body } },
      { id: `${name}.r1.1`, type: "custom", properties: { action: "watermark", text } },
    ]);
    // Nobody has to act on a warning, so that it is no obligation of the profile.
    expect(context.warnings).toMatchObject([{ policyKey: name, ruleKey: "r1" }]);
    const event = (await eventsOf(world.a)).findLast(({ attributes }) => attributes.includes(context.id))?.data ?? "";
    expect(event).toContain('"type":"step-up"');
    expect(event).not.toContain("reads 4471");
  });

  it.each([
    ["declares nothing", undefined],
    ["declares others", ["notification", "made-up"]],
    ["declares them in another form", "step-up"],
  ])("are denied to a caller that %s", async (_what, supported) => {
    const name = await ruled({ effect: "allow", obligations: [stepUp] });
    const { decision, context } = await evaluate(asked(name, supported));
    expect([decision, context.status, context.reason, context.obligations]).toEqual([
      false,
      "deny",
      "obligation_unsupported",
      [],
    ]);
    expect(context.reasons).toMatchObject([{ policyKey: name, ruleKey: "r0" }]);
    const elsewhere = await send("POST", "/api/v1/ai/policies/evaluate", asked(name, supported));
    expect(elsewhere.json.context.reasons[0].code).toBe("obligation_unsupported");
    const opa = await send("POST", "/v1/data/reeve/allow", { input: asked(name, supported) });
    expect(opa.json).toEqual({ result: false });
  });

  it("of a denial go with it, whatever the caller understands", async () => {
    const name = await ruled(
      { effect: "deny", obligations: [termination] },
      { effect: "allow", obligations: [stepUp] },
    );
    const { decision, context } = await evaluate(asked(name));
    expect([decision, context.reason]).toEqual([false, "policy_deny"]);
    expect(context.obligations).toEqual([
      { id: `${name}.r0.1`, type: "session_termination", properties: { subject: "ada" } },
    ]);
  });

  it("of an allowance come once it is approved, and those of the wait before", async () => {
    const name = await ruled(
      { effect: "require_approval", obligations: [termination] },
      { effect: "allow", obligations: [stepUp] },
    );
    const types = ({ context }: { context: { obligations: { type: string }[] } }) =>
      context.obligations.map(({ type }) => type);
    const waiting = await evaluate(asked(name, ALL));
    expect([waiting.context.status, types(waiting)]).toEqual(["require_approval", ["session_termination"]]);
    const { id } = waiting.context.approval;
    await send("PATCH", `/api/v1/ai-governance/approvals/${id}/approve`, { reason }, world.a.owner.token);
    // Who would not understand what comes with it is denied, and uses nothing up.
    const denied = await evaluate(asked(name, ["session_termination"], { approval: { id } }));
    expect([denied.context.status, denied.context.reason, denied.context.next_action]).toEqual([
      "deny",
      "policy_denied",
      "none",
    ]);
    const allowed = await evaluate(asked(name, ALL, { approval: { id } }));
    expect([allowed.decision, types(allowed)]).toEqual([true, ["session_termination", "step-up"]]);
  });

  it("stand beside each result of a search, which leaves out what the caller does not understand", async () => {
    const name = await ruled({ effect: "allow", obligations: [notification] });
    const search = async (supported?: unknown) => {
      const { subject, resource, context } = asked(name, supported);
      const { results } = (
        await send("POST", "/access/v1/search/action", { subject, resource, context }, world.a.owner.token)
      ).json;
      return results.filter((one: { name: string }) => one.name === name);
    };
    expect(await search()).toEqual([]);
    expect(await search(ALL)).toMatchObject([{ name, obligations: [{ id: `${name}.r0.1`, type: "notification" }] }]);
  });

  it("are checked when they are written", async () => {
    const write = async (obligation: object) => {
      const rules = [{ key: "r", effect: "allow", message: "m", if: "true", obligations: [obligation] }];
      const body = { name: world.a.unique(), kind: "runtime", rules, key: world.a.unique() };
      const { status, json } = await send("POST", "/api/v1/ai-governance/policies", body, world.a.owner.token);
      return [status, json.errors?.[0]?.pointer];
    };
    await newRule(world.a, "allow");
    expect(await write(custom)).toEqual([201, undefined]);
    for (const wrong of [
      { type: "watermark", properties: {} },
      { type: "step-up", properties: {} },
      { type: "notification", properties: { ...notification.properties, cc: "x" } },
      { type: "session_termination", properties: { subject: "{nobody.id}" } },
      { type: "custom", properties: { password: "hunter2hunter2" } },
    ]) {
      const [status, pointer] = await write(wrong);
      expect([status, String(pointer)]).toEqual([400, expect.stringMatching(/^\/rules\/0/)]);
    }
  });
});
