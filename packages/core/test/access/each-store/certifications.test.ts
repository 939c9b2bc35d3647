import type { Actor, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { accessAssignments } from "#families/access-grants/assignments/schema.js";
import { openEmergencyReview } from "#families/access-reviews/certifications/create/emergency.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { type CertificationBench, certificationBench, type Item } from "../../helpers/certifications.js";
import { environmentOf } from "../../helpers/environment.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  // Tests move the clock by weeks.
  world = await createWorld({ tokenLifetime: 86_400 });
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const reason = "because a test wants it so";
const tick = () => world.controlPlane.tick();
/** Lets time pass. People sign in again, because their tokens have run out. */
async function pass(milliseconds: number, ...people: readonly object[]): Promise<void> {
  world.clock.advance(milliseconds);
  await tick();
  for (const scene of [world.a, world.b]) scene.actors.owner = await scene.signIn(scene.owner.userId, scene.owner);
  for (const one of people as { userId: string; username: string; password: string }[])
    Object.assign(one, await world.a.signIn(one.userId, one));
}
const granted = async (bench: CertificationBench, count = 1, more: object = {}) => {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1)
    ids.push(await bench.decide({ duration: "P100D", parameters: { at }, ...more }));
  await tick();
  return ids;
};
const only = (items: readonly Item[]) => items[0] as Item;

