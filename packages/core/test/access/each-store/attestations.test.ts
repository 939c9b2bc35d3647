import { ConnectorError, type GrantSpec } from "@reeve/core/connectors";
import { type Actor, repository, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { driftBench } from "../../helpers/drift.js";
import { requestBench } from "../../helpers/requests.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  // Tests move the clock by days.
  world = await createWorld({ tokenLifetime: 86_400 });
});

const HOUR = 3_600_000;
const reason = "because a test wants it so";
const WORD = { evidence: "The list of members in its console shows none.", ticketRef: "OPS-1" };
const later = async (milliseconds: number) => {
  world.clock.advance(milliseconds);
  await world.controlPlane.tick();
};
const attest = (id: string, as: Actor = world.a.actors.operator, body: object = WORD) =>
  world.send("POST", `/api/v1/access-assignments/${id}/attest`, { token: as.token, body });
const refusal = ({ status, json }: Awaited<ReturnType<typeof attest>>) => [status, json.code];
type Script = NonNullable<Awaited<ReturnType<typeof driftBench>>["account"]["script"]>;

/** The target does what it is asked to, and cannot be asked anything. */
const mute: Script = (method) => {
  if (method === "verify") throw new ConnectorError("transient", "Down.");
};

/** Access that was ended, whose target refuses to end it and cannot be asked. */
async function stuck(sensitivity?: "critical") {
  const bench = await driftBench(world);
  if (sensitivity) {
    bench.account.resources = [repository("repo", { sensitivity })];
    const path = `/api/v1/access-targets/${bench.connectorInstanceId}/resources/sync?resourceType=repository`;
    await world.send("POST", path, { token: world.a.owner.token });
    await world.controlPlane.tick();
  }
  const id = await bench.granted();
  bench.account.script = (method) => {
    if (method === "revoke") throw new ConnectorError("invalid", "Not like this.");
  };
  await bench.act(id, "revoke", { reason });
  await world.controlPlane.tick();
  expect(await bench.read(id)).toMatchObject({ status: "revoke_failed" });
  bench.account.script = mute;
  const findings = async () => {
    const path = `/api/v1/ai-governance/findings?source=access&assetId=${bench.assetId}`;
    return (await world.send("GET", path, { token: world.a.owner.token })).json.items;
  };
  return { bench, id, findings };
}

