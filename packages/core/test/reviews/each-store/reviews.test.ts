import type { Answer, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const HOUR = 3_600_000;
const actor = (role: keyof World["a"]["actors"] = "owner") => world.a.actors[role];
const get = (path: string, role?: keyof World["a"]["actors"]) =>
  world.send("GET", `/api/v1${path}`, { token: actor(role).token });
const send = (method: string, path: string, body: object, role?: keyof World["a"]["actors"]): Promise<Answer> =>
  world.send(method, `/api/v1${path}`, { token: actor(role).token, body });
const inHours = (hours: number) => new Date(world.clock.now() + hours * HOUR).toISOString();

async function askedFor(): Promise<{ assetId: string; review: Record<string, unknown> & { id: string } }> {
  const assetId = await world.a.newAsset();
  await send("PATCH", `/ai-assets/${assetId}/governance-state`, { status: "under_review" });
  const { json } = await get(`/reviews?assetId=${assetId}`);
  expect(json.totalItems).toBe(1);
  return { assetId, review: json.items[0] };
}

describe("the reviewer's list", () => {
  it("shows what waits with who asked, since when, what it takes and where it is", async () => {
    const { assetId, review } = await askedFor();
    const { json: asset } = await get(`/ai-assets/${assetId}`);
    expect(review).toMatchObject({
      name: asset.name,
      status: "waiting",
      kind: "asset_review",
      subject: { type: "ai_asset", id: assetId, path: `/api/v1/ai-assets/${assetId}` },
      assetId,
      permission: "ai-governance:approve",
      requestedBy: actor().userId,
      assignee: null,
      dueAt: null,
      createdAt: asset.updatedAt,
    });
  });

  it("loses what was decided, withdrawn or removed, in the same moment", async () => {
    for (const end of [
      (id: string) => send("PATCH", `/ai-assets/${id}/governance-state`, { status: "approved" }, "approver"),
      (id: string) => send("PATCH", `/ai-assets/${id}/governance-state`, { status: "unreviewed" }),
      (id: string) => world.send("DELETE", `/api/v1/ai-assets/${id}`, { token: actor().token }),
    ]) {
      const { assetId, review } = await askedFor();
      expect((await end(assetId)).status).toBeLessThan(300);
      expect((await get(`/reviews?assetId=${assetId}`)).json.items).toEqual([]);
      expect((await get(`/reviews/${review.id}`)).status).toBe(404);
    }
  });

  it("has every kind that waits in the world, and each leads to its record", async () => {
    const { json } = await get("/reviews?size=100");
    const kinds = new Set(json.items.map(({ kind }: { kind: string }) => kind));
    expect([...kinds].sort()).toEqual(expect.arrayContaining(["action_approval", "exemption", "tool_review"]));
    for (const { subject } of json.items) {
      const found = await world.send("GET", subject.path, { token: actor().token });
      expect([found.status, found.json.id]).toEqual([200, subject.id]);
    }
  });

  it("of the caller has what is assigned to them, and what nobody has and they may decide", async () => {
    const { review } = await askedFor();
    const mine = async (role: keyof World["a"]["actors"]) =>
      (await get("/reviews?mine=true&size=100", role)).json.items.map(({ id }: { id: string }) => id);
    expect(await mine("approver")).toContain(review.id);
    expect(await mine("governance_officer")).toContain(review.id);
    expect(await mine("member")).not.toContain(review.id);
    const body = { assignee: actor("governance_officer").userId };
    expect((await send("PATCH", `/reviews/${review.id}`, body, "approver")).status).toBe(200);
    expect(await mine("approver")).not.toContain(review.id);
    expect(await mine("governance_officer")).toContain(review.id);
    expect((await get("/reviews?size=100", "approver")).json.items.map(({ id }: { id: string }) => id)).toContain(
      review.id,
    );
  });

  it("assigns only those who may decide, and only by those who may assign", async () => {
    const { review } = await askedFor();
    for (const assignee of [actor("member").userId, world.b.actors.approver.userId, "nobody"]) {
      const refused = await send("PATCH", `/reviews/${review.id}`, { assignee }, "approver");
      expect([refused.status, refused.json.errors[0].code]).toEqual([400, "invalid_reference"]);
    }
    expect((await send("PATCH", `/reviews/${review.id}`, { dueAt: null }, "member")).status).toBe(403);
  });

  it("is open to everybody again once the assignee has left, or may decide no more", async () => {
    const list = async (role: keyof World["a"]["actors"]) =>
      (await get("/reviews?mine=true&size=100", role)).json.items.map(({ id }: { id: string }) => id);
    const headers = { "if-match": "*" };
    for (const end of ["leaves", "loses the role"]) {
      const { review } = await askedFor();
      const one = await world.a.newUser(["approver"]);
      expect((await send("PATCH", `/reviews/${review.id}`, { assignee: one.userId })).status).toBe(200);
      expect(await list("approver")).not.toContain(review.id);
      const path = `/api/v1/users/${one.userId}`;
      const { token } = actor();
      const ended =
        end === "leaves"
          ? await world.send("DELETE", path, { token, headers })
          : await world.send("PATCH", path, { token, headers, body: { roles: ["member"] } });
      expect(ended.status, ended.text).toBeLessThan(300);
      expect((await get(`/reviews/${review.id}`)).json.assignee).toBeNull();
      expect([end, await list("approver")]).toEqual([end, expect.arrayContaining([review.id])]);
    }
  });

  it("keeps the date that somebody gave it while what it is about is renamed", async () => {
    const { assetId, review } = await askedFor();
    const dueAt = inHours(30);
    await send("PATCH", `/reviews/${review.id}`, { dueAt }, "approver");
    const name = world.a.unique();
    expect((await send("PUT", `/ai-assets/${assetId}`, { name })).status).toBe(200);
    expect((await get(`/reviews/${review.id}`)).json).toMatchObject({ name, dueAt });
  });

  it("is not assigned to whoever asked", async () => {
    const { review } = await askedFor();
    const refused = await send("PATCH", `/reviews/${review.id}`, { assignee: actor().userId }, "approver");
    expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, "/assignee"]);
  });

  it("leaves out what has lapsed, at that very moment", async () => {
    const { json } = await get("/reviews?kind=action_approval");
    const [first] = json.items;
    expect(first.endsAt).not.toBeNull();
    world.clock.advance(Date.parse(first.endsAt) - world.clock.now());
    expect((await get("/reviews?kind=action_approval")).json.items).toEqual([]);
    expect((await get("/reviews?kind=action_approval&status=lapsed")).json.items).toMatchObject([{ id: first.id }]);
  });

  it("reads overdue from the moment it is due, sorts by it and counts it for its assignee", async () => {
    const { review } = await askedFor();
    const dueAt = inHours(1);
    const assignee = actor("approver").userId;
    await send("PATCH", `/reviews/${review.id}`, { dueAt, assignee }, "approver");
    const before = await get("/me", "approver");
    expect((await get(`/reviews/${review.id}`)).json.status).toBe("waiting");
    world.clock.advance(HOUR);
    expect((await get(`/reviews/${review.id}`)).json.status).toBe("overdue");
    const listed = (await get("/reviews?status=overdue&sort=dueAt&mine=true", "approver")).json;
    expect(listed.items.map(({ id }: { id: string }) => id)).toContain(review.id);
    const after = await get("/me", "approver");
    expect(after.json.reviews.overdue.count).toBe(before.json.reviews.overdue.count + 1);
    // A new date takes it back.
    await send("PATCH", `/reviews/${review.id}`, { dueAt: inHours(1) }, "approver");
    expect((await get(`/reviews/${review.id}`)).json.status).toBe("waiting");
  });

  it("keeps comments with the review and in the activity of its subject", async () => {
    const { assetId, review } = await askedFor();
    const said = await send("POST", `/reviews/${review.id}/comments`, { text: "Which data does it see?" }, "member");
    expect([said.status, said.json.comments]).toEqual([
      201,
      [{ by: actor("member").userId, at: expect.any(String), text: "Which data does it see?" }],
    ]);
    const { json } = await get(`/ai/activity/${assetId}?type=review.commented`);
    expect(json.items).toMatchObject([{ data: { comment: { text: "Which data does it see?" } } }]);
  });

  it("shows no other tenant anything, by list, id, assignment or comment", async () => {
    const { assetId, review } = await askedFor();
    const { token } = world.b.actors.owner;
    const listed = await world.send("GET", `/api/v1/reviews?assetId=${assetId}`, { token });
    expect(listed.json.items).toEqual([]);
    const foreign = (method: string, path: string, body?: object) =>
      world.send(method, `/api/v1/reviews/${review.id}${path}`, { token, ...(body ? { body } : {}) });
    expect((await foreign("GET", "")).status).toBe(404);
    expect((await foreign("PATCH", "", { dueAt: null })).status).toBe(404);
    expect((await foreign("POST", "/comments", { text: "hello" })).status).toBe(404);
  });

  it("shows only kinds that the caller may see", async () => {
    const user = await world.a.newUser([]);
    expect((await world.send("GET", "/api/v1/reviews", { token: user.token })).status).toBe(403);
    expect((await get("/reviews?size=100", "member")).json.items).toSatisfy((items: { kind: string }[]) =>
      items.every(({ kind }) => kind !== "action_approval"),
    );
  });
});