describe("a campaign", () => {
  it("asks the owner of the asset, and revokes what they revoke after the time to undo it", async () => {
    const bench = await certificationBench(world);
    const [kept = "", revoked = ""] = await granted(bench, 2);
    const id = await bench.begin();
    expect(await bench.campaign(id)).toMatchObject({ status: "active", counts: { pending: 2 } });
    const items = await bench.own(bench.reviewer);
    expect(items).toHaveLength(2);
    expect(await bench.own(bench.other)).toEqual([]);
    const of = (assignmentId: string) => items.find((item) => item.assignmentId === assignmentId) as Item;
    expect((await bench.review(of(kept), { decision: "certify" })).json).toMatchObject({
      status: "decided",
      outcome: "certified",
    });
    expect((await bench.review(of(revoked), { decision: "revoke" })).json.code).toBe("missing_reason");
    expect((await bench.review(of(revoked), { decision: "revoke", reason })).status).toBe(200);
    await tick();
    expect(await bench.campaign(id)).toMatchObject({ status: "remediating" });
    expect([(await bench.read(revoked)).status, bench.account.held.size]).toEqual(["active", 2]);
    await pass(DAY);
    await tick();
    expect(await bench.read(revoked)).toMatchObject({ status: "revoked", endReason: "certification" });
    const { certifiedUntil, status } = await bench.read(kept);
    expect([status, Date.parse(certifiedUntil as string) > world.clock.now() + 80 * DAY]).toEqual(["active", true]);
    await tick();
    const done = await bench.campaign(id);
    expect(done).toMatchObject({ status: "completed", counts: { remediated: 2 }, report: { items: 2 } });
    expect(done.reportHash).toMatch(/^[0-9a-f]{64}$/);
    expect(bench.account.held.size).toBe(1);
  });

  it("pitfall 20: about nothing certifies nothing and is over at once, and what is excluded is shown and not decided", async () => {
    const bench = await certificationBench(world);
    const id = await bench.begin();
    expect(await bench.campaign(id)).toMatchObject({ status: "not_applicable", counts: {} });
    await granted(bench);
    const exclude = [{ assetIds: [bench.assetId], reason: "It is the asset of the board." }];
    const next = await bench.begin({ scope: { assetIds: [bench.assetId], exclude } });
    expect(await bench.campaign(next)).toMatchObject({ status: "not_applicable", counts: { excluded: 1 } });
    expect(await bench.items(next)).toMatchObject([{ status: "excluded", note: "It is the asset of the board." }]);
  });

  it("is about the access it names, also where nobody knows whether the target differs", async () => {
    const bench = await certificationBench(world);
    const [named = ""] = await granted(bench, 2);
    const id = await bench.begin({ scope: { assignmentIds: [named], driftOpen: true } });
    expect(await bench.items(id)).toMatchObject([{ assignmentId: named, snapshot: { openDrift: null } }]);
  });

  it("names what is there only, because what is misspelt would go unreviewed", async () => {
    const bench = await certificationBench(world);
    const [named = ""] = await granted(bench);
    const { token } = world.a.owner;
    const { json: held } = await world.send("GET", `/api/v1/access-assignments/${named}`, { token });
    const { connectorInstanceId, accessProfileId } = held;
    const there = { assetIds: bench.assetId, connectorInstanceIds: connectorInstanceId, profileIds: accessProfileId };
    for (const [field, id] of Object.entries({ ...there, assignmentIds: named }))
      for (const wrong of [`${id} `, id.replace(/.$/, "Z"), "name"])
        for (const scope of [
          { [field]: [wrong] },
          { exclude: [{ [field]: [wrong], reason: "It is looked at there." }] },
        ]) {
          const { status, json } = await world.send("POST", "/api/v1/access-certifications", {
            token,
            body: { scope },
          });
          expect([status, json.code, json.errors?.[0].pointer], wrong).toEqual([400, "invalid_reference", "/scope"]);
        }
  });

  it("pitfall 18: does not revoke in silence without a second word, nor before somebody else confirms it", async () => {
    const bench = await certificationBench(world);
    const [id = ""] = await granted(bench);
    const token = world.a.owner.token;
    const body = { onSilence: "revoke" };
    const refused = await world.send("POST", "/api/v1/access-certifications", { token, body });
    expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, "/confirmSilentRevoke"]);
    const campaign = await bench.begin({ ...body, confirmSilentRevoke: true, remediation: { undoWindow: "PT1H" } });
    await pass(14 * DAY);
    await pass(2 * HOUR, bench.reviewer);
    expect(await bench.campaign(campaign)).toMatchObject({
      status: "awaiting_confirmation",
      confirmation: { revokes: 1, silent: 1, items: 1, by: null },
    });
    await pass(30 * DAY, bench.reviewer);
    expect(await bench.read(id)).toMatchObject({ status: "active" });
    const officer = await world.a.newUser(["governance_officer"]);
    expect((await bench.end(campaign, "confirm", { revokes: "all" }, bench.reviewer)).status).toBe(403);
    expect((await bench.end(campaign, "confirm", { revokes: "all" }, officer)).status).toBe(200);
    await tick();
    await tick();
    expect(await bench.read(id)).toMatchObject({ status: "revoked", endReason: "certification" });
  });

  it("is confirmed by nobody who was ever asked in it: who decided, handed on or said nothing", async () => {
    const bench = await certificationBench(world);
    await granted(bench);
    const officer = () => world.a.newUser(["governance_officer"]);
    const asked = [await officer(), await officer(), await officer()];
    const [deciding, handing] = asked as [Actor, Actor, Actor];
    const userIds = asked.map(({ userId }) => userId);
    const stages = [{ reviewer: "users", userIds, strategy: "one_accepts" }, { reviewer: "asset_owner" }];
    const campaign = await bench.begin({ stages, onSilence: "revoke", confirmSilentRevoke: true });
    const item = only(await bench.items(campaign));
    await bench.review(item, { decision: "delegate", reason, delegateTo: bench.other.userId }, handing);
    expect((await bench.review(item, { decision: "certify" }, deciding)).status).toBe(200);
    await tick();
    expect(only(await bench.items(campaign))).toMatchObject({ stage: 1, reviewers: [bench.reviewer.userId] });
    await pass(14 * DAY, ...asked);
    expect(await bench.campaign(campaign)).toMatchObject({ status: "awaiting_confirmation" });
    for (const one of asked) {
      const { status, json } = await bench.end(campaign, "confirm", { revokes: "all" }, one);
      expect([userIds.indexOf(one.userId), status, json.code]).toEqual([
        ...[userIds.indexOf(one.userId), 403, "self_approval_forbidden"],
      ]);
    }
    expect((await bench.end(campaign, "confirm", { revokes: "all" }, await officer())).status).toBe(200);
  });

  it("keeps what silence would revoke when whoever confirms says so", async () => {
    const bench = await certificationBench(world);
    const [silent = "", said = ""] = await granted(bench, 2);
    const campaign = await bench.begin({ onSilence: "revoke", confirmSilentRevoke: true });
    const item = (await bench.items(campaign)).find((one) => one.assignmentId === said) as Item;
    await bench.review(item, { decision: "revoke", reason });
    await pass(14 * DAY, bench.reviewer);
    expect(await bench.campaign(campaign)).toMatchObject({ confirmation: { revokes: 2, silent: 1 } });
    const officer = await world.a.newUser(["governance_officer"]);
    expect((await bench.end(campaign, "confirm", { revokes: "decided" }, officer)).status).toBe(200);
    await pass(2 * DAY, bench.reviewer);
    await tick();
    expect([(await bench.read(silent)).status, (await bench.read(said)).status]).toEqual(["active", "revoked"]);
    expect(await bench.campaign(campaign)).toMatchObject({ status: "completed", counts: { no_response: 1 } });
  });

  it("pitfall 19: keeps and flags what nobody decides, unless it is escalated to its owner", async () => {
    const bench = await certificationBench(world);
    const [id = ""] = await granted(bench);
    const kept = await bench.begin();
    const escalated = await bench.begin({ onSilence: "escalate", ownerId: bench.other.userId });
    await pass(14 * DAY, bench.reviewer, bench.other);
    expect(await bench.campaign(kept)).toMatchObject({ status: "completed", counts: { no_response: 1 } });
    expect(await bench.campaign(escalated)).toMatchObject({ status: "active", escalated: true });
    expect(only(await bench.items(escalated)).reviewers).toEqual([bench.other.userId]);
    const item = only(await bench.items(escalated));
    expect((await bench.review(item, { decision: "certify" }, bench.other)).json).toMatchObject({
      outcome: "certified",
    });
    expect((await bench.read(id)).status).toBe("active");
  });

  it("pitfall 21: revokes nothing that has been widened since it was decided, and asks about it again", async () => {
    const bench = await certificationBench(world);
    const [id = ""] = await granted(bench, 1, { duration: "P20D" });
    const campaign = await bench.begin();
    await bench.review(only(await bench.items(campaign)), { decision: "revoke", reason });
    await tick();
    expect((await bench.campaign(campaign)).status).toBe("remediating");
    await bench.widen(id);
    await pass(DAY, bench.reviewer);
    await tick();
    expect([(await bench.read(id)).status, bench.account.held.size]).toEqual(["active", 1]);
    expect(only(await bench.items(campaign))).toMatchObject({ status: "auto_resolved", outcome: null });
    expect(await bench.campaign(campaign)).toMatchObject({ status: "completed", counts: { auto_resolved: 1 } });
    const again = only(await bench.own(bench.reviewer));
    expect(await bench.campaign(again.certificationId)).toMatchObject({ kind: "micro", previousId: campaign });
    expect((await bench.review(again, { decision: "revoke", reason })).status).toBe(200);
    await tick();
    await pass(DAY);
    await tick();
    expect((await bench.read(id)).status).toBe("revoked");
  });

  it("revokes what was decided although somebody takes a moment off its time", async () => {
    for (const mode of ["on_close", "immediate"]) {
      const bench = await certificationBench(world);
      const operator = await world.a.newUser(["operator"]);
      const [id = "", , silent = ""] = await granted(bench, 3);
      const terms = { onSilence: "revoke", confirmSilentRevoke: true, stages: [{ reviewer: "asset_owner" }] };
      const campaign = await bench.begin({ ...terms, remediation: { mode } });
      const of = async (assignmentId: string) =>
        (await bench.items(campaign)).find((item) => item.assignmentId === assignmentId) as Item;
      const decided = await of(id);
      const shorten = async (assignmentId: string) => {
        Object.assign(operator, await world.a.signIn(operator.userId, operator));
        const { expiresAt } = await bench.read(assignmentId);
        const body = { reason, expiresAt: new Date(Date.parse(expiresAt as string) - 1).toISOString() };
        const path = `/api/v1/access-assignments/${assignmentId}/modify`;
        const changed = await world.send("POST", path, { token: operator.token, body });
        expect(changed.json).toMatchObject({ outcome: "modified" });
      };
      await bench.review(decided, { decision: "revoke", reason });
      await shorten(id);
      expect(await of(id)).toMatchObject({ status: "decided", outcome: "revoke", snapshotVersion: 1 });
      expect((await of(id)).snapshot.expiresAt).toBe((await bench.read(id)).expiresAt);
      await pass(14 * DAY, bench.reviewer);
      const officer = await world.a.newUser(["governance_officer"]);
      expect((await bench.end(campaign, "confirm", { revokes: "all" }, officer)).status).toBe(200);
      await shorten(silent);
      await pass(DAY, bench.reviewer);
      await tick();
      expect([(await bench.read(id)).status, (await bench.read(silent)).status]).toEqual(["revoked", "revoked"]);
      expect(await bench.campaign(campaign)).toMatchObject({ status: "completed", counts: { remediated: 3 } });
    }
  });

  it("looks again at access that changed while others are undecided, and old decisions count no more", async () => {
    const bench = await certificationBench(world);
    const [id = ""] = await granted(bench, 2);
    const campaign = await bench.begin();
    const item = (await bench.items(campaign)).find((one) => one.assignmentId === id) as Item;
    await bench.review(item, { decision: "certify" });
    await bench.act(id, "modify", { reason, duration: "P5D" });
    expect((await bench.review(item, { decision: "certify" })).json.code).toBe("plan_changed");
    await tick();
    const again = (await bench.items(campaign)).find((one) => one.assignmentId === id) as Item;
    expect(again).toMatchObject({ status: "pending", outcome: null, snapshotVersion: 2 });
    expect((await bench.review(item, { decision: "certify" })).status).toBe(412);
    expect((await bench.review(again, { decision: "revoke", reason })).json).toMatchObject({ outcome: "revoke" });
    await bench.widen(id);
    await tick();
    const third = (await bench.items(campaign)).find((one) => one.assignmentId === id) as Item;
    expect(third).toMatchObject({ status: "pending", outcome: null, snapshotVersion: 3 });
  });

  it("has nothing to decide about access that ended meanwhile", async () => {
    const bench = await certificationBench(world);
    const [id = ""] = await granted(bench);
    const campaign = await bench.begin();
    await bench.act(id, "revoke", { reason });
    expect(only(await bench.items(campaign))).toMatchObject({ status: "auto_resolved" });
    await tick();
    expect(await bench.campaign(campaign)).toMatchObject({ status: "completed" });
  });

  it("trips the circuit breaker when more is revoked than is plausible", async () => {
    const bench = await certificationBench(world);
    await granted(bench, 12);
    const officer = await world.a.newUser(["governance_officer"]);
    const stages = [{ reviewer: "users", userIds: [bench.reviewer.userId, officer.userId] }];
    const campaign = await bench.begin({ stages, remediation: { undoWindow: "PT1H" } });
    for (const item of await bench.items(campaign)) await bench.review(item, { decision: "revoke", reason });
    await tick();
    await pass(2 * HOUR);
    expect(await bench.campaign(campaign)).toMatchObject({
      status: "awaiting_confirmation",
      confirmation: { revokes: 12, silent: 0, items: 12 },
    });
    expect(bench.account.held.size).toBe(12);
    const own = await bench.end(campaign, "confirm", { revokes: "all" }, officer);
    expect([own.status, own.json.code]).toEqual([403, "self_approval_forbidden"]);
    for (const revokes of ["all", "none"])
      expect((await bench.end(campaign, "confirm", { revokes })).json.code).toBe("self_approval_forbidden");
    const second = await world.a.newUser(["governance_officer"]);
    expect((await bench.end(campaign, "confirm", { revokes: "none" }, second)).status).toBe(200);
    await tick();
    expect([await bench.campaign(campaign), bench.account.held.size]).toMatchObject([{ status: "completed" }, 12]);
  });

  it("carries decisions out at once where that is wanted, yet not before they can be undone no more", async () => {
    const bench = await certificationBench(world);
    const [id = ""] = await granted(bench, 2);
    const campaign = await bench.begin({ remediation: { mode: "immediate", undoWindow: "PT1H" } });
    const item = (await bench.items(campaign)).find((one) => one.assignmentId === id) as Item;
    await bench.review(item, { decision: "revoke", reason });
    await tick();
    expect((await bench.read(id)).status).toBe("active");
    expect((await bench.review(item, { decision: "undo" })).json).toMatchObject({ status: "pending", outcome: null });
    await bench.review(item, { decision: "revoke", reason });
    await pass(HOUR, bench.reviewer);
    await tick();
    expect(await bench.read(id)).toMatchObject({ status: "revoked" });
    expect(await bench.campaign(campaign)).toMatchObject({ status: "active", counts: { pending: 1, remediated: 1 } });
  });

  it("does nothing to access when it only reports, or is cancelled", async () => {
    const bench = await certificationBench(world);
    const [id = ""] = await granted(bench);
    for (const end of ["report", "cancel"]) {
      const remediation = { mode: end === "report" ? "report_only" : "on_close", undoWindow: "PT1H" };
      const campaign = await bench.begin({ remediation });
      await bench.review(only(await bench.items(campaign)), { decision: "revoke", reason });
      if (end === "cancel") expect((await bench.end(campaign, "cancel")).json.status).toBe("cancelled");
      await tick();
      await pass(2 * HOUR, bench.reviewer);
      expect((await bench.campaign(campaign)).status).toBe(end === "cancel" ? "cancelled" : "completed");
      expect((await bench.read(id)).status).toBe("active");
    }
  });

  it("narrows access, and refuses what would widen it", async () => {
    const bench = await certificationBench(world);
    const [id = ""] = await granted(bench);
    const campaign = await bench.begin({ remediation: { undoWindow: "PT1H" } });
    const item = only(await bench.items(campaign));
    const later = (days: number) => new Date(world.clock.now() + days * DAY).toISOString();
    const wider = await bench.review(item, { decision: "modify", reason, expiresAt: later(200) });
    expect([wider.status, wider.json.code]).toEqual([409, "transition_guard_failed"]);
    const expiresAt = later(5);
    expect((await bench.review(item, { decision: "modify", reason, expiresAt })).json.outcome).toBe("modified");
    await tick();
    await pass(HOUR);
    await tick();
    expect([await bench.read(id), (await bench.campaign(campaign)).status]).toMatchObject([
      { status: "active", expiresAt },
      "completed",
    ]);
  });

  it("tells a reviewer what has changed since the last time, and repeats itself", async () => {
    const bench = await certificationBench(world);
    const [id = ""] = await granted(bench);
    const campaign = await bench.begin({ recurrence: "P30D", remediation: { undoWindow: "PT1H" } });
    const first = only(await bench.own(bench.reviewer, "&sort=dueAt"));
    expect(first).toMatchObject({ previous: null, changes: [], open: true, yours: null });
    await bench.review(first, { decision: "certify" });
    await tick();
    await pass(HOUR, bench.reviewer);
    await tick();
    expect((await bench.campaign(campaign)).status).toBe("completed");
    await bench.act(id, "modify", { reason, duration: "P50D" });
    await pass(29 * DAY, bench.reviewer);
    await pass(DAY, bench.reviewer);
    const again = only(await bench.own(bench.reviewer));
    expect(again).toMatchObject({ previous: { certificationId: campaign, outcome: "certified" } });
    expect((again.changes as { field: string }[]).map(({ field }) => field)).toContain("expiresAt");
    expect(await bench.campaign(again.certificationId)).toMatchObject({ iteration: 2, previousId: campaign });
  });

  it("repeats itself also when it has found nothing", async () => {
    const bench = await certificationBench(world);
    const first = await bench.begin({ recurrence: "P30D" });
    expect(await bench.campaign(first)).toMatchObject({ status: "not_applicable", counts: {} });
    await granted(bench);
    await pass(30 * DAY, bench.reviewer);
    const item = only(await bench.own(bench.reviewer));
    expect(await bench.campaign(item.certificationId)).toMatchObject({ iteration: 2, previousId: first });
    const token = world.a.owner.token;
    const refused = await world.send("POST", "/api/v1/access-certifications", { token, body: { recurrence: "PT1H" } });
    expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, "/recurrence"]);
  });

  it("pitfall 22: takes no access whose use nobody knows for unused", async () => {
    const bench = await certificationBench(world);
    await granted(bench);
    await pass(60 * DAY, bench.reviewer);
    const id = await bench.begin({ scope: { assetIds: [bench.assetId], unusedDays: 30 } });
    expect(await bench.campaign(id)).toMatchObject({ status: "not_applicable", counts: {} });
  });

  it("waits for newer data of targets where that is wanted", async () => {
    const bench = await certificationBench(world);
    const [id = ""] = await granted(bench);
    await pass(3 * DAY, bench.reviewer);
    const campaign = await bench.begin({ staleDataAction: "wait" });
    expect(await bench.campaign(campaign)).toMatchObject({ status: "scheduled", waitingFor: "data" });
    await bench.act(id, "verify");
    await pass(HOUR);
    await tick();
    expect(await bench.campaign(campaign)).toMatchObject({ status: "active", waitingFor: null });
  });
});

