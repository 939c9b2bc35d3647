import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { gatesOf, POLICIES } from "../../helpers/gates.js";
import { changePolicy } from "../../helpers/policies.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let at: ReturnType<typeof gatesOf>;
beforeEach(async () => {
  world = await createWorld();
  at = gatesOf(world);
});

const DAYS = { type: "integer", minimum: 0, maximum: 365 };
const RULES = {
  rules: [{ key: "holds", assert: "asset.ageDays <= int(params.graceDays)", message: "{asset.name} fails." }],
  tests: [
    { name: "young", input: { asset: { provider: "gated", ageDays: 1 }, params: { graceDays: 3 } }, expect: "pass" },
  ],
};
const limited = (more: object = {}) =>
  at.policy("true", { ...RULES, params: { graceDays: 14 }, paramSchemas: { graceDays: DAYS }, ...more });

/** The places that a change is refused for. */
async function refusedAt(id: string, body: object): Promise<string[]> {
  const { status, json, text } = await at.ask("PUT", `${POLICIES}/${id}`, body);
  expect(status, text).toBe(400);
  return json.errors.map(({ pointer }: { pointer: string }) => pointer);
}

describe("G4 a parameter of a policy", () => {
  it("is checked by its schema when the policy is written, changed, or in force", async () => {
    const body = { ...world.a.policyBody("posture"), ...RULES, paramSchemas: { graceDays: DAYS } };
    for (const graceDays of ["three", 1.5, -1, 366, true, ["3"]]) {
      const { status, json } = await at.ask("POST", POLICIES, { ...body, params: { graceDays } });
      expect([status, json.errors?.[0]?.pointer], String(graceDays)).toEqual([400, "/params/graceDays"]);
    }
    const id = await limited();
    await at.activate(id);
    expect(await refusedAt(id, { params: { graceDays: "three" } })).toEqual(["/params/graceDays"]);
    expect(await refusedAt(id, { params: {} })).toContain("/params/graceDays");
    expect((await at.done("GET", `${POLICIES}/${id}`)).params).toEqual({ graceDays: 14 });
    expect((await changePolicy(world.a, id, { params: { graceDays: 30 } })).params).toEqual({ graceDays: 30 });
  });

  it("is refused as a schema when it is no part of JSON Schema that is taken here", async () => {
    for (const schema of [{ type: "object" }, { type: "string", pattern: "(a+)+$" }, { minimum: 1 }, "integer"]) {
      const { status } = await at.ask("POST", POLICIES, {
        ...world.a.policyBody("posture"),
        paramSchemas: { x: schema },
      });
      expect(status, JSON.stringify(schema)).toBe(400);
    }
  });

  it("gets the default of its schema where none is sent", async () => {
    const id = await limited({ params: {}, paramSchemas: { graceDays: { ...DAYS, default: 7 } } });
    expect((await at.done("GET", `${POLICIES}/${id}`)).params).toEqual({ graceDays: 7 });
  });

  it("keeps its type when it has no schema, until one says otherwise", async () => {
    const id = await limited({ paramSchemas: {} });
    expect(await refusedAt(id, { params: { graceDays: "30" } })).toEqual(["/params/graceDays"]);
    await at.done("PUT", `${POLICIES}/${id}`, {
      params: { graceDays: "30" },
      paramSchemas: { graceDays: { type: "string" } },
    });
  });

  it("fails the tests of its policy when the stored value leaves them without a result", async () => {
    const id = await limited({ params: { graceDays: "14" }, paramSchemas: { graceDays: { type: "string" } } });
    const { json } = await at.ask("PUT", `${POLICIES}/${id}`, { params: { graceDays: "many" } });
    expect(json.errors).toMatchObject([{ pointer: "/tests/0", code: "test_failed" }]);
    const draft = await limited({
      status: "draft",
      params: { graceDays: "many" },
      paramSchemas: { graceDays: { type: "string" } },
    });
    expect(await at.done("POST", `${POLICIES}/${draft}/test`)).toMatchObject({
      passed: false,
      tests: [{ actual: "error" }],
    });
    const { status } = await at.ask("PUT", `${POLICIES}/${draft}`, { status: "observe" });
    expect(status).toBe(409);
  });

  it("of a pack has a schema that tenants cannot change", async () => {
    await at.done("POST", "/api/v1/ai-governance/policy-packs/foundation/install");
    const { items } = await at.done("GET", `${POLICIES}?search=no-shadow`);
    const [{ id, paramSchemas }] = items;
    expect(paramSchemas.graceDays).toMatchObject({ type: "integer", minimum: 0, default: 14 });
    expect(await refusedAt(id, { params: { graceDays: "three" } })).toEqual(["/params/graceDays"]);
    expect(await refusedAt(id, { paramSchemas: {} })).toEqual(["/paramSchemas"]);
    await at.done("PUT", `${POLICIES}/${id}`, { params: { graceDays: 30 } });
    await at.done("POST", "/api/v1/ai-governance/policy-packs/foundation/install");
    expect((await at.done("GET", `${POLICIES}/${id}`)).params).toEqual({ graceDays: 30 });
  });

  it("is checked when it is tried on what was", async () => {
    const id = await limited();
    const path = `${POLICIES}/${id}/back-test`;
    const { status, json } = await at.ask("POST", path, { days: 1, params: { graceDays: "three" } });
    expect([status, json.errors?.[0]?.pointer]).toEqual([400, "/params/graceDays"]);
    await at.done("POST", path, { days: 1, params: { graceDays: 3 } });
  });
});
