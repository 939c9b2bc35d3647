import { type Actor, askOf, newAssessment, newRule, type Scene, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { providerOf } from "../../helpers/provider.js";
import { createWorld } from "../../helpers/world.js";

const DAY = 86_400_000;
const look = async (scene: Scene, actor: Actor = scene.owner) =>
  (await scene.send("GET", "/api/v1/ai/overview?size=100", { token: actor.token })).json;
const kinds = ({ attention }: { attention: { items: { kind: string }[] } }) => attention.items.map(({ kind }) => kind);

describe("decisions in the overview", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ tokenLifetime: 86_400 });
  });
  const ask = async (scene: Scene, effect: "allow" | "deny" | "require_approval") => {
    await newRule(scene, effect);
    const sent = { token: scene.actors.operator.token, body: askOf(scene) };
    const { json } = await scene.send("POST", "/api/v1/ai/policies/evaluate", sent);
    expect(json.status).toBe(effect);
  };

  it("are counted by what was decided within a day, each tenant its own", async () => {
    const { a, b } = world;
    const before = (await look(a)).activity.decisions;
    const others = (await look(b)).activity.decisions;
    // The world's own pending one.
    expect(before).toEqual({ hours: 24, allowed: 0, denied: 0, approvalRequired: 1, relation: "exact" });
    await ask(a, "allow");
    await ask(a, "allow");
    await ask(a, "deny");
    await ask(a, "require_approval");
    expect((await look(a)).activity.decisions).toEqual({ ...before, allowed: 2, denied: 1, approvalRequired: 2 });
    expect((await look(b)).activity.decisions).toEqual(others);
  });

  it("that wait for somebody are counted, and are something to look at until their time is over", async () => {
    const { a, b, clock } = world;
    const seen = await look(a);
    const { items } = (await a.send("GET", "/api/v1/ai-governance/approvals?size=100", { token: a.owner.token })).json;
    expect(seen.approvals).toEqual({ total: items.length, byStatus: { requested: items.length } });
    const item = seen.attention.items.find(({ kind }: { kind: string }) => kind === "approvals_requested");
    expect(item).toMatchObject({ severity: "medium", title: "2 actions wait for approval", count: 2 });
    const led = (await a.send("GET", item.href, { token: a.owner.token })).json;
    expect(led.totalItems).toBe(2);
    expect((await look(b)).approvals).toEqual({ total: 1, byStatus: { requested: 1 } });
    clock.advance(2 * 3_600_000);
    const later = await look(a);
    expect(later.approvals).toEqual({ total: 2, byStatus: { expired: 2 } });
    expect(kinds(later)).not.toContain("approvals_requested");
    clock.advance(DAY);
    a.actors.owner = await a.signIn(a.owner.userId, a.owner);
    const { decisions } = (await look(a)).activity;
    expect([decisions.allowed, decisions.denied, decisions.approvalRequired]).toEqual([0, 0, 0]);
  });
});

