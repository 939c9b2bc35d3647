import type { Answer, Scene } from "@reeve/testkit";
import { describe, expect, it } from "vitest";
import { verifyChain } from "../../../src/index.js";
import { HUMAN_ONLY } from "../../../src/reference/index.js";
import { eventsOf, eventTypes } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const PATH = "/api/v1/ai-governance/audit/erasure";
const reason = "asked for by the person concerned";

const erase = (scene: Scene, body: object, token = scene.owner.token): Promise<Answer> =>
  scene.send("POST", PATH, { token, body: { reason, ...body } });
const activityOf = async (scene: Scene, id: string) =>
  (await scene.send("GET", `/api/v1/ai/activity/${id}?size=100`, { token: scene.owner.token })).json.items;
const isValid = async (scene: Scene) => (await verifyChain(scene.store.forTenant(scene.tenantId))).valid;

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
    const { status, json } = await erase(a, { subjectId: id });
    expect([status, json]).toEqual([200, { erased: 2, alreadyErased: 0, kept: 0, next: null }]);
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
      authid: a.owner.userId,
      severitytext: "WARN",
      related: id,
      data: { reason, sequences: [Number(created.sequence)], subjectId: null },
    });
    expect((await activityOf(a, "audit"))[0]).toEqual(erased);
  });

  it("again changes nothing and leaves no event, and what tells of erasures is never erased", async () => {
    const { a } = await createWorld();
    const id = await a.newAsset();
    await erase(a, { subjectId: id });
    const before = await eventsOf(a);
    expect((await erase(a, { subjectId: id })).json).toEqual({ erased: 0, alreadyErased: 1, kept: 1, next: null });
    expect((await erase(a, { subjectId: "audit" })).json).toEqual({ erased: 0, alreadyErased: 0, kept: 1, next: null });
    expect(await eventsOf(a)).toEqual(before);
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
    const steps: unknown[] = [];
    for (let before: number | undefined; ; ) {
      const { json } = await erase(a, { subjectId: "usr_long", ...(before === undefined ? {} : { before }) });
      steps.push([json.erased, json.kept]);
      if (json.next === null) break;
      before = json.next;
    }
    expect(steps).toEqual([
      [500, 0],
      [500, 0],
      [2, 0],
    ]);
  });

  it("is for people only, and for those who hold its permission", async () => {
    const { a } = await createWorld();
    expect(HUMAN_ONLY.has("ai-audit:erase")).toBe(true);
    for (const role of ["governance_officer", "auditor", "operator", "member"] as const)
      expect((await erase(a, { subjectId: a.owner.userId }, a.actors[role].token)).json.code).toBe("permission_denied");
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
    for (const [name, body] of Object.entries(bodies)) codes[name] = (await erase(a, body)).json.code;
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
