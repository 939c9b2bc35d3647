import type { World } from "@reeve/testkit";
import { type HostilePolicy, hostilePolicies } from "@reeve/testkit/hostile-policies";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

/** The result of a policy: the code of its first fault, or the outcome of its first test. */
async function outcomeOf(body: HostilePolicy["body"]): Promise<string | undefined> {
  const owner = await world.controlPlane.principalOf(world.a.tenantId, world.a.owner.userId);
  const { faults, tests } = await world.controlPlane.call("aiGovernance.validatePolicy", owner, { body });
  return faults[0]?.code ?? tests[0]?.actual;
}

const TOO_EXPENSIVE = "Scope: It takes more steps than it may.";
const CASES = hostilePolicies.map((policy) => [policy.name, policy] as const);

describe("a hostile policy", () => {
  it.each(CASES)("%s is refused, or ends", async (_, policy) => {
    expect(await outcomeOf(policy.body)).toBe(policy.outcome);
  });

  it("is no help as the scope of a run", async () => {
    const list = Array.from({ length: 256 }, (_, at) => at);
    const owner = await world.controlPlane.principalOf(world.a.tenantId, world.a.owner.userId);
    const { id } = await world.controlPlane.call("aiAssets.create", owner, {
      body: { assetType: "application", metadata: { list } },
    });
    const within = (expression: string) =>
      world.send("POST", "/api/v1/ai-governance/evaluations/run", {
        token: world.a.owner.token,
        body: { mode: "full", scope: { assetIds: [id], expression } },
      });
    const pairs = (body: string) => `asset.metadata.list.all(x, asset.metadata.list.all(y, ${body}))`;
    const expensive = await within(pairs("x != y || x == y"));
    expect(expensive.json).toMatchObject({
      status: "completed_with_errors",
      errors: [{ assetId: id, message: TOO_EXPENSIVE }],
    });
    const refused = await within(pairs("x in asset.metadata.list"));
    expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, "/scope/expression"]);
  });
});