describe("compliance in the overview", () => {
  it("is the posture that was kept last, with its day, and never another tenant's", async () => {
    const { a, b, clock, controlPlane, send } = await createWorld({ tokenLifetime: 86_400 });
    expect((await look(a)).compliance).toEqual({ posture: null });
    await controlPlane.tick();
    expect((await look(a)).compliance).toEqual({ posture: null });
    const id = await newAssessment(a, { assetId: null, controlId: "GOVERN 1.2" });
    await send("PUT", `/api/v1/ai/compliance/${id}`, { token: a.owner.token, body: { status: "partial" } });
    clock.advance(18 * 3_600_000);
    await controlPlane.tick();
    const posture = (await send("GET", "/api/v1/ai/compliance/posture", { token: a.owner.token })).json;
    const grade = ({ score, coverage }: { score: number | null; coverage: number }) => ({ score, coverage });
    const kept = {
      asOf: posture.asOf,
      inputsDigest: posture.inputsDigest,
      overall: grade(posture.overall),
      frameworks: posture.items
        .map((each: { framework: string; score: number | null; coverage: number }) => ({
          framework: each.framework,
          ...grade(each),
        }))
        .sort((one: { framework: string }, other: { framework: string }) => (one.framework < other.framework ? -1 : 1)),
    };
    expect(kept.overall.score).toBe(50);
    expect((await look(a)).compliance).toEqual({ posture: kept });
    // Later changes are in the next day's posture.
    await send("PUT", `/api/v1/ai/compliance/${id}`, { token: a.owner.token, body: { status: "non_compliant" } });
    expect((await look(a)).compliance.posture).toEqual(kept);
    expect((await look(b)).compliance).toEqual({ posture: null });
    clock.advance(DAY);
    a.actors.owner = await a.signIn(a.owner.userId, a.owner);
    await controlPlane.tick();
    expect((await look(a)).compliance.posture).toMatchObject({ overall: { score: 0 } });
  });
});

describe("what the overview shows", () => {
  it("is what the role may see", async () => {
    const roles = {
      looks_at_compliance: {
        description: "Looks at compliance",
        permissions: ["ai-overview:read", "ai-compliance:read"],
      },
      waiting_room: { description: "Looks at approvals", permissions: ["ai-overview:read", "ai-approval:read"] },
    };
    const { a } = await createWorld({ roles });
    const shown = async (role: string) => look(a, await a.newUser([role]));
    const auditor = await shown("looks_at_compliance");
    expect(Object.keys(auditor)).toEqual(["asOf", "compliance", "attention"]);
    expect(auditor.attention.items).toEqual([]);
    const approver = await shown("waiting_room");
    expect(Object.keys(approver)).toEqual(["asOf", "approvals", "attention"]);
    expect(kinds(approver)).toEqual(["approvals_requested"]);
  });

  it("is what the tenant is licensed for, from the moment on that it is or is not", async () => {
    const world = await createWorld();
    const { a, b, clock } = world;
    const licence = (key: string, body: object) =>
      providerOf(world).post(`tenants/${a.tenantId}/entitlements/capability/${key}`, body);
    const whole = await look(a);
    expect(Object.keys(whole)).toEqual(expect.arrayContaining(["findings", "approvals", "compliance"]));
    await licence("ai_governance", { status: "revoked" });
    const expiresAt = new Date(clock.now() + 60_000).toISOString();
    await licence("compliance", { configuration: { expiresAt } });
    const less = await look(a);
    const gone = (one: object, other: object) => Object.keys(one).filter((name) => !(name in other));
    expect(gone(whole, less)).toEqual(["findings", "approvals"]);
    expect(kinds(less).filter((kind) => /approvals_requested|exemptions|findings/.test(kind))).toEqual([]);
    clock.advance(60_000);
    expect(gone(whole, await look(a))).toEqual(["findings", "approvals", "compliance"]);
    expect(Object.keys(await look(b))).toEqual(Object.keys(whole));
    await licence("ai_governance", { status: "licensed" });
    expect((await look(a)).approvals).toEqual(whole.approvals);
  });

  it("is the same in process, as licences come and go", async () => {
    const world = await createWorld();
    const { a, controlPlane } = world;
    const principal = await controlPlane.principalOf(a.tenantId, a.owner.userId);
    const within = () => controlPlane.call("aiOverview.read", principal, { query: { size: 100 } });
    const whole = await look(a);
    expect(Object.keys(await within())).toEqual(Object.keys(whole));
    expect(Object.keys(whole)).toContain("findings");
    await providerOf(world).post(`tenants/${a.tenantId}/entitlements/capability/ai_governance`, { status: "revoked" });
    const less = await look(a);
    expect(Object.keys(await within())).toEqual(Object.keys(less));
    expect(Object.keys(less)).not.toContain("findings");
  });
});
