import type { Actor, World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

const ASSETS = "/api/v1/ai-assets";
const reason = "Because the test wants it so.";

let world: World;
let member: Actor;
beforeEach(async () => {
  world = await createWorld();
  member = await world.a.newUser(["member"]);
});

const send = (method: string, path: string, body?: object, who: Pick<Actor, "token"> = world.a.owner) =>
  world.send(method, path, { token: who.token, ...(body ? { body } : {}) });
const govern = (id: string, status: string, who?: Pick<Actor, "token">) =>
  send("PATCH", `${ASSETS}/${id}/governance-state`, { status, reason }, who);
const effective = async (id: string) => (await send("GET", `${ASSETS}/${id}/effective`)).json;
const denied = (state: string) => ({ decision: "deny", reasons: [`governance_state:${state}`] });

/** An asset in development that was suspended, or rejected in its review. */
async function stopped(how: "suspended" | "rejected", more: object = {}): Promise<string> {
  const { governance_officer: officer, approver } = world.a.actors;
  const id = await world.a.newAsset({ environment: "development", ...more });
  if (how === "rejected") await govern(id, "under_review");
  expect((await govern(id, how, how === "rejected" ? approver : officer)).status).toBe(200);
  return id;
}

describe.each(["suspended", "rejected"] as const)("a review of what was %s", (how) => {
  it("lets nobody use it, and returns it when it is withdrawn", async () => {
    const id = await stopped(how);
    expect(await govern(id, "under_review", member)).toMatchObject({
      status: 200,
      json: { governanceState: "under_review", priorGovernanceState: how },
    });
    expect(await effective(id)).toMatchObject(denied(how));
    expect(await govern(id, "unreviewed", member)).toMatchObject({
      status: 200,
      json: { governanceState: how, priorGovernanceState: null },
    });
    expect(await effective(id)).toMatchObject(denied(how));
    const [last] = (await send("GET", `${ASSETS}/${id}/governance-state/history`)).json.items;
    expect(last).toMatchObject({ from: "under_review", to: how });
  });

  it("keeps its record blocked, its agent out of sessions and what depends on it denied", async () => {
    const id = await stopped(how, { assetType: "agent" });
    const relations = [{ type: "hosted_on", targetId: id }];
    const child = await world.a.newAsset({ environment: "development", assetType: "agent", relations });
    await govern(id, "under_review", member);
    const { record } = (await send("GET", `${ASSETS}/${id}`)).json;
    const agent = async () => (await send("GET", record.path)).json;
    const shown = { blockedBy: `governance_state:${how}`, status: how === "rejected" ? "disabled" : "suspended" };
    expect(await agent()).toMatchObject(shown);
    expect((await send("PUT", record.path, { status: "active", reason }, world.a.actors.admin)).json).toMatchObject(
      shown,
    );
    const started = await send("POST", "/api/v1/ai/sessions", { agentId: id });
    expect(started.status).not.toBe(201);
    expect((await effective(child)).decision).toBe("deny");
    await govern(id, "approved", world.a.actors.approver);
    expect(await agent()).toMatchObject({ blockedBy: null, status: "active" });
  });

  it("ends with the approval of another person only", async () => {
    const id = await stopped(how);
    await govern(id, "under_review", member);
    const { approver, governance_officer: officer } = world.a.actors;
    expect((await govern(id, "approved", member)).json.code).toBe("permission_denied");
    expect((await govern(id, how, member)).json.code).toBe("permission_denied");
    expect(await govern(id, "approved", how === "rejected" ? approver : officer)).toMatchObject(
      how === "rejected" ? { status: 200 } : { status: 403, json: { code: "self_approval_forbidden" } },
    );
    const { json } = await govern(id, "approved", approver);
    expect(json).toMatchObject({ governanceState: "approved", priorGovernanceState: null });
    expect((await effective(id)).decision).toBe("allow");
  });

  it("is not left by a suspension, a retirement or another review", async () => {
    const { governance_officer: officer, approver } = world.a.actors;
    const id = await stopped(how);
    await govern(id, "under_review", member);
    await govern(id, "suspended", officer);
    for (const state of ["unreviewed", "under_review"]) await govern(id, state, member);
    expect(await effective(id)).toMatchObject(denied("suspended"));
    expect((await govern(id, "unreviewed", member)).json.governanceState).toBe("suspended");
    expect((await govern(id, "unreviewed", approver)).json.code).toBe("transition_guard_failed");
    for (const status of ["retired", "registered"])
      expect((await send("PATCH", `${ASSETS}/${id}/lifecycle`, { status, reason })).status).toBe(200);
    await govern(id, "under_review", member);
    expect(await effective(id)).toMatchObject(denied("suspended"));
  });
});

describe("a review of what nobody stopped", () => {
  it("is withdrawn to unreviewed, and denies in production only", async () => {
    const id = await world.a.newAsset({ environment: "development" });
    await govern(id, "under_review", member);
    expect((await effective(id)).decision).toBe("allow");
    expect((await govern(id, "unreviewed", member)).json).toMatchObject({
      governanceState: "unreviewed",
      priorGovernanceState: null,
    });
  });
});
