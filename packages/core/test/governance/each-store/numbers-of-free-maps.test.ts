import type { World } from "@reeve/testkit";
import { beforeAll, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

/** What the one test of a policy with this rule comes to, and why. */
async function tried(assert: string, metadata: object): Promise<[passed: boolean, message: string]> {
  const body = {
    name: "Numbers",
    kind: "posture",
    configuration: {
      key: "numbers",
      severity: "high",
      rules: [{ key: "r", assert, message: "m" }],
      params: { most: 6 },
      tests: [{ name: "t", expect: "pass", input: { asset: { metadata } } }],
    },
  };
  const { json } = await world.send("POST", "/api/v1/ai-governance/policies/validate", {
    token: world.a.owner.token,
    body,
  });
  const [test] = json.tests;
  return [test.passed, test.results[0].message];
}

it.each([
  ["asset.metadata.x * 2.0 == 7.0", { x: 3.5 }],
  ["asset.metadata.x * 2 == 6", { x: 3 }],
])("a test of %s fails, because it has a result for one type of number alone", async (assert, metadata) => {
  const [passed, message] = await tried(assert, metadata);
  expect(passed).toBe(false);
  expect(message).toContain("Write double()");
});

it.each([
  ["double(asset.metadata.x) * 2.0 == 7.0", { x: 3.5 }],
  ["double(asset.metadata.x) * 2.0 == 6.0", { x: 3 }],
  ["asset.metadata.x < 4 && asset.metadata.x > 2.5", { x: 3 }],
  ["int(asset.metadata.x) % 2 == 1 && params.most - 1 == 5", { x: 3 }],
])("a test of %s passes, because it takes both", async (assert, metadata) => {
  expect(await tried(assert, metadata)).toEqual([true, ""]);
});
