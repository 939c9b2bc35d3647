import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { requestBench } from "../../helpers/requests.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const HOUR = 3_600_000;
const reason = "because a test wants it so";
const inDays = (days: number) => new Date(world.clock.now() + days * 24 * HOUR).toISOString();

/** A request that conflicts with other access, which an officer has permitted with the first of two approvals. */
async function permitted() {
  const bench = await requestBench(world, null);
  const member = await world.a.newUser(["governance_officer"]);
  const approvers = [bench.first, bench.second, member].map(({ userId: id }) => ({ kind: "user", id }));
  const side = (id: string) => ({ profileIds: [id] });
  const rule = { left: side(bench.accessProfileId), right: side(bench.writeProfileId), mode: "is_in" };
  await bench.policy({
    stages: [{ approvers, mode: "quorum", approveThreshold: 2, denyThreshold: 2 }],
    conflicts: [{ key: "both", description: "Not both.", severity: "high", onHit: "require_exemption", ...rule }],
  });
  await bench.decide({ accessProfileId: bench.writeProfileId, duration: "P9D" });
  // Whoever has changed a policy within a day approves nothing.
  await bench.tick(25 * HOUR);
  const officer = await world.a.signIn(member.userId, member);
  const { id, evaluation } = await bench.asked("pending_approval", { duration: "P5D" });
  const [conflict] = (evaluation as { conflicts: { rule: string }[] }).conflicts;
  const exemptions = [{ rule: conflict?.rule, reason: "It is watched by two people.", expiresAt: inDays(3) }];
  const approve = (more: object = {}) => bench.approve(id, officer, more);
  expect((await approve({ exemptions })).status).toBe(200);
  return { bench, officer, id, approve, exemptions };
}

type Permitted = Awaited<ReturnType<typeof permitted>>;

/** What ends an approval or what it permits. */
const ENDS: readonly (readonly [string, (given: Permitted) => Promise<unknown>])[] = [
  ["has refused it since", ({ bench, id, officer }) => bench.verb(id, "reject", officer, { reason })],
  [
    "has approved it without that since",
    async ({ bench, id, officer, approve }) => {
      await bench.verb(id, "reject", officer, { reason });
      await approve();
    },
  ],
  [
    "works here no more",
    ({ officer }) =>
      world.send("PATCH", `/api/v1/users/${officer.userId}`, {
        token: world.a.owner.token,
        body: { status: "disabled", reason },
      }),
  ],
  [
    "may permit none any more",
    ({ officer }) =>
      world.send("PATCH", `/api/v1/users/${officer.userId}`, {
        token: world.a.owner.token,
        body: { roles: ["approver"], reason },
      }),
  ],
];

describe("a conflict that an approver has permitted", () => {
  it("is permitted while the approval counts, and no longer than the exemption", async () => {
    const { bench, id } = await permitted();
    expect((await bench.approve(id)).json).toMatchObject({ status: "approved", granted: { expiresAt: inDays(3) } });
  });

  it.each(ENDS)("is one again once whoever permitted it %s", async (_why, then) => {
    const given = await permitted();
    await then(given);
    const { bench, id } = given;
    const answers = [await bench.approve(id), await bench.approve(id, bench.second)];
    expect(answers.map(({ json }) => json.code)).toContain("sod_conflict");
    await bench.tick();
    expect((await bench.request(id)).status).toBe("pending_approval");
  });
});
