import type { Answer, Scene } from "@reeve/testkit";
import { describe, expect, it } from "vitest";
import { HUMAN_ONLY } from "#reference/index.js";
import { verifyChain } from "../../../src/index.js";
import { eventsOf, eventTypes } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const PATH = "/api/v1/ai-governance/audit/erasures";
const reason = "asked for by the person concerned";

const ask = (scene: Scene, body: object, token = scene.owner.token): Promise<Answer> =>
  scene.send("POST", PATH, { token, body: { reason, ...body } });
const decide = (scene: Scene, id: string, decision: "approve" | "decline", token: string): Promise<Answer> =>
  scene.send("POST", `${PATH}/${id}/decision`, { token, body: { decision } });
const approve = (scene: Scene, id: string, token = scene.actors.admin.token) => decide(scene, id, "approve", token);

/** The owner asks for it, and the admin approves it. */
async function erase(scene: Scene, body: object): Promise<Answer> {
  const { json } = await ask(scene, body);
  const done = await approve(scene, json.id);
  expect(done.status, done.text).toBe(200);
  return done;
}
const countsOf = ({ json: { erased, alreadyErased, kept, next } }: Answer) => ({ erased, alreadyErased, kept, next });
const activityOf = async (scene: Scene, id: string) =>
  (await scene.send("GET", `/api/v1/ai/activity/${id}?size=100`, { token: scene.owner.token })).json.items;
const isValid = async (scene: Scene) => (await verifyChain(scene.store.forTenant(scene.tenantId))).valid;

describe("S16 erasure takes two people", () => {
  it("waits among the reviews until somebody else than who asked has approved it", async () => {
    const { a, b } = await createWorld();
    const id = await a.newAsset();
    const before = await activityOf(a, id);
    const { status, json } = await ask(a, { subjectId: id }, a.actors.admin.token);
    expect([status, json]).toMatchObject([201, { status: "requested", erased: 0, next: null }]);
    const waiting = async () =>
      (await a.send("GET", "/api/v1/reviews?kind=erasure", { token: a.actors.governance_officer.token })).json.items
        .filter(({ subject }: { subject: { id: string } }) => subject.id === json.id)
        .map(({ requestedBy, permission }: Record<string, string>) => [requestedBy, permission]);
    expect(await waiting()).toEqual([[a.actors.admin.userId, "ai-audit:approve"]]);
    expect((await approve(a, json.id, a.actors.admin.token)).json.code).toBe("self_approval_forbidden");
    for (const role of ["approver", "auditor", "operator", "member"] as const)
      expect((await approve(a, json.id, a.actors[role].token)).json.code).toBe("permission_denied");
    expect((await approve(a, json.id, b.owner.token)).status).toBe(404);
    expect(await activityOf(a, id)).toEqual(before);
    const { governance_officer: officer } = a.actors;
    expect((await approve(a, json.id, officer.token)).json).toMatchObject({
      status: "approved",
      approvedBy: officer.userId,
      erased: before.length,
    });
    expect(await waiting()).toEqual([]);
  });

  it("is declined by anybody who may approve it, and taken back by who asked, for good", async () => {
    const { a } = await createWorld();
    const id = await a.newAsset();
    const before = await activityOf(a, id);
    for (const { token } of [a.owner, a.actors.governance_officer]) {
      const { json } = await ask(a, { subjectId: id });
      expect((await decide(a, json.id, "decline", token)).json.status).toBe("declined");
      expect((await approve(a, json.id)).json.code).toBe("invalid_transition");
    }
    expect(await activityOf(a, id)).toEqual(before);
  });

  it("is flagged when the account of the second comes from the first", async () => {
    const { a } = await createWorld();
    const id = await a.newAsset();
    const helper = await a.newUser(["admin"]);
    const { json } = await ask(a, { subjectId: id });
    expect((await approve(a, json.id, helper.token)).json).toMatchObject({ status: "approved", relatedParty: true });
  });
});