describe("GET /me", () => {
  it("tells who one is, what one may and what waits", async () => {
    const { json } = await get("/me", "approver");
    const { userId, username } = actor("approver");
    expect(json).toMatchObject({ id: userId, kind: "user", username, roles: ["approver"] });
    expect(json.permissions).toContain("ai-governance:approve");
    expect(json.tenant.id).toBe(world.a.tenantId);
    const listed = await get(json.reviews.href.replace("/api/v1", ""), "approver");
    expect(json.reviews.waiting).toEqual({ count: listed.json.totalItems, relation: "exact" });
  });

  it("has no reviews for those who may see none", async () => {
    const user = await world.a.newUser([]);
    const { json } = await world.send("GET", "/api/v1/me", { token: user.token });
    expect(json).toMatchObject({ id: user.userId, permissions: [], reviews: null });
  });
});

describe("the people of a review", () => {
  it("are who asked, who may decide, and who may not with the conflict in words", async () => {
    const { assetId, review } = await askedFor();
    await send("POST", `/reviews/${review.id}/comments`, { text: "Which data?" }, "approver");
    const { status, json } = await get(`/reviews/${review.id}/people`, "approver");
    expect(status).toBe(200);
    const asker = actor().userId;
    expect(json.requestedBy.id).toBe(asker);
    expect(json.commenters.map(({ id }: { id: string }) => id)).toEqual([actor("approver").userId]);
    const found = (id: string) => json.deciders.find((one: { id: string }) => one.id === id);
    expect(found(asker)).toMatchObject({ mayDecide: false, conflict: expect.stringContaining("is involved in it") });
    expect(found(actor("member").userId)).toBeUndefined();
    // The server decides as the list says.
    for (const { id, mayDecide } of json.deciders.filter(({ id }: { id: string }) =>
      [asker, actor("approver").userId].includes(id),
    )) {
      const role = id === asker ? "owner" : "approver";
      const path = `/ai-assets/${assetId}/governance-state`;
      const { status: decided } = await send("PATCH", path, { status: "approved" }, role);
      expect([id, decided < 300]).toEqual([id, mayDecide]);
    }
  });
});
