import { type Actor, askOf, newApproval, newRule, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import type { Principal } from "../../../src/index.js";
import { eventTypes } from "../../helpers/facts.js";
import { changePolicy } from "../../helpers/policies.js";
import { createWorld } from "../../helpers/world.js";

const EVALUATE = "/api/v1/ai/policies/evaluate";
const APPROVALS = "/api/v1/ai-governance/approvals";
const reason = "because a test wants it so";
const MINUTE = 60_000;

let world: World;
let asker: Actor;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  asker = world.a.actors.operator;
});

const evaluate = (body: object, as: Actor = asker) => world.send("POST", EVALUATE, { token: as.token, body });
const decide = (id: string, verb: "approve" | "reject", as: Actor = world.a.owner, body: object = { reason }) =>
  world.send("PATCH", `${APPROVALS}/${id}/${verb}`, { token: as.token, body });
const read = async (id: string, as: Actor = world.a.owner) =>
  (await world.send("GET", `${APPROVALS}/${id}`, { token: as.token })).json;
const using = (approvalId: string, more: object = {}) => ({ ...askOf(world.a), context: { approvalId }, ...more });

describe("an action that needs approval", () => {
  it("waits, is approved by somebody else, and is allowed once", async () => {
    await newRule(world.a, "require_approval");
    const before = (await eventTypes(world.a)).length;
    const { json } = await evaluate(askOf(world.a));
    const { approval, actionDigest } = json.context;
    expect(json).toMatchObject({ status: "require_approval", decision: false, context: { ttlMs: 0 } });
    expect(await read(approval.id)).toMatchObject({
      status: "requested",
      actionDigest,
      requestedBy: asker.userId,
      expiresAt: new Date(world.clock.now() + 60 * MINUTE).toISOString(),
    });
    // Asked again while the request is pending: the same request.
    expect((await evaluate(using(approval.id))).json.context.approval).toEqual(approval);
    expect(await decide(approval.id, "approve")).toMatchObject({
      status: 200,
      json: { status: "approved", decidedBy: world.a.owner.userId, decisionReason: reason },
    });
    // An approval is used only by a request that names it.
    expect((await evaluate(askOf(world.a))).json.status).toBe("require_approval");
    const allowed = (await evaluate(using(approval.id))).json;
    expect(allowed).toMatchObject({ status: "allow", decision: true, context: { ttlMs: 0, actionDigest } });
    expect(await read(approval.id)).toMatchObject({ status: "used", usedBy: allowed.id });
    const again = (await evaluate(using(approval.id))).json;
    expect(again.status).toBe("require_approval");
    expect(again.context.approval.id).not.toBe(approval.id);
    expect((await eventTypes(world.a, before)).filter((type) => !type.startsWith("policy"))).toEqual([
      "decision_approval.created",
      "decision.approval_required",
      "decision.approval_required",
      "decision.related_party",
      "decision_approval.status.changed",
      "decision.approval_required",
      "decision_approval.status.changed",
      "decision.allowed",
      "decision_approval.created",
      "decision.approval_required",
    ]);
  });

  it.each([
    ["another resource", { resource: { type: "thing", id: "another" } }],
    ["another subject", { subject: { type: "user", id: "another" } }],
    ["other arguments", { properties: { amount: 2 } }],
  ])("is bound to that action: an approval covers no %s", async (_what, change) => {
    await newRule(world.a, "require_approval");
    const action = { name: world.a.picked, properties: { amount: 1 } };
    const { id } = (await evaluate({ ...askOf(world.a), action })).json.context.approval;
    await decide(id, "approve");
    const { properties, ...parties } = change as { properties?: object };
    const other = await evaluate(using(id, { action: properties ? { ...action, properties } : action, ...parties }));
    expect(other.json).toMatchObject({ status: "require_approval", decision: false });
    expect(other.json.context.approval.id).not.toBe(id);
    const reordered = { properties: { amount: 1 }, name: world.a.picked };
    expect((await evaluate(using(id, { action: reordered }))).json.status).toBe("allow");
  });

  it("is bound to who asked, and to the rules as they stood", async () => {
    const policyId = await newRule(world.a, "require_approval");
    const { id } = (await evaluate(askOf(world.a))).json.context.approval;
    await decide(id, "approve");
    const stranger = (await evaluate(using(id), world.a.actors.governance_officer)).json;
    expect([stranger.status, stranger.context.approval.id === id]).toEqual(["require_approval", false]);
    const name = world.a.picked;
    const rules = [{ key: "named", effect: "require_approval", if: `action.name == "${name}"`, message: "Changed." }];
    expect((await changePolicy(world.a, policyId, { rules })).revision).toBe(2);
    const later = (await evaluate(using(id))).json;
    expect([later.status, later.context.approval.id === id]).toEqual(["require_approval", false]);
  });

  it("is bound to the circumstances that the rules read, and to no others", async () => {
    const name = world.a.unique();
    const condition = `action.name == "${name}" && context.amount > 1`;
    await world.a.newPolicy("runtime", {
      status: "active",
      rules: [{ key: "large", effect: "require_approval", if: condition, message: "Large." }],
      tests: [{ name: "quiet", input: { action: { name: "x" } }, expect: "none" }],
    });
    const asked = (amount: number, more: object = {}) =>
      evaluate({ ...askOf(world.a), action: { name }, context: { amount, ...more } });
    const { id } = (await asked(5, { traceId: "one" })).json.context.approval;
    await decide(id, "approve");
    const larger = (await asked(500, { approvalId: id })).json;
    expect([larger.status, larger.context.approval.id === id]).toEqual(["require_approval", false]);
    expect((await asked(5, { approvalId: id, traceId: "two" })).json.status).toBe("allow");
  });

  it("is checked again in all else when the approval is used", async () => {
    await newRule(world.a, "require_approval");
    const assetId = await world.a.newAsset();
    const asked = { ...askOf(world.a), resource: { type: "application", id: assetId } };
    const { id } = (await evaluate(asked)).json.context.approval;
    await decide(id, "approve", world.a.actors.admin);
    const use = async () => (await evaluate({ ...asked, context: { approvalId: id } })).json;
    const state = (status: string, by = world.a.owner) =>
      world.send("PATCH", `/api/v1/ai-assets/${assetId}/governance-state`, {
        token: by.token,
        body: { status, reason },
      });
    await state("suspended");
    expect(await use()).toMatchObject({ status: "deny", context: { reasons: [{ code: "asset_denied" }] } });
    await state("unreviewed", world.a.actors.approver);
    const rules = [{ key: "now", effect: "deny", if: `action.name == "${world.a.picked}"`, message: "Not now." }];
    const tests = [{ name: "else", input: { action: { name: "x" } }, expect: "none" }];
    const denying = await world.a.newPolicy("runtime", { rules, tests, status: "active" });
    expect(await use()).toMatchObject({ status: "deny", context: { reasons: [{ code: "policy_deny" }] } });
    await changePolicy(world.a, denying, { status: "disabled", reason });
    expect(await read(id)).toMatchObject({ status: "approved" });
    expect((await use()).status).toBe("allow");
  });

  it("runs out by the clock alone, waiting or approved, and can be asked for anew", async () => {
    for (const approve of [false, true]) {
      const id = await newApproval(world.a);
      if (approve) await decide(id, "approve");
      world.clock.advance(60 * MINUTE - 1);
      expect((await read(id)).status).toBe(approve ? "approved" : "requested");
      world.clock.advance(1);
      expect((await read(id)).status).toBe("expired");
      expect(await decide(id, "approve")).toMatchObject({ status: 409, json: { code: "invalid_transition" } });
      const { json } = await evaluate(using(id));
      expect([json.status, json.context.approval.id === id]).toEqual(["require_approval", false]);
    }
  });

  it("is asked for once however often it is asked at the same time, and used once", async () => {
    await newRule(world.a, "require_approval");
    const asked = await Promise.all(Array.from({ length: 12 }, () => evaluate(askOf(world.a))));
    const ids = new Set(asked.map(({ json }) => json.context.approval.id));
    expect(ids.size).toBe(1);
    const [id] = [...ids] as [string];
    expect((await decide(id, "approve")).status).toBe(200);
    const principal: Principal = await world.controlPlane.principalOf(world.a.tenantId, asker.userId);
    const used = await Promise.all([
      ...Array.from({ length: 8 }, async () => (await evaluate(using(id))).json.status),
      ...Array.from({ length: 8 }, async () => (await world.controlPlane.decide(principal, using(id))).status),
    ]);
    expect(used.filter((status) => status === "allow")).toHaveLength(1);
    expect(used.filter((status) => status === "require_approval")).toHaveLength(15);
  });

  it("is decided once where two decide at the same time", async () => {
    for (let round = 0; round < 4; round += 1) {
      const id = await newApproval(world.a);
      const answers = await Promise.all([
        decide(id, "approve"),
        decide(id, "reject", world.a.actors.approver),
        decide(id, "approve", world.a.actors.admin),
      ]);
      const statuses = new Set(answers.filter(({ status }) => status === 200).map(({ json }) => json.status));
      expect(statuses.size).toBe(1);
      expect((await read(id)).status).toBe([...statuses][0]);
    }
  });

  it("is used once in a batch that asks for it twice", async () => {
    const id = await newApproval(world.a);
    await decide(id, "approve");
    const { json } = await evaluate({ ...using(id), evaluations: [{}, {}] });
    expect(json.evaluations.map(({ status }: { status: string }) => status)).toEqual(["allow", "require_approval"]);
    expect(json).toMatchObject({ status: "require_approval", decision: false });
  });
});