describe("emergency access", () => {
  it("is reviewed by a four-eyes approver within 48 hours, also when it has ended", async () => {
    const bench = await certificationBench(world);
    const officer = await world.a.newUser(["governance_officer"]);
    const [id = ""] = await granted(bench, 1, { duration: "PT1H", source: "emergency" });
    const ctx = systemContext(environmentOf(world, { ids: world.ids }), world.a.tenantId, "test");
    const ownerId = world.a.owner.userId;
    const assignments = [{ id, name: "Access" }];
    const opened = await ctx.write((inner) => openEmergencyReview(inner, { assignments, requestId: null, ownerId }));
    await tick();
    await pass(2 * HOUR, officer);
    expect(await bench.read(id)).toMatchObject({ status: "expired" });
    const campaign = await bench.campaign(opened.id);
    expect(campaign).toMatchObject({ kind: "emergency_review", status: "active", counts: { pending: 1 } });
    expect(Date.parse(campaign.dueAt as string) - world.clock.now()).toBe(46 * HOUR);
    const item = only(await bench.items(opened.id));
    expect(item.reviewers).toContain(officer.userId);
    expect((await bench.review(item, { decision: "revoke", reason }, officer)).status).toBe(200);
    await tick();
    await pass(DAY, officer);
    await tick();
    expect(only(await bench.items(opened.id))).toMatchObject({ status: "remediated", outcome: "revoke" });
    expect(await bench.campaign(opened.id)).toMatchObject({ status: "completed" });
  });
});

