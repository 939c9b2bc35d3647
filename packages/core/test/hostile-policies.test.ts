import type { World } from "@reeve/testkit";
import { type HostilePolicy, hostilePolicies } from "@reeve/testkit/hostile-policies";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "./support/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

/** What a policy comes to: the code of its first fault, or what its first test does. */
async function outcomeOf(body: HostilePolicy["body"]): Promise<string | undefined> {
  const owner = await world.controlPlane.principalOf(world.a.tenantId, world.a.owner.userId);
  const { faults, tests } = await world.controlPlane.call("aiGovernance.validatePolicy", owner, { body });
  return faults[0]?.code ?? tests[0]?.actual;
}

describe("a hostile policy", () => {
  it.each(hostilePolicies.map((policy) => [policy.name, policy] as const))(
    "%s is refused, or ends",
    async (_, policy) => {
      expect(await outcomeOf(policy.body)).toBe(policy.outcome);
    },
  );
});
