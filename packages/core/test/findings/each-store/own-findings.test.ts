import type { Answer, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

let world: World;
let finding: string;
const REASON = "because a test wants it so";
const act = (action: string, more: object, who = world.a.actors.member): Promise<Answer> =>
  world.send("POST", `/api/v1/ai-governance/findings/${finding}/review-actions`, {
    token: who.token,
    body: { action, ...more },
  });

beforeAll(async () => {
  world = await createWorld();
});

describe("the owner of an asset", () => {
  it("acknowledges, works on, comments on, links and claims findings of the own asset, and asks for an exemption", async () => {
    const owner = { type: "user", id: world.a.actors.member.userId };
    finding = await world.a.newFinding(await world.a.newAsset({ owner }));
    for (const [action, more] of [
      ["acknowledge", {}],
      ["comment", { comment: "It is the old key." }],
      ["link_ticket", { ticketRef: "OPS-4" }],
      ["start_remediation", {}],
      ["claim_fixed", {}],
      ["request_exemption", { reason: REASON }],
    ] as const) {
      const answer = await act(action, more);
      expect(answer.status, answer.text).toBe(201);
    }
  });

  it("neither dismisses nor reopens it, nor decides about its severity or exemptions", async () => {
    for (const [action, more] of [
      ["dismiss", { reasonCode: "duplicate", reason: REASON }],
      ["override_severity", { severity: "low", reason: REASON }],
      ["reopen", { reason: REASON }],
      ["approve_exemption", {}],
      ["reject_exemption", { reason: REASON }],
      ["assign", { assignee: null }],
    ] as const) {
      const answer = await act(action, more);
      expect([answer.status, answer.json.code], action).toEqual([403, "permission_denied"]);
    }
  });

  it("does nothing about findings of somebody else's asset, nor of another tenant's", async () => {
    const own = finding;
    finding = await world.a.newFinding(await world.a.newAsset());
    expect((await act("acknowledge", {})).json).toMatchObject({ status: 403, permission: "ai-finding:review" });
    finding = own;
    expect((await act("comment", { comment: "hello" }, world.b.actors.member)).status).toBe(404);
  });
});