describe("a reviewer", () => {
  const officer = () => world.a.newUser(["governance_officer"]);

  it("is nobody but those who are asked", async () => {
    const bench = await certificationBench(world);
    await granted(bench);
    const item = only(await bench.items(await bench.begin()));
    for (const actor of [bench.other, world.a.owner])
      expect((await bench.review(item, { decision: "certify" }, actor)).status).toBe(403);
    expect((await bench.review(item, { decision: "certify" }, world.b.owner)).status).toBe(404);
  });

  it("is not the holder of the access, nor who stored it", async () => {
    const bench = await certificationBench(world);
    const [holder, asker] = [await officer(), await officer()];
    const principal = { type: "user", externalId: holder.username, displayName: null };
    await granted(bench);
    const store = world.store.forTenant(world.a.tenantId);
    const { rows } = await store.find(accessAssignments, { where: { assetId: bench.assetId }, size: 1 });
    const [{ value }] = rows as [(typeof rows)[0]];
    const next = { ...value, version: value.version + 1, principal, createdBy: asker.userId };
    await store.replace(accessAssignments, next as never, value);
    const users = { reviewer: "users", userIds: [holder.userId, asker.userId, bench.other.userId] };
    const item = only(await bench.items(await bench.begin({ stages: [users] })));
    expect(item.reviewers).toEqual([bench.other.userId]);
    const held = { ...users, userIds: [holder.userId], onNoReviewer: "hold" };
    const campaign = await bench.begin({ stages: [held] });
    expect((await bench.campaign(campaign)).counts).toEqual({ held: 1 });
    const fallback = { ...users, userIds: [holder.userId] };
    const third = only(await bench.items(await bench.begin({ stages: [fallback] })));
    expect(third.reviewers).toEqual([]);
    const answered = await bench.begin({ stages: [fallback], ownerId: bench.other.userId });
    const fourth = only(await bench.items(answered));
    expect(fourth.reviewers).toEqual([bench.other.userId]);
    const handed = await bench.review(fourth, { decision: "delegate", reason, delegateTo: holder.userId }, bench.other);
    expect(handed.json.errors[0].pointer).toBe("/delegateTo");
  });

  it("sees what they are asked in all campaigns as one list", async () => {
    const bench = await certificationBench(world);
    await granted(bench, 2);
    const users = { reviewer: "users", userIds: [bench.reviewer.userId, bench.other.userId] };
    const campaigns = [await bench.begin(), await bench.begin({ stages: [users] })];
    const own = await bench.own(bench.reviewer, "&status=pending&sort=dueAt");
    expect(own).toHaveLength(4);
    expect(new Set(own.map((item) => item.certificationId))).toEqual(new Set(campaigns));
    await bench.review(only(own), { decision: "certify" });
    expect(await bench.own(bench.reviewer, "&status=pending")).toHaveLength(3);
    const at = "/api/v1/access-certification-items?status=pending&size=1";
    const { json } = await world.send("GET", at, { token: bench.reviewer.token });
    const next = await world.send("GET", `${at}&cursor=${json.nextCursor}`, { token: bench.reviewer.token });
    expect([json.items.length, next.json.items.length, json.totalItems]).toEqual([1, 1, 3]);
  });

  it("hands an item on, and decides it no more", async () => {
    const bench = await certificationBench(world);
    await granted(bench);
    const campaign = await bench.begin();
    const item = only(await bench.items(campaign));
    const handed = await bench.review(item, { decision: "delegate", reason, delegateTo: bench.other.userId });
    expect(handed.json).toMatchObject({ reviewers: [bench.other.userId] });
    expect((await bench.review(item, { decision: "certify" })).status).toBe(403);
    expect(await bench.own(bench.reviewer)).toEqual([]);
    expect(await bench.own(bench.other)).toHaveLength(1);
    expect((await bench.review(item, { decision: "certify" }, bench.other)).status).toBe(200);
  });

  it("is asked in each stage anew, and a denial is final", async () => {
    const bench = await certificationBench(world);
    const [kept = "", denied = ""] = await granted(bench, 2);
    const stages = [
      { reviewer: "asset_owner" },
      { reviewer: "users", userIds: [bench.reviewer.userId, bench.other.userId] },
    ];
    const campaign = await bench.begin({ stages });
    for (const item of await bench.items(campaign))
      await bench.review(item, { decision: item.assignmentId === kept ? "certify" : "revoke", reason });
    await tick();
    const items = await bench.items(campaign);
    const of = (id: string) => items.find(({ assignmentId }) => assignmentId === id) as Item;
    expect(of(kept)).toMatchObject({ status: "pending", stage: 1, reviewers: [bench.other.userId] });
    expect(of(denied)).toMatchObject({ status: "decided", stage: 0, outcome: "revoke" });
    expect((await bench.review(of(kept), { decision: "certify" }, bench.other)).json.outcome).toBe("certified");
  });

  it("is no machine, and certifies together only what is harmless", async () => {
    const bench = await certificationBench(world);
    await granted(bench, 2);
    const campaign = await bench.begin();
    const items = await bench.items(campaign);
    const wanted = items.map(({ id, snapshotVersion }) => ({ id, expectedSnapshotVersion: snapshotVersion }));
    const body = { items: [...wanted, { id: "citm_unknown", expectedSnapshotVersion: 1 }] };
    const at = `/api/v1/access-certifications/${campaign}/items/certify`;
    const { token } = bench.reviewer;
    const { json } = await world.send("POST", at, { token, body });
    expect(json).toMatchObject({ certified: wanted.map(({ id }) => id), refused: [{ because: ["not_found"] }] });
  });

  it("takes back their own denial after the close, and not that of somebody else", async () => {
    const bench = await certificationBench(world);
    await granted(bench);
    const users = { reviewer: "users", userIds: [bench.reviewer.userId, bench.other.userId] };
    const campaign = await bench.begin({ stages: [users] });
    const item = only(await bench.items(campaign));
    for (const actor of [bench.reviewer, bench.other])
      expect((await bench.review(item, { decision: "revoke", reason }, actor)).status).toBe(200);
    await tick();
    expect((await bench.campaign(campaign)).status).toBe("remediating");
    const undo = { decision: "undo", expectedSnapshotVersion: undefined };
    expect((await bench.review(item, undo)).json).toMatchObject({ status: "decided", outcome: "revoke" });
    expect((await bench.review(item, undo)).status).toBe(409);
    expect((await bench.review(item, undo, bench.other)).json).toMatchObject({ status: "no_response", outcome: null });
    await pass(DAY, bench.reviewer);
    expect(await bench.campaign(campaign)).toMatchObject({ status: "completed" });
  });

  it("has no say after the time is over, or after the close", async () => {
    const bench = await certificationBench(world);
    await granted(bench, 2);
    const campaign = await bench.begin();
    const [one, two] = (await bench.items(campaign)) as [Item, Item];
    await bench.review(one, { decision: "revoke", reason });
    expect((await bench.end(campaign, "close")).json.status).toBe("closing");
    const late = await bench.review(two, { decision: "certify" });
    expect([late.status, late.json.code]).toEqual([409, "invalid_transition"]);
    await tick();
    const still = (await bench.items(campaign)).find(({ id }) => id === one.id) as Item;
    expect((await bench.review(still, { decision: "certify" })).json).toMatchObject({ outcome: "certified" });
    const next = await bench.begin();
    const third = only(await bench.items(next));
    world.clock.advance(14 * DAY);
    const signed = await world.a.signIn(bench.reviewer.userId, bench.reviewer);
    const over = await bench.review(third, { decision: "certify" }, signed);
    expect([over.status, over.json.code]).toEqual([409, "invalid_transition"]);
    for (const scene of [world.a, world.b]) scene.actors.owner = await scene.signIn(scene.owner.userId, scene.owner);
  });
});
