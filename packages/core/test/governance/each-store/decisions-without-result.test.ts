import type { Scene, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import type { Ask } from "#families/governance/decisions/ask/request.js";
import { type Circumstances, judge } from "#families/governance/decisions/judge/judge.js";
import { PolicySet, type RuntimePolicy } from "#families/governance/decisions/judge/policy-set.js";
import { compilePolicy } from "#families/governance/policies/compile/compile.js";
import { Budget } from "#families/governance/policies/evaluation-budget.js";
import { policies } from "#families/governance/policies/schema.js";
import { environmentOf } from "../../helpers/environment.js";
import { createWorld } from "../../helpers/world.js";

const NAME = "pay";
const ask: Ask = {
  subject: { type: "user", id: "someone" },
  action: { name: NAME },
  resource: { type: "thing", id: "something" },
  context: {},
};

const nextBudget = Budget.maker();

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

describe("a policy that cannot say what it says", () => {
  const facts = {
    assets: new Map(),
    graph: { nodes: new Map(), reached: () => true },
    effective: new Map(),
    specs: new Map(),
    sessions: new Map(),
    switched: { other: undefined, agent: undefined, mcp_server: undefined },
  };
  const circumstances = (): Circumstances => ({
    now: new Date(world.clock.now()).toISOString(),
    nowMs: world.clock.now(),
    byDefault: "allow",
    undeclaredTools: "deny",
    tenant: { id: "tnt_1", name: "Acme" },
    reuseMs: 5_000,
  });

  /** A runtime policy with one rule. An invalid expression makes it broken. */
  function policy(key: string, effect: "allow" | "warn", expression: string): RuntimePolicy {
    const rules = [{ key: "only", effect, if: expression, message: key, controls: [] }];
    const selector = { assetTypes: [], environments: [], expression: null };
    const { compiled, faults } = compilePolicy(environmentOf(world), { kind: "runtime", selector, rules, params: {} });
    const marks = { id: key, version: 1, revision: 1, key, params: {} };
    return { ...marks, inForce: true, narrow: false, compiled, broken: faults.length > 0 };
  }
  const allowing = () => policy("allowing", "allow", `action.name == "${NAME}"`);
  const broken = () => policy("warning", "warn", "action.name ==");
  /** An engine that fails without a faulty rule. */
  function throwing(): RuntimePolicy {
    const whole = policy("warning", "warn", "false");
    const run = () => {
      throw new RangeError("Maximum call stack size exceeded");
    };
    const rules = whole.compiled.rules.map((rule) => ({ ...rule, condition: { ...rule.condition, run } }));
    return { ...whole, compiled: { ...whole.compiled, rules } };
  }

  it.each([
    ["does not compile", broken],
    ["makes its engine throw", throwing],
  ])("denies in force what all others allow, when it %s", async (_what, make) => {
    const judged = await judge(ask, facts, new PolicySet([allowing(), make()]), circumstances(), nextBudget());
    expect(judged).toMatchObject({
      status: "deny",
      reasons: [{ code: "policy_error", policyKey: "warning", ruleKey: "*" }],
      ttlMs: 0,
    });
  });

  it.each([
    ["does not compile", broken],
    ["makes its engine throw", throwing],
  ])("is told of and changes nothing under observation, when it %s", async (_what, make) => {
    const set = new PolicySet([allowing(), { ...make(), inForce: false }]);
    const judged = await judge(ask, facts, set, circumstances(), nextBudget());
    expect(judged).toMatchObject({
      status: "allow",
      observed: [{ policyKey: "warning", ruleKey: "*", effect: "error" }],
      ttlMs: 5_000,
    });
  });
});

describe.each([
  ["a", "b"],
  ["b", "a"],
] as const)("a stored policy of tenant %s that does not compile any more", (mine, other) => {
  const status = async (scene: Scene) => {
    const { owner, send } = scene;
    const answer = await send("POST", "/api/v1/ai/policies/evaluate", { token: owner.token, body: ask });
    expect(answer.status, answer.text).toBe(201);
    const { status: decided, context } = answer.json;
    return [decided, context.reasons.map(({ code, ruleKey }: Record<string, string>) => `${code} ${ruleKey}`)];
  };
  const newPolicy = (scene: Scene, effect: string, expression: string) =>
    scene.newPolicy("runtime", {
      status: "active",
      rules: [{ key: "only", effect, if: expression, message: "Said." }],
      tests: [{ name: "none", input: { action: { name: "nothing of it" } }, expect: "none" }],
    });
  /** Makes a policy as an older version with more functions would have stored it. */
  async function outdate({ store, tenantId }: Scene, id: string): Promise<void> {
    const home = store.forTenant(tenantId);
    const row = await home.get(policies, id);
    if (!row) throw new Error("there is no such policy");
    const { value } = row;
    const rules = value.rules.map((rule) => ({ ...rule, if: "action.name ~~ 'x'" }));
    await home.replace(policies, { ...value, rules, version: value.version + 1 } as typeof value, value);
  }

  it("denies there what it is asked about, and nothing anywhere else", async () => {
    const [here, elsewhere] = [world[mine], world[other]];
    const ids: string[] = [];
    for (const scene of [here, elsewhere]) {
      await newPolicy(scene, "allow", `action.name == "${NAME}"`);
      ids.push(await newPolicy(scene, "warn", 'action.name == "unheard of"'));
      expect((await status(scene))[0]).toBe("allow");
    }
    await outdate(here, ids[0] as string);
    world.clock.advance(5_000);
    expect(await status(here)).toEqual(["deny", ["policy_error *"]]);
    expect((await status(elsewhere))[0]).toBe("allow");
    const { owner, send } = here;
    const mended = await send("PUT", `/api/v1/ai-governance/policies/${ids[0]}`, {
      token: owner.token,
      body: { rules: [{ key: "only", effect: "warn", if: 'action.name == "unheard of"', message: "Said." }] },
    });
    expect(mended.status, mended.text).toBe(200);
    expect((await status(here))[0]).toBe("allow");
  });

  it("can be disabled there, and comes into force again only when it compiles", async () => {
    const here = world[mine];
    const { owner, send } = here;
    const id = await newPolicy(here, "warn", 'action.name == "unheard of"');
    await outdate(here, id);
    const put = (body: object) => send("PUT", `/api/v1/ai-governance/policies/${id}`, { token: owner.token, body });
    const renamed = await put({ name: "Renamed", status: "disabled", reason: "It does not compile." });
    expect(renamed).toMatchObject({ status: 400, json: { errors: [{ pointer: "/rules/0/if" }] } });
    const disabled = await put({ status: "disabled", reason: "It does not compile." });
    expect(disabled).toMatchObject({ status: 200, json: { status: "disabled" } });
    const enabled = await put({ status: "active" });
    expect(enabled).toMatchObject({ status: 409, json: { code: "transition_guard_failed" } });
  });
});
