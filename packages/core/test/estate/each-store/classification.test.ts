import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

const ASSETS = "/api/v1/ai-assets";
const REASON = "a reason of more than ten characters";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const send = (method: string, path: string, body?: object, token = world.a.owner.token) =>
  world.send(method, path, { token, body });
const put = (id: string, body: object, token?: string) => send("PUT", `${ASSETS}/${id}`, body, token);
const classify = (id: string, body: object, token = world.a.actors.approver.token) =>
  send("PATCH", `${ASSETS}/${id}/classification`, { reason: REASON, ...body }, token);
const effective = async (id: string) => (await send("GET", `${ASSETS}/${id}/effective`)).json;
const govern = (id: string, status: string, token = world.a.actors.approver.token) =>
  send("PATCH", `${ASSETS}/${id}/governance-state`, { status, reason: REASON }, token);

async function approved(more: object = {}): Promise<string> {
  const id = await world.a.newAsset({ riskTier: "high", dataClassification: "confidential", ...more });
  await govern(id, "under_review", world.a.owner.token);
  expect((await govern(id, "approved")).status).toBe(200);
  return id;
}

describe("E3 the class of an asset", () => {
  it("is said by reviewers with a rationale, which is kept", async () => {
    const id = await approved();
    const { json } = await classify(id, { riskTier: "minimal", dataClassification: "public" });
    const by = world.a.actors.approver.userId;
    expect(json).toMatchObject({ riskTier: "minimal", dataClassification: "public", governanceState: "approved" });
    expect(json.classified).toEqual({ by, at: new Date(world.clock.now()).toISOString(), rationale: REASON });
    const [event] = (await send("GET", `${ASSETS}/${id}/activity?size=1`)).json.items;
    expect(event).toMatchObject({ authid: by, data: { reason: REASON } });
  });

  it("is said by nobody else, nor without a rationale, nor by machines, nor elsewhere", async () => {
    const id = await approved();
    const { member, operator } = world.a.actors;
    for (const { token } of [member, operator])
      expect((await classify(id, { riskTier: "minimal" }, token)).json.permission).toBe("ai-governance:approve");
    expect((await classify(id, { riskTier: "minimal", reason: undefined })).status).toBe(400);
    expect((await classify(await world.b.newAsset(), { riskTier: "minimal" })).status).toBe(404);
  });

  it("is lowered by somebody without a conflict of interest in the asset, and raised by anybody who reviews", async () => {
    const { approver } = world.a.actors;
    const own = await world.a.newAsset({ riskTier: "high", owner: { type: "user", id: approver.userId } });
    expect((await classify(own, { riskTier: "minimal" })).json.code).toBe("self_approval_forbidden");
    expect((await classify(own, { riskTier: "prohibited" })).status).toBe(200);
  });

  it("does not involve the reviewer in the asset", async () => {
    const id = await world.a.newAsset({ riskTier: "high" });
    await govern(id, "under_review", world.a.owner.token);
    await classify(id, { riskTier: "limited" });
    expect((await govern(id, "approved")).json.governanceState).toBe("approved");
  });

  it.each<[string, object]>([
    ["riskTier", { riskTier: "unclassified" }],
    ["dataClassification", { dataClassification: "unknown" }],
  ])("that others lower sends the asset back to review, whatever else does: %s", async (_field, change) => {
    world = await createWorld({ reReviewOn: [] });
    const id = await approved();
    await classify(id, { riskTier: "high", dataClassification: "confidential" });
    expect((await put(id, { riskTier: "prohibited", purpose: "p" })).json).toMatchObject({
      governanceState: "approved",
      classified: null,
    });
    await classify(id, { riskTier: "high" });
    expect((await put(id, change, world.a.actors.member.token)).json).toMatchObject({
      governanceState: "under_review",
      classified: null,
    });
  });

  it("prohibited is neither approved, nor produced, nor used", async () => {
    const waiting = await world.a.newAsset({ riskTier: "prohibited" });
    await govern(waiting, "under_review", world.a.owner.token);
    const refused = await govern(waiting, "approved");
    expect([refused.status, refused.json.guards]).toMatchObject([409, [{ key: "permitted", ok: false }]]);
    const id = await approved();
    await send("PATCH", `${ASSETS}/${id}/lifecycle`, { status: "validation" });
    await classify(id, { riskTier: "prohibited" });
    expect(await effective(id)).toMatchObject({ decision: "deny", reasons: ["risk_tier:prohibited"] });
    const promoted = await send("PATCH", `${ASSETS}/${id}/lifecycle`, { status: "production" });
    expect(promoted.json.guards.find(({ key }: { key: string }) => key === "permitted").ok).toBe(false);
  });
});

describe("S19 an asset in production", () => {
  it("is called another environment's only by who may take it back from there", async () => {
    const { member, operator } = world.a.actors;
    const agent = (await send("POST", "/api/v1/ai/agents", { environment: "production" }, member.token)).json;
    expect((await effective(agent.assetId)).decision).toBe("deny");
    for (const path of [`${ASSETS}/${agent.assetId}`, `/api/v1/ai/agents/${agent.id}`]) {
      const refused = await send("PUT", path, { environment: "development" }, member.token);
      expect([refused.status, refused.json.permission]).toEqual([403, "ai-asset:promote"]);
    }
    expect((await put(agent.assetId, { environment: "development" }, operator.token)).status).toBe(200);
    expect((await put(agent.assetId, { environment: "production" }, member.token)).status).toBe(200);
  });

  it("goes back to review when it is called another environment's, whatever else does", async () => {
    world = await createWorld({ reReviewOn: [] });
    const id = await approved({ environment: "production" });
    expect((await put(id, { environment: "staging" })).json.governanceState).toBe("under_review");
  });
});