describe("S16 reasons of decisions are spared", () => {
  const REASON = "Ada Lovelace (ADA@analytical.example) has shown that nobody is harmed.";
  const decided = async (scene: Scene) => {
    const { owner, actors } = scene;
    const password = "a phrase nobody knows";
    const body = { username: "ada@analytical.example", name: "Ada Lovelace", password, roles: [] };
    const { json: ada } = await scene.send("POST", "/api/v1/users", { token: owner.token, body });
    const party = { type: "user", id: ada.id, name: ada.name };
    const id = await scene.newAsset({ owner: party });
    const move = (status: string, token: string, why?: string) =>
      scene.send("PATCH", `/api/v1/ai-assets/${id}/governance-state`, { token, body: { status, reason: why } });
    await move("under_review", owner.token);
    expect((await move("approved", actors.approver.token, REASON)).status).toBe(200);
    return { id, ada: ada.id as string };
  };
  const historyOf = async (scene: Scene, id: string) => {
    const path = `/api/v1/ai-assets/${id}/governance-state/history`;
    const { json } = await scene.send("GET", path, { token: scene.owner.token });
    return json.items.map(({ to, reason: why, actor }: Record<string, unknown>) => [to, why, actor]);
  };
  const spared = (ada: string) => `${ada} (${ada}) has shown that nobody is harmed.`;

  it("with who decided, when and what, and with ids in place of names", async () => {
    const { a } = await createWorld();
    const { id, ada } = await decided(a);
    const before = await historyOf(a, id);
    expect(before[0]).toEqual(["approved", REASON, { type: "user", id: a.actors.approver.userId }]);
    expect((await erase(a, { subjectId: id })).json.decisions).toBe(1);
    expect((await erase(a, { subjectId: ada })).json.decisions).toBe(0);
    const [[to, why, actor]] = await historyOf(a, id);
    expect([to, why, actor]).toEqual(["approved", spared(ada), { type: "user", id: a.actors.approver.userId }]);
    const about = (await eventsOf(a)).filter(({ data }) => data?.includes("Lovelace"));
    expect(about.map(({ attributes }) => JSON.parse(attributes).subject)).toEqual([]);
    expect(await isValid(a)).toBe(true);
  });

  it("also when the person's account is gone, and of one tenant alone", async () => {
    const { a, b } = await createWorld();
    const { id, ada } = await decided(a);
    const other = await decided(b);
    const owner = { type: "user", id: a.actors.admin.userId };
    const handed = await a.send("PUT", `/api/v1/ai-assets/${id}`, { token: a.owner.token, body: { owner } });
    expect(handed.status, handed.text).toBe(200);
    const { status, text } = await a.send("DELETE", `/api/v1/users/${ada}`, { token: a.owner.token });
    expect(status, text).toBe(204);
    const { json } = await a.send("GET", `/api/v1/ai/activity/${ada}?size=100`, { token: a.owner.token });
    const ofAda = json.items.map((event: { id: string }) => event.id);
    const ofAsset = (await activityOf(a, id)).map((event: { id: string }) => event.id);
    await erase(a, { eventIds: [...ofAsset, ...ofAda] });
    const reasons = async (scene: Scene, of: string) => (await historyOf(scene, of)).map(([, why]: unknown[]) => why);
    expect(await reasons(a, id)).toContain(spared(ada));
    expect(await reasons(b, other.id)).toContain(REASON);
  });

  it("for approvals as they were at the time, when later erasures follow", async () => {
    const { a } = await createWorld();
    const { id, ada } = await decided(a);
    await erase(a, { subjectId: id });
    const suspended = { status: "suspended", reason: "It does what nobody has seen." };
    await a.send("PATCH", `/api/v1/ai-assets/${id}/governance-state`, { token: a.owner.token, body: suspended });
    await erase(a, { subjectId: id });
    expect((await historyOf(a, id)).slice(0, 2).map(([, why]: unknown[]) => why)).toEqual([
      suspended.reason,
      spared(ada),
    ]);
  });
});

