import type { GrantSpec } from "@reeve/core/connectors";
import type { Actor, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { type Drift, type DriftBench, driftBench } from "../../helpers/drift.js";
import { eventsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  // Tests move the clock by days.
  world = await createWorld({ tokenLifetime: 86_400 });
});

const reason = "because a test wants it so";
const tick = () => world.controlPlane.tick();
const send = (method: string, path: string, body?: object, as: Actor = world.a.actors.owner, headers = {}) =>
  world.send(method, path, { token: as.token, headers, ...(body ? { body } : {}) });
const ok = async (method: string, path: string, body?: object, as?: Actor) => {
  const answer = await send(method, path, body, as, { "if-match": "*" });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
};
const repair = (id: string, body: object, as?: Actor) =>
  send("POST", `/api/v1/access-assignments/${id}/repair`, body, as);

const provider = () => world.provider.owner as Actor;

/** Access that somebody has cut in the target, and the difference that a scan has found. */
async function cutOff() {
  const bench = await driftBench(world);
  const id = await bench.granted();
  bench.cut();
  await bench.scan();
  const [drift] = (await bench.drift()) as [Drift];
  return { bench, id, drift };
}

describe("the repair of an assignment", () => {
  it("is that of its difference: somebody chooses, and the difference ends with it", async () => {
    const { bench, id, drift } = await cutOff();
    const planned = await repair(id, { dryRun: true });
    expect(planned.json).toMatchObject({ action: "choose", driftId: drift.id, repairs: ["grant", "end"] });
    expect((await repair(id, {})).json.code).toBe("missing_reason");
    expect((await repair(id, { reason })).json).toMatchObject({ errors: [{ pointer: "/action" }] });
    expect((await repair(id, { reason, action: "revoke" })).json).toMatchObject({ errors: [{ pointer: "/action" }] });
    await tick();
    expect(bench.account.held.size).toBe(1);
    const done = await repair(id, { reason, action: "grant", driftId: drift.id });
    expect(done.json).toMatchObject({ action: "grant", presence: "absent", driftId: drift.id, assignmentId: id });
    expect(await bench.drift()).toMatchObject([{ status: "repairing" }]);
    await tick();
    expect(bench.account.held.size).toBe(2);
    expect(await bench.drift()).toMatchObject([{ id: drift.id, status: "resolved" }]);
    const reported = (await eventsOf(world.a)).filter(({ attributes }) => attributes.includes(id));
    expect(reported.some(({ attributes }) => attributes.includes("access.assignment.repair_started"))).toBe(true);
  });

  it("opens the difference that it sees, where no scan has", async () => {
    const bench = await driftBench(world);
    const id = await bench.granted();
    bench.cut();
    expect((await repair(id, { dryRun: true })).json).toMatchObject({ action: "choose", driftId: null });
    expect(await bench.drift()).toEqual([]);
    expect((await repair(id, { reason, action: "end" })).json).toMatchObject({ action: "end" });
    await tick();
    expect(await bench.read(id)).toMatchObject({ status: "revoked", endReason: "removed_externally" });
    expect(await bench.drift()).toMatchObject([
      { kind: "missing_in_target", status: "resolved", detectedBy: "verify" },
    ]);
  });

  it("takes away what is there again after its end", async () => {
    const bench = await driftBench(world);
    const id = await bench.granted();
    const [spec] = bench.account.held.values();
    await bench.act(id, "revoke", { reason });
    await tick();
    expect([(await bench.read(id)).status, bench.account.held.size]).toEqual(["revoked", 0]);
    bench.account.held.set("again", spec as GrantSpec);
    bench.add(spec as GrantSpec);
    bench.account.held.delete("again");
    expect((await bench.act(id, "verify")).json).toMatchObject({ presence: "present", driftId: expect.any(String) });
    expect(await bench.drift()).toMatchObject([{ kind: "ended_still_present", severity: "critical", status: "open" }]);
    expect((await repair(id, { reason })).json).toMatchObject({ action: "revoke" });
    await tick();
    expect(bench.account.held.size).toBe(0);
    expect(await bench.drift()).toMatchObject([{ status: "resolved" }]);
  });

  it("does nothing where the target agrees, or while Reeve changes it", async () => {
    const bench = await driftBench(world);
    const id = await bench.granted();
    expect((await repair(id, { reason })).json).toMatchObject({ action: "none", presence: "present", driftId: null });
    expect(await bench.drift()).toEqual([]);
    const other = await bench.decide({ parameters: { of: "another" } });
    expect((await repair(other, { reason })).json).toMatchObject({ action: "grant", presence: "absent" });
    await tick();
    expect((await bench.read(other)).status).toBe("active");
  });

  it("is no way around what somebody lets be, nor to another assignment or tenant", async () => {
    const { bench, id, drift } = await cutOff();
    const officer = await world.a.newUser(["governance_officer"]);
    expect((await bench.actOn(drift.id, "suppress", { reason }, officer)).status).toBe(200);
    const refused = await repair(id, { reason, action: "grant" });
    expect([refused.status, refused.json.code]).toEqual([409, "invalid_transition"]);
    const other = await bench.decide({ parameters: { of: "another" } });
    const foreign = await repair(other, { reason, action: "grant", driftId: drift.id });
    expect(foreign.json).toMatchObject({ code: "invalid_reference", errors: [{ pointer: "/driftId" }] });
    expect((await repair(id, { reason, action: "grant" }, world.b.actors.owner)).status).toBe(404);
    expect((await repair(id, { reason, action: "grant" }, await world.a.newUser(["member"]))).status).toBe(403);
  });
});

