import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../helpers/world.js";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const P = "action.properties";
const list = Array.from({ length: 200 }, (_, at) => at);

/** A policy that costs some 300,000 steps and allows. Ten of them are more than one question may cost. */
async function policies(count: number, status: "active" | "observe"): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const condition = `action.name == "sum" && ${P}.a.all(x, ${P}.a.all(y, x != y || x == y))`;
    await world.a.newPolicy("runtime", {
      key: `${status}-${at}`,
      status,
      rules: [{ key: "dear", effect: "allow", if: condition, message: "m" }],
      tests: [{ name: "small", input: { action: { name: "sum", properties: { a: [1] } } }, expect: "allow" }],
    });
  }
}

const ask = async (more: object = {}) => {
  const question = { subject: { type: "user", id: "u" }, action: { name: "sum", properties: { a: list } } };
  const body = { ...question, resource: { type: "thing", id: "x" }, ...more };
  return (await world.send("POST", "/api/v1/ai/policies/evaluate", { token: world.a.owner.token, body })).json;
};

describe("the policies of one question", () => {
  it("have their results while all of them together cost what they may", async () => {
    await policies(6, "active");
    expect((await ask()).status).toBe("allow");
  });

  it("deny once those in force cost more together, though each costs what it may", async () => {
    await policies(14, "active");
    const { status, context } = await ask();
    expect([status, context.reasons[0].code]).toEqual(["deny", "policy_error"]);
  });

  it("take nothing from those in force while they are only observed", async () => {
    await policies(1, "active");
    await policies(8, "observe");
    const { status, context } = await ask();
    expect(status).toBe("allow");
    const effects = context.observed.map(({ effect }: { effect: string }) => effect);
    expect(effects[0]).toBe("allow");
    expect(effects.at(-1)).toBe("error");
  });

  it("have one budget for all questions of a request, behind which they deny", async () => {
    await policies(6, "active");
    const evaluations = Array.from({ length: 10 }, (_, at) => ({ resource: { type: "thing", id: `x${at}` } }));
    const { evaluations: answers } = await ask({ evaluations });
    const statuses = answers.map(({ status }: { status: string }) => status);
    expect([statuses[0], statuses.at(-1)]).toEqual(["allow", "deny"]);
  });
});
