import type { Answer, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { EXEMPTIONS, findingsOf, REASON } from "../../helpers/findings.js";
import { raceRounds } from "../../helpers/race-rounds.js";
import { createWorld } from "../../helpers/world.js";

const ROUNDS = raceRounds(8);

let world: World;
let at: ReturnType<typeof findingsOf>;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  at = findingsOf(world);
});

const codes = (answers: readonly Answer[]) => answers.map(({ status, json }) => (status < 300 ? "done" : json.code));
const REFUSED = ["invalid_transition", "concurrent_modification", "precondition_failed"];
/** Approves a request as it was made. */
const approve = (id: string) =>
  world.send("PATCH", `${EXEMPTIONS}/${id}/approve`, {
    token: world.a.owner.token,
    headers: { "if-match": '"1"' },
    body: { reason: REASON },
  });

describe("at the same time", () => {
  it("a request is approved, rejected and taken back, and one of these it is", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const finding = await at.found();
      const { id } = await at.requested({ scope: { fingerprint: finding.fingerprint } });
      const verbs = ["approve", "reject", "withdraw"];
      const order = [...verbs.slice(round % 3), ...verbs.slice(0, round % 3)];
      const answers = await Promise.all(
        order.map((verb) =>
          verb === "approve" ? approve(id) : at.ask("PATCH", `${EXEMPTIONS}/${id}/${verb}`, { reason: REASON }),
        ),
      );
      const reported = codes(answers);
      expect(reported.filter((code) => code === "done")).toHaveLength(1);
      expect(reported.filter((code) => code !== "done" && !REFUSED.includes(code))).toEqual([]);
      const { status } = (await at.ask("GET", `${EXEMPTIONS}/${id}`)).json;
      expect((await at.read(finding.id)).status).toBe(status === "approved" ? "exempted" : "open");
    }
  });

  it("an exemption is approved and revoked, and its findings agree with it", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const finding = await at.found();
      const { id } = await at.requested({ scope: { fingerprint: finding.fingerprint } });
      const answers = await Promise.all([approve(id), at.revoke(id), approve(id), at.revoke(id)]);
      expect(codes(answers).filter((code) => code !== "done" && !REFUSED.includes(code))).toEqual([]);
      const { status } = (await at.ask("GET", `${EXEMPTIONS}/${id}`)).json;
      const { status: found, covers } = await at.read(finding.id);
      expect([status, found, covers.length]).toEqual(
        status === "approved" ? ["approved", "exempted", 1] : ["revoked", "open", 0],
      );
    }
  });

  it("an exemption is asked for and approved while its policy is deleted, and none is left", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const policyKey = world.a.unique().toLowerCase();
      const policyId = await world.a.newPolicy("posture", { key: policyKey });
      const finding = await at.found({ policyId, policyKey });
      const scope = { policyKey, assetId: finding.assetId };
      const { id } = await at.requested({ scope });
      const answers = await Promise.all([
        approve(id),
        at.ask("POST", EXEMPTIONS, { scope, reason: REASON }),
        at.ask("DELETE", `/api/v1/ai-governance/policies/${policyId}`),
        at.ask("POST", EXEMPTIONS, { scope, reason: REASON }),
      ]);
      const refused = [...REFUSED, "invalid_reference"];
      expect(codes(answers).filter((code) => code !== "done" && !refused.includes(code))).toEqual([]);
      expect(answers[2]?.status).toBe(204);
      const made = [id, ...answers.filter(({ status }) => status === 201).map(({ json }) => json.id)];
      for (const each of made) expect((await at.ask("GET", `${EXEMPTIONS}/${each}`)).json.status).toBe("lapsed");
      expect(await at.read(finding.id)).toMatchObject({ status: "open", covers: [] });
    }
  });

  it("two overlapping exemptions are revoked, and nothing is exempted any more", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const finding = await at.found();
      const scope = { fingerprint: finding.fingerprint };
      const [one, other] = [await at.approved({ scope }), await at.approved({ scope })];
      const answers = await Promise.all([at.revoke(one.id), at.revoke(other.id)]);
      expect(codes(answers)).toEqual(["done", "done"]);
      expect(await at.read(finding.id)).toMatchObject({ status: "open", covers: [] });
    }
  });

  it("two second people dismiss a grave finding, and one of them is the second", async () => {
    const { governance_officer: officer, approver, admin } = world.a.actors;
    const wish = { action: "dismiss", reasonCode: "false_positive", reason: REASON };
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await at.found({ severity: "critical" });
      await at.review(id, wish, officer);
      const answers = await Promise.all([at.review(id, wish, approver), at.review(id, wish, admin)]);
      expect(codes(answers).sort()).toEqual(["done", "invalid_transition"]);
      const { status, dismissal } = await at.read(id);
      expect([status, dismissal?.by]).toEqual(["dismissed", officer.userId]);
      expect([approver.userId, admin.userId]).toContain(dismissal?.confirmedBy);
    }
  });

  it("two people ask for a dismissal, and neither counts twice", async () => {
    const { governance_officer: officer } = world.a.actors;
    const wish = { action: "dismiss", reasonCode: "false_positive", reason: REASON };
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await at.found({ severity: "high" });
      const answers = await Promise.all([at.review(id, wish, officer), at.review(id, wish, officer)]);
      expect(codes(answers).sort()).toEqual(["done", "self_approval_forbidden"]);
      expect((await at.read(id)).status).toBe("open");
    }
  });
});