/** What must keep a repair from granting again, with the code that it answers. */
const OBSTACLES: readonly [string, string, (bench: DriftBench) => Promise<() => Promise<unknown>>][] = [
  [
    "whose profile is not approved any more",
    "transition_guard_failed",
    async ({ accessProfileId }) => {
      await ok("POST", `/api/v1/access-profiles/${accessProfileId}/disable`, { reason });
      return async () => {};
    },
  ],
  [
    "whose profile means something else by now, though it was approved again",
    "transition_guard_failed",
    async ({ accessProfileId, account, connectorInstanceId }) => {
      account.profiles = account.profiles.map((one) => ({ ...one, permissions: [...one.permissions, "more"] }));
      await ok("POST", `/api/v1/access-targets/${connectorInstanceId}/resources/sync?resourceType=repository`);
      await tick();
      const { definitionHash } = await ok("GET", `/api/v1/access-profiles/${accessProfileId}`);
      await ok("POST", `/api/v1/access-profiles/${accessProfileId}/approve`, { definitionHash });
      return async () => {};
    },
  ],
  [
    "while provisioning is switched off",
    "kill_switch_active",
    async () => {
      const flip = (status: string) =>
        ok("POST", "/api/v1/support/kill-switches/access.provision", { status, reason }, provider());
      await flip("engaged");
      return () => flip("released");
    },
  ],
  [
    "while agents are halted",
    "transition_guard_failed",
    async () => {
      const { id } = await ok("POST", "/api/v1/ai/halts", { scope: "all_agents", reason });
      return () => ok("POST", `/api/v1/ai/halts/${id}/lift`, { reason });
    },
  ],
  [
    "while what its agent stands or falls with is switched off",
    "transition_guard_failed",
    async ({ assetId }) => {
      const parent = await world.a.newAsset({ assetType: "agent" });
      await ok("PUT", `/api/v1/ai-assets/${parent}`, { relations: [{ type: "delegates_to", targetId: assetId }] });
      const configuration = { tenantId: world.a.tenantId };
      const flip = (status: string) =>
        ok("POST", `/api/v1/support/kill-switches/ai.asset.${parent}`, { status, reason, configuration }, provider());
      await flip("engaged");
      return () => flip("released");
    },
  ],
  [
    "at a target under observation",
    "transition_guard_failed",
    async ({ connectorInstanceId }) => {
      await ok("PATCH", `/api/v1/connector-instances/${connectorInstanceId}`, { governanceMode: "observe", reason });
      return async () => {};
    },
  ],
  [
    "that conflicts with other access by now",
    "sod_conflict",
    async ({ assetId, accessProfileId, connectorInstanceId }) => {
      const covers = { connectorInstanceIds: [connectorInstanceId] };
      const side = { profileIds: [accessProfileId] };
      const rule = { key: "never", description: "Nobody may have it.", severity: "high", onHit: "deny", mode: "is_in" };
      const conflicts = [{ ...rule, left: side, right: side }];
      const approvers = [{ kind: "user", id: world.a.actors.admin.userId }];
      const body = { name: `conflict ${assetId}`.slice(0, 100), covers, stages: [{ approvers }], conflicts };
      await ok("POST", "/api/v1/access-policies", body);
      return async () => {};
    },
  ],
];

describe("a repair grants nothing again", () => {
  it.each(OBSTACLES)("%s (%s), by neither way", async (_why, code, hinder) => {
    const { bench, id, drift } = await cutOff();
    const undo = await hinder(bench);
    const wanted = { reason, action: "grant" };
    const answers = [await repair(id, wanted), await bench.actOn(drift.id, "repair", wanted)];
    expect(answers.map(({ json }) => json.code)).toEqual([code, code]);
    expect((await bench.drift())[0]?.status).toBe("open");
    await tick();
    await undo();
    await tick();
    expect(bench.account.held.size).toBe(1);
  });
});

describe("repairs of a target", () => {
  it("trip the circuit breaker when there are more within an hour than is plausible, until somebody who may accepts that", async () => {
    const bench = await driftBench(world);
    const ids: string[] = [];
    for (let at = 0; at < 13; at += 1) ids.push(await bench.decide({ duration: "P30D", parameters: { at } }));
    await tick();
    expect(bench.account.held.size).toBe(13);
    bench.cut();
    const { id: acceptAnomalyRunId } = await bench.scan();
    await bench.scan({ acceptAnomalyRunId, reason });
    const open = await bench.drift("&status=open");
    expect(open).toHaveLength(13);
    const wanted = { reason, action: "grant" };
    for (const one of open.slice(0, 5)) expect((await bench.actOn(one.id, "repair", wanted)).status).toBe(200);
    for (const one of open.slice(5, 10)) expect((await repair(one.assignmentId as string, wanted)).status).toBe(200);
    const eleventh = open[10] as Drift;
    const tripped = await bench.actOn(eleventh.id, "repair", wanted);
    expect([tripped.status, tripped.json.code, tripped.json.recent]).toEqual([409, "anomaly_pending", 10]);
    expect((await repair(eleventh.assignmentId as string, wanted)).json.code).toBe("anomaly_pending");
    const { operator } = world.a.actors;
    const accepting = { ...wanted, acceptAnomaly: true };
    expect((await bench.actOn(eleventh.id, "repair", accepting, operator)).status).toBe(403);
    expect((await bench.actOn(eleventh.id, "repair", accepting)).status).toBe(200);
    world.clock.advance(3_600_001);
    expect((await bench.actOn((open[11] as Drift).id, "repair", wanted)).status).toBe(200);
  });
});