describe("who decides", () => {
  it("is neither who asked, nor who would do it, nor a machine", async () => {
    await newRule(world.a, "require_approval");
    const own = (await evaluate(askOf(world.a), world.a.owner)).json.context.approval.id;
    expect(await decide(own, "approve")).toMatchObject({ status: 403, json: { code: "self_approval_forbidden" } });
    for (const subject of [world.a.owner.userId, world.a.owner.username]) {
      const asked = await evaluate({ ...askOf(world.a), subject: { type: "user", id: subject } });
      const answer = await decide(asked.json.context.approval.id, "approve");
      expect(answer).toMatchObject({ status: 403, json: { code: "self_approval_forbidden" } });
      expect((await decide(asked.json.context.approval.id, "approve", world.a.actors.admin)).status).toBe(200);
    }
    const agent = await world.a.newAsset({ assetType: "agent", owner: { type: "user", id: world.a.owner.userId } });
    const sessionId = await world.a.newSession({ agentId: agent }, asker);
    const asked = await evaluate({ ...askOf(world.a), subject: { type: "session", id: sessionId } });
    const forAgent = await decide(asked.json.context.approval.id, "approve");
    expect(forAgent).toMatchObject({ status: 403, json: { code: "self_approval_forbidden" } });
    const principal = await world.controlPlane.principalOf(world.a.tenantId, world.a.owner.userId);
    const id = await newApproval(world.a);
    for (const op of ["aiApprovals.approve", "aiApprovals.reject"] as const) {
      const asMachine = world.controlPlane.call(
        op,
        { ...principal, kind: "client" },
        { params: { id }, body: { reason } },
      );
      await expect(asMachine).rejects.toMatchObject({ code: "permission_denied" });
    }
  });

  it("says why when it is a rejection, and nobody uses what was rejected", async () => {
    const id = await newApproval(world.a);
    expect((await decide(id, "reject", world.a.owner, {})).json.code).toBe("missing_reason");
    expect((await decide(id, "reject", world.a.owner, { reason, status: "used" })).status).toBe(400);
    expect((await decide(id, "reject")).json).toMatchObject({ status: "rejected", decisionReason: reason });
    expect((await decide(id, "reject")).status).toBe(200);
    expect((await decide(id, "approve")).status).toBe(409);
    const { json } = await evaluate(using(id));
    expect([json.status, json.context.approval.id === id]).toEqual(["require_approval", false]);
  });

  it("sees the requests of its own tenant alone, by status", async () => {
    const mine = await newApproval(world.a);
    const token = world.a.owner.token;
    const notes = await world.send("PATCH", `${APPROVALS}/${mine}/reject`, { token, body: { metadata: { a: 1 } } });
    expect(notes, "nothing would keep them").toMatchObject({
      status: 400,
      json: { errors: [{ pointer: "/metadata" }] },
    });
    const theirs = await newApproval(world.b);
    expect((await decide(theirs, "approve")).status).toBe(404);
    const list = async (query: string, as: Actor) =>
      (await world.send("GET", `${APPROVALS}?size=100${query}`, { token: as.token })).json.items.map(
        ({ id }: { id: string }) => id,
      );
    expect(await list("&status=requested", world.a.owner)).toContain(mine);
    expect(await list("&status=used", world.a.owner)).not.toContain(mine);
    expect(await list("", world.a.owner)).not.toContain(theirs);
    // An approval of another tenant has no effect here.
    await world.send("PATCH", `${APPROVALS}/${theirs}/approve`, { token: world.b.owner.token });
    expect((await evaluate(using(theirs))).json.status).not.toBe("allow");
  });
});