describe("the end of access that its target does not confirm", () => {
  it("is attested by a person, which is not the same as confirmed", async () => {
    const { bench, id, findings } = await stuck();
    const reported = (await attest(id)).json;
    expect(reported).toMatchObject({
      ...{ status: "attested", effective: false, targetState: "present", endedAt: null },
      attestation: { by: world.a.actors.operator.userId, ...WORD, second: null },
    });
    expect(await findings()).toMatchObject([{ ruleKey: "revoke_failed", status: "resolved" }]);
    const listed = await world.send("GET", "/api/v1/access-assignments?status=attested", {
      token: world.a.owner.token,
    });
    expect(listed.json.items.map((one: { id: string }) => one.id)).toContain(id);
    bench.account.held.clear();
    bench.account.script = undefined;
    await later(HOUR);
    expect(await bench.read(id)).toMatchObject({ status: "revoked", targetState: "absent" });
  });

  it("is open again as soon as a look finds the access there", async () => {
    const { bench, id, findings } = await stuck();
    await attest(id);
    expect((await bench.act(id, "verify")).json).toMatchObject({ presence: "unknown" });
    expect(await bench.read(id)).toMatchObject({ status: "attested" });
    bench.account.script = undefined;
    expect((await bench.act(id, "verify")).json).toMatchObject({ presence: "present" });
    expect(await bench.read(id)).toMatchObject({ status: "revoke_failed", attestation: null });
    expect(await findings()).toMatchObject([{ status: "open", regressed: true, episodeCount: 2 }]);
    await later(HOUR);
    expect(await bench.read(id)).toMatchObject({ status: "revoked" });
    expect(await findings()).toMatchObject([{ status: "resolved" }]);
  });

  it("is open again when a scan lists the access, or the next attempt finds it", async () => {
    const { bench, id } = await stuck();
    await attest(id);
    await bench.scan();
    expect(await bench.read(id)).toMatchObject({ status: "revoke_failed", attestation: null });
    await attest(id);
    bench.account.script = (method) => {
      if (method === "revoke") throw new ConnectorError("invalid", "Not like this.");
    };
    await later(HOUR);
    expect(await bench.read(id)).toMatchObject({ status: "revoke_failed", attestation: null });
  });

  it("takes two people where the resource is critical", async () => {
    const { bench, id, findings } = await stuck("critical");
    const first = await attest(id);
    expect(first.json).toMatchObject({ status: "revoke_failed", attestation: { second: null, ...WORD } });
    expect(await findings()).toMatchObject([{ status: "open" }]);
    expect(refusal(await attest(id))).toEqual([403, "self_approval_forbidden"]);
    const officer = await world.a.newUser(["governance_officer"]);
    const evidence = "I have looked there as well.";
    expect((await attest(id, officer, { evidence })).json).toMatchObject({
      status: "attested",
      attestation: { by: world.a.actors.operator.userId, second: { by: officer.userId, evidence } },
    });
    expect(await findings()).toMatchObject([{ status: "resolved" }]);
    expect((await bench.read(id)).status).toBe("attested");
  });

  it("is not attested where the target says otherwise, or says it itself", async () => {
    const { bench, id } = await stuck();
    bench.account.script = undefined;
    expect(refusal(await attest(id))).toEqual([409, "transition_guard_failed"]);
    bench.account.held.clear();
    expect((await attest(id)).json).toMatchObject({ status: "revoke_failed", attestation: null });
    await world.controlPlane.tick();
    expect(await bench.read(id)).toMatchObject({ status: "revoked", attestation: null });
    bench.account.script = mute;
    expect(refusal(await attest(id))).toEqual([409, "invalid_transition"]);
  });

  it("is no matter of who asked for the access, of those who may only read, or of another tenant", async () => {
    const bench = await requestBench(world);
    const asked = await bench.asked("pending_approval");
    await bench.approve(asked.id);
    await bench.tick();
    const id = (await bench.request(asked.id)).items[0]?.assignmentId as string;
    expect(refusal(await attest(id))).toEqual([409, "transition_guard_failed"]);
    bench.account.script = (method) => {
      if (method === "revoke") throw new ConnectorError("invalid", "Not like this.");
    };
    await bench.act(id, "revoke", { reason });
    await bench.tick();
    bench.account.script = mute;
    expect(refusal(await attest(id, bench.requester))).toEqual([403, "self_approval_forbidden"]);
    expect(refusal(await attest(id, await world.a.newUser(["auditor"])))).toEqual([403, "permission_denied"]);
    expect(refusal(await attest(id, world.b.actors.owner))).toEqual([404, "not_found"]);
    expect(refusal(await attest(id, undefined, { evidence: "gone" }))).toEqual([400, "invalid_request"]);
    expect((await bench.read(id)).status).toBe("revoke_failed");
    expect((await attest(id)).json.status).toBe("attested");
  });

  it("does not keep its connection from being deleted, nor its asset from asking anew", async () => {
    const { bench, id } = await stuck();
    const count = async () => {
      const path = `/api/v1/access-targets/${bench.connectorInstanceId}`;
      return (await world.send("GET", path, { token: world.a.owner.token })).json.assignmentCount;
    };
    expect(await count()).toBe(1);
    await attest(id);
    expect(await count()).toBe(0);
    const [spec] = bench.account.held.values();
    expect((spec as GrantSpec).profileExternalId).toBe("read");
    bench.account.script = undefined;
    const again = await bench.decide({ duration: "P1D" });
    await later(0);
    expect(await bench.read(again)).toMatchObject({ status: "active" });
    expect(await bench.read(id)).toMatchObject({ status: "revoked", sharedGrant: true });
  });
});
