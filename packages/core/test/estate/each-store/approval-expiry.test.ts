import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { eventTypes, recordsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let world: World;
let id: string;
let until: string;

beforeEach(async () => {
  world = await createWorld();
  id = await world.a.newAsset({ environment: "production" });
  until = new Date(world.clock.now() + HOUR / 2).toISOString();
  await decide("under_review", world.a.actors.operator.token);
  await decide("approved", world.a.actors.approver.token, { approvedUntil: until });
});

const as = () => ({ token: world.a.owner.token });
const path = () => `/api/v1/ai-assets/${id}`;
async function decide(status: string, token: string, configuration?: object, reason = "for the sake of this test") {
  const answer = await world.send("PATCH", `${path()}/governance-state`, {
    token,
    body: { status, reason, configuration },
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}
const read = async () => (await world.send("GET", path(), as())).json;
const effective = async () => (await world.send("GET", `${path()}/effective`, as())).json;
const history = async () =>
  (await world.send("GET", `${path()}/governance-state/history`, as())).json.items.map(
    ({ from, to, triggeredBy }: Record<string, string>) => `${from} ${to} ${triggeredBy}`,
  );
const expired = [
  "approved expired system",
  "under_review approved user",
  "unreviewed under_review user",
  "null unreviewed user",
];

describe("an approval that runs out", () => {
  it("reads as expired from its very moment on, everywhere, before any tick", async () => {
    world.clock.set(new Date(Date.parse(until) - 1).toISOString());
    expect((await read()).governanceState).toBe("approved");
    world.clock.advance(1);
    expect((await read()).governanceState).toBe("expired");
    for (const list of [
      "/api/v1/ai-assets",
      "/api/v1/ai-assets?environment=production",
      "/api/v1/ai-assets?search=zqalpha",
    ]) {
      const { json } = await world.send("GET", list, as());
      expect(json.items.find((item: { id: string }) => item.id === id).governanceState).toBe("expired");
    }
  });

  it("is written down once by tick, with one event", async () => {
    world.clock.set(until);
    world.clock.advance(1);
    const before = (await eventTypes(world.a)).length;
    const seen = await read();
    await world.controlPlane.tick();
    expect(await eventTypes(world.a, before)).toEqual(["asset.governance_state.changed"]);
    const written = await read();
    const version = seen.version + 1;
    const stamps = { version, editVersion: version, updatedAt: written.updatedAt, updatedBy: "system" };
    expect(written).toEqual({ ...seen, ...stamps });
    expect(await history()).toEqual(expired);
    const records = await recordsOf(world.a);
    await world.controlPlane.tick();
    expect(await eventTypes(world.a, before)).toHaveLength(1);
    expect(await recordsOf(world.a)).toEqual(records);
  });

  it("is not touched by a tick before its time", async () => {
    const before = await recordsOf(world.a);
    await world.controlPlane.tick();
    expect(await recordsOf(world.a)).toEqual(before);
  });

  it("can be followed by another review without a tick, and the history has no gap", async () => {
    world.clock.set(until);
    const renewed = await decide("under_review", world.a.actors.operator.token);
    expect(renewed).toMatchObject({ governanceState: "under_review", approvedUntil: null });
    expect(await history()).toEqual(["expired under_review user", ...expired]);
    await world.controlPlane.tick();
    expect((await read()).governanceState).toBe("under_review");
  });

  it("is written down by whatever else changes the asset first", async () => {
    world.clock.set(until);
    const replaced = await world.send("PUT", path(), { ...as(), body: { description: "changed" } });
    expect(replaced.json).toMatchObject({ description: "changed", governanceState: "expired" });
    const moved = await world.send("PATCH", `${path()}/lifecycle`, { ...as(), body: { status: "validation" } });
    expect(moved.json).toMatchObject({ status: "validation", governanceState: "expired" });
    const merged = await world.send("PATCH", `${path()}/metadata`, { ...as(), body: { metadata: { note: "x" } } });
    expect(merged.json.governanceState).toBe("expired");
    const promoted = await world.send("PATCH", `${path()}/lifecycle`, { ...as(), body: { status: "production" } });
    expect(promoted.json.code).toBe("transition_guard_failed");
    world.clock.advance(1);
    await world.controlPlane.tick();
    expect(await history()).toEqual(expired);
  });

  it("lets a change send back what was read, before any tick", async () => {
    world.clock.set(until);
    const { json, headers } = await world.send("GET", path(), as());
    const body = { ...json, description: "changed" };
    const sending = { ...as(), body, headers: { "if-match": headers.etag } };
    const answer = await world.send("PUT", path(), sending);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json).toMatchObject({ description: "changed", governanceState: "expired" });
    expect((await world.send("PUT", path(), sending)).status).toBe(412);
  });

  it("does not keep the asset from being deleted", async () => {
    world.clock.set(until);
    expect((await world.send("DELETE", path(), as())).status).toBe(204);
    world.clock.advance(1);
    await world.controlPlane.tick();
    expect((await world.send("GET", path(), as())).status).toBe(404);
  });

  it("must lie in the future when it is given", async () => {
    await decide("under_review", world.a.actors.operator.token);
    const answer = await world.send("PATCH", `${path()}/governance-state`, {
      token: world.a.actors.approver.token,
      body: { status: "approved", configuration: { approvedUntil: new Date(world.clock.now()).toISOString() } },
    });
    expect(answer.json.errors).toMatchObject([{ pointer: "/configuration/approvedUntil" }]);
  });
});

describe("the effective decision", () => {
  it("follows the approval from allow over warn to deny", async () => {
    expect(await effective()).toMatchObject({ decision: "allow", reasons: [] });
    world.clock.set(until);
    expect(await effective()).toMatchObject({ decision: "warn", reasons: ["approval:expired_within_grace"] });
    world.clock.set(new Date(Date.parse(until) + 14 * DAY).toISOString());
    const { username, password, userId } = world.a.owner;
    const { token } = await world.a.signIn(userId, { username, password });
    const { json } = await world.send("GET", `${path()}/effective`, { token });
    expect(json).toMatchObject({ decision: "deny", reasons: ["approval:expired"] });
  });

  it("denies what is suspended, and production without approval", async () => {
    await decide("suspended", world.a.owner.token);
    expect(await effective()).toMatchObject({ decision: "deny", reasons: ["governance_state:suspended"] });
    await decide("approved", world.a.actors.admin.token);
    expect(await effective()).toMatchObject({ decision: "allow" });
    await decide("under_review", world.a.owner.token);
    expect(await effective()).toMatchObject({
      decision: "deny",
      reasons: ["production_without_approval:under_review"],
    });
  });
});
