import type { Actor, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

const ASSETS = "/api/v1/ai-assets";
const ERASURES = "/api/v1/ai-governance/audit/erasures";

let world: World;
beforeAll(async () => {
  const permissions = ["review:read", "ai-exemption:read"] as const;
  const roles = { sees_exemptions: { description: "Sees exemptions that wait", permissions } };
  world = await createWorld({ tokenLifetime: 86_400, roles });
});

const send = (method: string, path: string, body?: object, who: Pick<Actor, "token"> = world.a.owner) =>
  world.send(method, path, { token: who.token, ...(body ? { body } : {}) });
const ok = async (...[method, path, body, who]: Parameters<typeof send>) => {
  const answer = await send(method, path, body, who);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
};
const move = (id: string, status: string, who?: Actor, more: object = {}) =>
  ok("PATCH", `${ASSETS}/${id}/governance-state`, { status, ...more }, who);
const reviewOf = async (assetId: string) =>
  (await ok("GET", `/api/v1/reviews?assetId=${assetId}&kind=asset_review`)).items[0];
/** Somebody of the tenant whose roles permit nothing. */
const outsider = () => world.a.newUser([]);

/** An asset with a model and a tool, approved and changed since, whose review waits again. */
async function changedSinceApproval() {
  const { operator, approver } = world.a.actors;
  const model = await world.a.newAsset({ name: "Larch", assetType: "model" });
  const host = await world.a.newAsset({ name: "Shed", assetType: "application" });
  const id = await world.a.newAsset({ riskTier: "limited", relations: [{ type: "uses", targetId: model }] });
  await move(id, "under_review", operator);
  await move(id, "approved", approver);
  await ok("PUT", `${ASSETS}/${id}`, { purpose: "Sorts mail." }, operator);
  const relations = [
    { type: "uses", targetId: model },
    { type: "hosted_on", targetId: host },
  ];
  await ok("PUT", `${ASSETS}/${id}`, { relations, labels: { a: "b" } }, operator);
  const { governanceState } = await ok("GET", `${ASSETS}/${id}`);
  if (governanceState !== "under_review")
    await move(id, "under_review", operator, { reason: "It runs elsewhere now." });
  return { id, model, host, review: await reviewOf(id) };
}

describe("the opening of a review", () => {
  it("says who asks, when and why, what the asset uses by name, and what an approval would change", async () => {
    const { operator, approver } = world.a.actors;
    const model = await world.a.newAsset({ name: "Larch", assetType: "model" });
    const id = await world.a.newAsset({ relations: [{ type: "uses", targetId: model }] });
    await world.a.newFinding(id);
    await move(id, "under_review", operator, { reason: "It goes to production." });
    const review = await reviewOf(id);
    const opening = await ok("GET", `/api/v1/reviews/${review.id}/opening`, undefined, approver);
    expect(opening).toMatchObject({
      requestedBy: { id: operator.userId, type: "user", name: expect.any(String), hidden: false },
      requestedAt: review.createdAt,
      reason: "It goes to production.",
      requestKnown: true,
      asset: {
        ...{ id, hidden: false, usesComplete: true, stops: 0, stopsComplete: true },
        uses: [{ relation: "uses", direction: "outgoing", id: model, name: "Larch", assetType: "model" }],
        approved: { decision: "allow" },
      },
    });
    expect(opening.asset.openFindings).not.toBeNull();
  });

  it("is there for every kind that waits, and hides the asset from who may not see it", async () => {
    const { items } = await ok("GET", "/api/v1/reviews?size=100");
    for (const { id, assetId } of items) {
      const { asset } = await ok("GET", `/api/v1/reviews/${id}/opening`);
      expect(asset?.id ?? null).toBe(assetId);
    }
    const waits = items.find(({ kind, assetId }: Record<string, unknown>) => kind === "exemption" && assetId !== null);
    const who = await world.a.newUser(["sees_exemptions"]);
    const { requestedBy, reason, asset } = await ok("GET", `/api/v1/reviews/${waits.id}/opening`, undefined, who);
    expect(asset).toMatchObject({
      id: waits.assetId,
      hidden: true,
      name: null,
      uses: [],
      openFindings: null,
      now: null,
    });
    expect([requestedBy.hidden, typeof requestedBy.name, typeof reason]).toEqual([false, "string", "string"]);
  });

  it("says that it does not know why, once that was erased", async () => {
    const id = await world.a.newAsset();
    await move(id, "under_review", undefined, { reason: "It goes to production." });
    const asked = await ok("POST", ERASURES, { subjectId: id, reason: "asked for by the person concerned" });
    await ok("POST", `${ERASURES}/${asked.id}/decision`, { decision: "approve" }, world.a.actors.admin);
    const { id: reviewId } = await reviewOf(id);
    const opening = await ok("GET", `/api/v1/reviews/${reviewId}/opening`);
    expect(opening).toMatchObject({ reason: null, requestKnown: false, requestedBy: { id: world.a.owner.userId } });
    expect(await ok("GET", `/api/v1/reviews/${reviewId}/changes`)).toMatchObject({ since: null, complete: false });
  });
});

describe("what has changed about what waits", () => {
  it("is compared with its last approval, field by field, with the names of what is new", async () => {
    const { approver } = world.a.actors;
    const { id, model, host, review } = await changedSinceApproval();
    const changes = await ok("GET", `/api/v1/reviews/${review.id}/changes`, undefined, approver);
    expect(changes).toMatchObject({ since: { by: { id: approver.userId } }, complete: true, hidden: [] });
    const of = (field: string) => changes.items.find((one: { field: string }) => one.field === field);
    expect(changes.items.map(({ field }: { field: string }) => field).sort()).toEqual([
      ...["labels", "purpose", "relations"],
    ]);
    expect(of("purpose")).toMatchObject({ type: "ai_asset", id, to: "Sorts mail." });
    expect(of("relations").from).toEqual([{ type: "uses", targetId: model }]);
    expect(changes.names).toContainEqual({ id: host, type: "ai_asset", name: "Shed", hidden: false });
  });

  it("is compared with the caller's own last decision, or with a moment", async () => {
    const { approver, governance_officer: officer } = world.a.actors;
    const { id, review } = await changedSinceApproval();
    const of = (query: string, who: Actor) =>
      ok("GET", `/api/v1/reviews/${review.id}/changes?${query}`, undefined, who);
    expect((await of("since=decision", approver)).items).toHaveLength(3);
    expect(await of("since=decision", officer)).toMatchObject({ since: null, complete: true, items: [] });
    const moment = new Date(world.clock.now() + 1_000).toISOString();
    world.clock.advance(2_000);
    await ok("PUT", `${ASSETS}/${id}`, { purpose: "Sorts parcels." });
    expect(await of(`from=${moment}`, officer)).toMatchObject({
      since: { at: moment, by: null },
      items: [{ field: "purpose", from: "Sorts mail.", to: "Sorts parcels." }],
    });
    await ok("PUT", `${ASSETS}/${id}`, { purpose: "Sorts mail." });
    expect((await of(`from=${moment}`, officer)).items).toEqual([]);
  });

  it("holds the technical side of an asset as well", async () => {
    const { operator, approver } = world.a.actors;
    const record = await world.a.newAgent();
    const { assetId } = await ok("GET", `/api/v1/ai/agents/${record}`);
    await move(assetId, "under_review", operator);
    await move(assetId, "approved", approver);
    const model = await world.a.newAsset({ name: "Larch", assetType: "model" });
    await ok("PUT", `/api/v1/ai/agents/${record}`, { modelIds: [model] }, operator);
    if ((await ok("GET", `${ASSETS}/${assetId}`)).governanceState !== "under_review")
      await move(assetId, "under_review", operator);
    const { id } = await reviewOf(assetId);
    expect(await ok("GET", `/api/v1/reviews/${id}/changes`)).toMatchObject({
      items: [{ type: "ai_agent", id: record, field: "modelIds", to: [model] }],
      names: expect.arrayContaining([expect.objectContaining({ id: model, name: "Larch" })]),
    });
    expect((await ok("GET", `/api/v1/reviews/${id}/opening`)).asset.uses).toMatchObject([{ id: model, name: "Larch" }]);
  });

  it("is shown to no other tenant, as the opening is not", async () => {
    const { review } = await changedSinceApproval();
    for (const part of ["opening", "changes"])
      expect((await send("GET", `/api/v1/reviews/${review.id}/${part}`, undefined, world.b.owner)).status).toBe(404);
  });
});

describe("names in place of ids", () => {
  const namesOf = async (ids: readonly string[], who?: Pick<Actor, "token">) =>
    (await ok("GET", `/api/v1/names?ids=${ids.join(",")}`, undefined, who)).items;

  it("are those of people, machines and assets, in the order asked, and of nobody who is unknown", async () => {
    const identity = await world.a.newIdentity({ name: "Night batch" });
    const asset = await world.a.newAsset({ name: "Larch" });
    const person = world.a.actors.approver.userId;
    const gone = "usr_7ZZZZZZZZZZZZZZZZZZZZZZZZZ";
    expect(await namesOf([person, asset, "system", identity, gone, "somebody"])).toEqual([
      { id: person, type: "user", name: expect.any(String), hidden: false },
      { id: asset, type: "ai_asset", name: "Larch", hidden: false },
      { id: "system", type: "system", name: null, hidden: false },
      { id: identity, type: "ai_identity", name: "Night batch", hidden: false },
      { id: gone, type: "user", name: null, hidden: false },
      { id: "somebody", type: null, name: null, hidden: false },
    ]);
  });

  it("are hidden, and said to be, from who may not see such records", async () => {
    const asset = await world.a.newAsset();
    const person = world.a.actors.approver.userId;
    const { member, approver } = world.a.actors;
    const hidden = (id: string) => expect.objectContaining({ id, name: null, hidden: true });
    expect(await namesOf([person, asset], await outsider())).toEqual([hidden(person), hidden(asset)]);
    expect(await namesOf([person], member)).toEqual([hidden(person)]);
    expect(await namesOf([person], approver)).toMatchObject([{ hidden: false, name: expect.any(String) }]);
  });

  it("are none of another tenant, and at most a hundred at once", async () => {
    const asset = await world.a.newAsset();
    const ids = [asset, world.a.actors.approver.userId];
    expect(await namesOf(ids, world.b.owner)).toMatchObject(ids.map((id) => ({ id, name: null, hidden: false })));
    const many = Array.from({ length: 101 }, (_, at) => `x${at}`).join(",");
    expect((await send("GET", `/api/v1/names?ids=${many}`)).status).toBe(400);
  });
});
