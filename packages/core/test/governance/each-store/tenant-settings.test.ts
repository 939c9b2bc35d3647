import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { FINDINGS, findingsOf, REASON } from "../../helpers/findings.js";
import { gatesOf } from "../../helpers/gates.js";
import { createWorld } from "../../helpers/world.js";

const SETTINGS = "/api/v1/tenant/settings";
const EVALUATE = "/api/v1/ai/policies/evaluate";
const NONE = { critical: null, high: null, medium: null, low: null, info: null };

let world: World;
let at: ReturnType<typeof gatesOf>;
beforeEach(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  at = gatesOf(world);
});

const set = (body: object) => at.done("PATCH", SETTINGS, body);
const decide = (more: object = {}) =>
  at.done("POST", EVALUATE, {
    subject: { type: "user", id: "someone" },
    action: { name: "pay", properties: { amount: 50, note: "private" } },
    resource: { type: "thing", id: "something" },
    ...more,
  });

/** Sets a setting of the provider. */
async function provider(name: string, value: unknown): Promise<void> {
  const { token } = world.provider.owner;
  const body = { configuration: { value }, reason: REASON };
  const { status, text } = await world.send("POST", `/api/v1/support/config/${name}`, { token, body });
  expect(status, text).toBe(200);
}

describe("G13 the settings of a tenant", () => {
  it("are those of the provider until it sets its own, and again after null", async () => {
    const before = await at.done("GET", SETTINGS);
    expect(before).toMatchObject({ decisionDefault: "deny", approvalMinutes: 60, loggedFields: [], evaluationDays: 7 });
    expect(before.slaDays).toEqual({ critical: 7, high: 30, medium: 90, low: 180, info: null });
    expect(await set({ approvalMinutes: 5, evaluationDays: 3 })).toMatchObject({
      approvalMinutes: 5,
      evaluationDays: 3,
    });
    expect(await set({ approvalMinutes: null })).toMatchObject({ approvalMinutes: 60, evaluationDays: 3 });
    const other = await world.send("GET", SETTINGS, { token: world.b.owner.token });
    expect(other.json).toMatchObject({ evaluationDays: 7 });
  });

  it("are never looser than the provider's, nor become so when those get stricter", async () => {
    const loose = [
      { decisionDefault: "allow" },
      { approvalMinutes: 61 },
      { evaluationDays: 8 },
      { slaDays: { ...NONE, critical: 8 } },
      { slaDays: NONE },
    ];
    for (const body of loose) {
      const { status, json } = await at.ask("PATCH", SETTINGS, body);
      const [name] = Object.keys(body);
      expect([status, json.errors?.[0]?.pointer], JSON.stringify(body)).toEqual([400, `/${name}`]);
    }
    await provider("decisions.default", "allow");
    await set({ decisionDefault: "allow", approvalMinutes: 30 });
    expect((await decide()).status).toBe("allow");
    await provider("decisions.default", "deny");
    await provider("decisions.approvalMinutes", 10);
    expect(await at.done("GET", SETTINGS)).toMatchObject({ decisionDefault: "deny", approvalMinutes: 10 });
    expect((await decide()).status).toBe("deny");
  });

  it("say what a decision is where no rule speaks", async () => {
    await provider("decisions.default", "allow");
    expect((await decide()).status).toBe("allow");
    await set({ decisionDefault: "deny" });
    expect((await decide()).status).toBe("deny");
    const principal = await world.controlPlane.principalOf(world.a.tenantId, world.a.owner.userId);
    const thing = { type: "thing", id: "1" };
    expect(
      await world.controlPlane.decide(principal, { subject: thing, action: { name: "x" }, resource: thing }),
    ).toMatchObject({
      status: "deny",
    });
  });

  it("say when findings are due", async () => {
    await set({ slaDays: { critical: 1, high: 2, medium: 3, low: 4, info: 5 } });
    const id = await at.policy("asset.hasTeam", { severity: "high" });
    const assetId = await world.a.newAsset({ provider: "gated" });
    await at.run();
    const [finding] = (await at.done("GET", `${FINDINGS}?policyId=${id}`)).items;
    expect(finding).toMatchObject({ assetId, dueAt: findingsOf(world).inDays(2) });
    await world.controlPlane.tick();
    const review = { action: "override_severity", severity: "critical", reason: REASON };
    await at.done("POST", `${FINDINGS}/${finding.id}/review-actions`, review);
    expect((await at.done("GET", `${FINDINGS}/${finding.id}`)).dueAt).toBe(findingsOf(world).inDays(1));
  });

  it("say what approvers and back-tests see of a request, and how long it waits", async () => {
    const policyId = await world.a.newPolicy("runtime", {
      rules: [{ key: "large", effect: "require_approval", if: "action.properties.amount > 10", message: "Large." }],
      tests: [{ name: "large", input: { action: { properties: { amount: 11 } } }, expect: "require_approval" }],
    });
    await at.activate(policyId);
    const backTest = () => at.done("POST", `/api/v1/ai-governance/policies/${policyId}/back-test`, { days: 1 });
    await decide();
    const { decisions, unknown } = (await backTest()).overRequests;
    expect(unknown).toBe(decisions);
    await set({ loggedFields: ["action.properties.amount"], approvalMinutes: 5 });
    const { id } = (await decide({ resource: { type: "thing", id: "another" } })).context.approval;
    const seen = await at.done("GET", `/api/v1/ai-governance/approvals/${id}`, undefined, world.a.actors.approver);
    expect(seen.input).toEqual({ "action.properties.amount": 50 });
    expect(seen.expiresAt).toBe(new Date(world.clock.now() + 300_000).toISOString());
    expect((await backTest()).overRequests).toMatchObject({ unknown, decisions: decisions + 1 });
  });
});
