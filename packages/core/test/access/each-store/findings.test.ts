import { ConnectorError } from "@reeve/core/connectors";
import type { Actor, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { accessBench } from "../../helpers/access.js";
import { findingsOf as reviewsOf } from "../../helpers/findings.js";
import { requestBench } from "../../helpers/requests.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  // Tests move the clock by days.
  world = await createWorld({ tokenLifetime: 86_400 });
});

const HOUR = 3_600_000;
const reason = "because a test wants it so";
const AT = "/api/v1/ai-governance/findings";
const send = (method: string, path: string, body?: object, as: Actor = world.a.actors.owner, headers = {}) =>
  world.send(method, path, { token: as.token, headers, ...(body ? { body } : {}) });
const ok = async (method: string, path: string, body?: object, as?: Actor) => {
  const answer = await send(method, path, body, as, { "if-match": "*" });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
};
const findingsOf = async (assetId: string, query = "") =>
  (await ok("GET", `${AT}?source=access&assetId=${assetId}${query}`)).items;
const later = async (milliseconds: number) => {
  world.clock.advance(milliseconds);
  await world.controlPlane.tick();
};
const openOf = async (severity: string): Promise<number> =>
  (await ok("GET", "/api/v1/ai-governance/dashboard/summary")).findings.matrix.open?.[severity] ?? 0;

/** Access whose end the target does not confirm. */
async function stuck() {
  const bench = await accessBench(world);
  const id = await bench.decide({ duration: "P30D" });
  await world.controlPlane.tick();
  bench.account.script = (method) => {
    if (method === "revoke") throw new ConnectorError("permission", "Not allowed.");
  };
  await bench.act(id, "revoke", { reason });
  await world.controlPlane.tick();
  expect(await bench.read(id)).toMatchObject({ status: "revoke_failed" });
  return { bench, id };
}

describe("a finding about access", () => {
  it("tells of a revocation that the target does not confirm, once, until it does", async () => {
    const before = await openOf("critical");
    const { bench, id } = await stuck();
    const [finding, ...others] = await findingsOf(bench.assetId);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      ...{ status: "open", severity: "critical", effectiveSeverity: "critical", source: "access", locus: id },
      ...{ policyId: null, policyKey: "reeve/access", policyRevision: null, ruleKey: "revoke_failed", gate: false },
      evidence: { values: { assignmentId: id, profile: "read", failure: { errorClass: "permission" } } },
    });
    expect(await openOf("critical")).toBe(before + 1);
    expect((await ok("GET", `/api/v1/ai-assets/${bench.assetId}`)).openFindings).toMatchObject({ critical: 1 });
    await later(2 * HOUR);
    await later(2 * HOUR);
    expect(await findingsOf(bench.assetId)).toMatchObject([{ id: finding.id, version: finding.version }]);
    bench.account.script = undefined;
    await bench.act(id, "revoke", { reason });
    await later(HOUR);
    expect(await bench.read(id)).toMatchObject({ status: "revoked" });
    expect(await findingsOf(bench.assetId)).toMatchObject([{ id: finding.id, status: "resolved" }]);
    expect(await openOf("critical")).toBe(before);
    expect((await ok("GET", `/api/v1/ai-assets/${bench.assetId}`)).openFindings?.critical ?? 0).toBe(0);
  });

  it("stays through an evaluation by policies, and nobody is exempted from it", async () => {
    const { bench } = await stuck();
    const [finding] = await findingsOf(bench.assetId);
    await ok("POST", "/api/v1/ai-governance/evaluations/run", {});
    await world.controlPlane.tick();
    expect(await findingsOf(bench.assetId)).toMatchObject([{ id: finding.id, status: "open" }]);
    const { review, ask } = reviewsOf(world);
    const refused = await review(finding.id, { action: "request_exemption", reason });
    expect([refused.status, refused.json.code], refused.text).toEqual([409, "transition_guard_failed"]);
    const scope = { fingerprint: finding.fingerprint };
    const exemption = await ask("POST", "/api/v1/ai-governance/exemptions", { scope, reason });
    expect([exemption.status, exemption.json.code], exemption.text).toEqual([400, "invalid_reference"]);
  });

  it("is dismissed by two people, as any other grave one, and seen by nobody of another tenant", async () => {
    const { bench } = await stuck();
    const [finding] = await findingsOf(bench.assetId);
    const { review } = reviewsOf(world);
    const asked = await review(finding.id, { action: "dismiss", reasonCode: "false_positive", reason });
    expect([asked.status, asked.json.outcome], asked.text).toEqual([201, "awaiting_four_eyes"]);
    expect(await findingsOf(bench.assetId)).toMatchObject([{ status: "open" }]);
    expect((await send("GET", `${AT}/${finding.id}`, undefined, world.b.actors.owner)).status).toBe(404);
    const theirs = await ok("GET", `${AT}?source=access`, undefined, world.b.actors.owner);
    expect(theirs.items).toEqual([]);
  });

  it("tells of a request that nobody may decide, until somebody may", async () => {
    const bench = await requestBench(world, null);
    const approvers = [{ kind: "user", id: bench.first.userId }];
    await bench.policy({ stages: [{ name: "security", approvers }] });
    const user = `/api/v1/users/${bench.first.userId}`;
    await ok("PATCH", user, { status: "disabled", reason });
    const asked = await bench.asked("pending_approval");
    expect(await findingsOf(bench.assetId)).toMatchObject([
      {
        status: "open",
        severity: "medium",
        ruleKey: "request_unmanned",
        evidence: { values: { requestId: asked.id } },
      },
    ]);
    await later(HOUR / 2);
    expect(await findingsOf(bench.assetId)).toMatchObject([{ status: "open", occurrences: 1 }]);
    await ok("PATCH", user, { status: "active", reason });
    await later(HOUR / 2);
    expect(await findingsOf(bench.assetId)).toMatchObject([{ status: "resolved" }]);
    expect((await bench.request(asked.id)).status).toBe("pending_approval");
  });

  it("about a request ends with it", async () => {
    const bench = await requestBench(world, null);
    await bench.policy({ stages: [{ approvers: [{ kind: "user", id: bench.requester.userId }] }] });
    const asked = await bench.asked("pending_approval");
    expect(await findingsOf(bench.assetId)).toMatchObject([{ status: "open" }]);
    expect((await bench.verb(asked.id, "cancel", bench.requester, { reason })).status).toBe(200);
    expect(await findingsOf(bench.assetId)).toMatchObject([{ status: "resolved" }]);
  });
});
