import type { GrantSpec } from "@reeve/core/connectors";
import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { type CertificationBench, certificationBench, type Item } from "../../helpers/certifications.js";
import { createWorld } from "../../helpers/world.js";

const HOUR = 3_600_000;
const reason = "because a test wants it so";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});
const ok = async (method: string, path: string, body?: object, { token } = world.a.actors.owner) => {
  const answer = await world.send(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
};

/** A scan that finds the access of the bench in the target no more, because somebody has cut it by hand. */
async function cut({ account, connectorInstanceId }: CertificationBench): Promise<string> {
  const [like] = account.held.values();
  account.held.clear();
  // A target without anything looks broken.
  account.held.set("other", { ...(like as GrantSpec), principal: { type: "user", externalId: "somebody else" } });
  world.clock.advance(1_000);
  await ok("POST", `/access-targets/${connectorInstanceId}/drift-scan`);
  await world.controlPlane.tick();
  const [drift] = (await ok("GET", `/access-drift?connectorInstanceId=${connectorInstanceId}`)).items;
  expect(drift).toMatchObject({ kind: "missing_in_target", status: "open" });
  return drift.id;
}

/** Lets a difference be, as somebody who may. */
const letBe = async (driftId: string, verb: string, more: object = {}) =>
  ok("POST", `/access-drift/${driftId}/${verb}`, { reason, ...more }, await world.a.newUser(["governance_officer"]));

/** What comes to be known of access while it is reviewed. */
const KNOWN: readonly [string, string, (bench: CertificationBench) => Promise<unknown>][] = [
  ["that a scan has found missing", "drifted", cut],
  ["that is missing while somebody lets that be", "drifted", async (bench) => letBe(await cut(bench), "suppress")],
  [
    "whose difference is let be no longer",
    "drifted",
    async (bench) => {
      await letBe(await cut(bench), "accept", { until: new Date(world.clock.now() + HOUR).toISOString() });
      world.clock.advance(HOUR);
    },
  ],
  [
    "that conflicts with other access by now",
    "conflicted",
    async ({ connectorInstanceId, accessProfileId, assetId }) => {
      const side = { profileIds: [accessProfileId] };
      const rule = { key: "never", description: "Nobody may have it.", severity: "high", onHit: "deny", mode: "is_in" };
      await ok("POST", "/access-policies", {
        name: `conflict ${assetId}`.slice(0, 100),
        covers: { connectorInstanceIds: [connectorInstanceId] },
        stages: [{ approvers: [{ kind: "user", id: world.a.actors.admin.userId }] }],
        conflicts: [{ ...rule, left: side, right: side }],
      });
    },
  ],
];

describe("certified together with others is no access", () => {
  it.each(KNOWN)("%s (%s), although it was not so when it was looked at", async (_what, because, happens) => {
    const bench = await certificationBench(world);
    await bench.decide({ duration: "P90D" });
    await world.controlPlane.tick();
    const campaign = await bench.begin();
    const [{ id, snapshotVersion: expectedSnapshotVersion, snapshot }] = (await bench.own(bench.reviewer)) as [Item];
    expect(snapshot).toMatchObject({ targetState: "present", conflicts: [] });
    await happens(bench);
    const path = `/access-certifications/${campaign}/items`;
    const body = { items: [{ id, expectedSnapshotVersion }], reason };
    const reviewer = await world.a.signIn(bench.reviewer.userId, bench.reviewer);
    expect(await ok("POST", `${path}/certify`, body, reviewer)).toEqual({
      certified: [],
      refused: [{ id, because: [because] }],
    });
    const [item] = (await ok("GET", `${path}?size=100`)).items;
    expect(item).toMatchObject({ id, status: "pending", snapshotVersion: expectedSnapshotVersion });
  });
});