describe("erasing the data of events", () => {
  it("by subject takes all that its activity lists, and the chain verifies as before", async () => {
    const { a, b } = await createWorld();
    const id = await a.newAsset();
    await a.send("PATCH", `/api/v1/ai-assets/${id}/metadata`, {
      token: a.owner.token,
      body: { metadata: { x: "secret" } },
    });
    const before = await eventsOf(a);
    const others = await eventsOf(b);
    const listed = await activityOf(a, id);
    expect(countsOf(await erase(a, { subjectId: id }))).toEqual({ erased: 2, alreadyErased: 0, kept: 0, next: null });
    expect((await activityOf(a, id)).slice(1)).toEqual(listed.map((event: object) => ({ ...event, data: null })));
    const after = await eventsOf(a);
    expect(after.slice(0, before.length).map(({ eventHash }) => eventHash)).toEqual(
      before.map(({ eventHash }) => eventHash),
    );
    expect(await eventsOf(b)).toEqual(others);
    expect(await isValid(a)).toBe(true);
  });

  it("leaves an event that says who, why and what, also in the subject's own activity", async () => {
    const { a } = await createWorld();
    const id = await a.newAsset();
    const [created] = await activityOf(a, id);
    await erase(a, { eventIds: [created.id] });
    const [erased, emptied] = await activityOf(a, id);
    expect(emptied).toEqual({ ...created, data: null });
    expect(erased).toMatchObject({
      type: "reeve.audit.erased.v1",
      authid: a.actors.admin.userId,
      severitytext: "WARN",
      related: id,
      data: {
        reason,
        sequences: [Number(created.sequence)],
        subjectId: null,
        requestedBy: a.owner.userId,
        approvedBy: a.actors.admin.userId,
      },
    });
    expect((await activityOf(a, "audit"))[0]).toEqual(erased);
  });

  it("again changes nothing, and what tells of erasures is never erased", async () => {
    const { a } = await createWorld();
    const id = await a.newAsset();
    const first = await erase(a, { subjectId: id });
    const before = await eventsOf(a);
    expect((await approve(a, first.json.id)).json).toEqual(first.json);
    expect(await eventsOf(a)).toEqual(before);
    expect(countsOf(await erase(a, { subjectId: id }))).toEqual({ erased: 0, alreadyErased: 1, kept: 1, next: null });
    expect(countsOf(await erase(a, { subjectId: "audit" }))).toMatchObject({ erased: 0, kept: 1 });
    expect(countsOf(await erase(a, { subjectId: first.json.id }))).toMatchObject({ erased: 0, kept: 3 });
    expect((await eventsOf(a)).slice(0, before.length)).toEqual(before);
    expect((await eventTypes(a)).filter((type) => type === "audit.erased")).toHaveLength(1);
  });

  it("goes through a long activity in steps", async () => {
    const { a } = await createWorld({ rateLimits: "off" });
    const [first] = await eventsOf(a);
    const tenant = a.store.forTenant(a.tenantId);
    const copy = (n: number) => ({
      id: `evt_7${String(n).padStart(25, "0")}`,
      time: "2026-01-01T00:00:00.000Z",
      attributes: (first?.attributes ?? "").replace(first?.id ?? "", `evt_7${String(n).padStart(25, "0")}`),
      data: first?.data ?? "",
      recordHash: "",
      streams: ["usr_long"],
    });
    await tenant.append(...Array.from({ length: 1_000 }, (_, n) => copy(n)), ...[1_000, 1_001].map(copy));
    const { json: asked } = await ask(a, { subjectId: "usr_long" });
    // What came after the request is no part of it.
    await tenant.append(copy(1_002));
    const steps: unknown[] = [];
    for (let next: number | null = 0; next !== null; ) {
      const { json } = await approve(a, asked.id);
      steps.push([json.erased, json.kept]);
      next = json.next;
    }
    expect(steps).toEqual([
      [500, 0],
      [1_000, 0],
      [1_002, 0],
    ]);
    expect((await activityOf(a, "usr_long")).filter(({ data }: { data: unknown }) => data !== null)).toHaveLength(4);
  });

  it("is for people only, and for those who hold its permission", async () => {
    const { a } = await createWorld();
    expect(HUMAN_ONLY.has("ai-audit:erase")).toBe(true);
    for (const role of ["governance_officer", "auditor", "operator", "member"] as const)
      expect((await ask(a, { subjectId: a.owner.userId }, a.actors[role].token)).json.code).toBe("permission_denied");
  });

  it("refuses to do it without a reason, to nothing, to both, and to what is not there, and then erases nothing", async () => {
    const { a, b } = await createWorld();
    const [own] = await activityOf(a, await a.newAsset());
    const foreign = (await eventsOf(b))[0]?.id as string;
    const before = await eventsOf(a);
    const codes: Record<string, string> = {};
    const bodies = {
      "no reason": { eventIds: [own.id], reason: undefined },
      "a short reason": { eventIds: [own.id], reason: "because" },
      nothing: {},
      both: { eventIds: [own.id], subjectId: own.subject },
      "no ids": { eventIds: [] },
      "too many ids": { eventIds: Array.from({ length: 101 }, (_, n) => `evt_${n}`) },
      "an id of another tenant among its own": { eventIds: [own.id, foreign] },
      "another tenant's subject": { subjectId: b.owner.userId },
      "a stream that is no subject": { subjectId: `${own.subject}#assetLifecycle` },
    };
    for (const [name, body] of Object.entries(bodies)) codes[name] = (await ask(a, body)).json.code;
    expect(codes).toEqual({
      "no reason": "missing_reason",
      "a short reason": "missing_reason",
      nothing: "invalid_request",
      both: "invalid_request",
      "no ids": "invalid_request",
      "too many ids": "invalid_request",
      "an id of another tenant among its own": "invalid_reference",
      "another tenant's subject": "invalid_reference",
      "a stream that is no subject": "invalid_reference",
    });
    expect(await eventsOf(a)).toEqual(before);
  });

  it("leaves histories readable", async () => {
    const { a } = await createWorld();
    const id = await a.newAsset();
    await a.send("PATCH", `/api/v1/ai-assets/${id}/lifecycle`, {
      token: a.owner.token,
      body: { status: "development" },
    });
    await erase(a, { subjectId: id });
    const { status, json } = await a.send("GET", `/api/v1/ai-assets/${id}/lifecycle/history`, { token: a.owner.token });
    expect([status, json.items.map(({ from, to, reason: why }: Record<string, unknown>) => [from, to, why])]).toEqual([
      200,
      [
        ["registered", "development", null],
        [null, "", null],
      ],
    ]);
    expect((await eventTypes(a)).filter((type) => type === "audit.erased")).toHaveLength(1);
  });
});
