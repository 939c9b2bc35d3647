import type { Scene, World } from "@reeve/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { verified, WebhookReceiver } from "../../helpers/webhook-receiver.js";
import { createWorld } from "../../helpers/world.js";

const reason = "because a test wants it so";
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let world: World;
let scene: Scene;
let receiver: WebhookReceiver;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400, egressAllow: ["127.0.0.1/32"] });
  scene = world.a;
  // The library of the receiver compares with the clock of the process.
  vi.useFakeTimers({ toFake: ["Date"], now: world.clock.now() });
});
afterAll(() => vi.useRealTimers());
beforeEach(async () => {
  receiver = await WebhookReceiver.start();
});

const pass = (ms: number) => {
  world.clock.advance(ms);
  vi.setSystemTime(world.clock.now());
};
const as = (token: string) => (method: string, path: string, body?: object) =>
  world.send(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });
const owner = async (method: string, path: string, body?: object) => {
  const { status, json, text } = await as(scene.owner.token)(method, path, body);
  expect(status, text).toBeLessThan(300);
  return json;
};

async function newHook(more: object = {}): Promise<string> {
  const made = await owner("POST", "/webhooks", { name: scene.unique(), url: receiver.url, ...more });
  receiver.secret = made.secret;
  return made.id;
}
const delivery = (id: string) => owner("GET", `/webhooks/${id}/delivery`);
const attempts = async (id: string) => (await owner("GET", `/webhooks/${id}/attempts?size=100`)).items;
const subjects = () => receiver.taken.map(({ subject }) => subject);
const soon = (expectation: () => unknown) => vi.waitFor(expectation, { timeout: 10_000, interval: 20 });
const caughtUp = (id: string) =>
  soon(async () => expect(await delivery(id)).toMatchObject({ waiting: 0, more: false }));
const removeHook = (id: string) => owner("DELETE", `/webhooks/${id}`);

describe("a webhook", () => {
  it("gets each event of its tenant, in order, signed by the specification, and of others none", async () => {
    const id = await newHook();
    const made = [await scene.newAsset(), await scene.newAsset()];
    await world.b.newAsset();
    await caughtUp(id);
    expect(subjects().filter((one) => made.includes(one))).toEqual(expect.arrayContaining(made));
    expect(receiver.taken.every(({ sequence }, at, all) => at === 0 || sequence !== all[at - 1]?.sequence)).toBe(true);
    const bodies = receiver.messages.map(({ body }) => body).join();
    expect(bodies).not.toContain(world.b.sentinel);
    expect(bodies).not.toContain(receiver.secret);
    const [first] = receiver.messages;
    expect(() => verified(first as never, `whsec_${Buffer.alloc(32).toString("base64")}`)).toThrow(/signature/i);
    const { type, timestamp, data } = JSON.parse(first?.body ?? "{}");
    expect({ type, timestamp }).toEqual({ type: data.type, timestamp: data.time });
    expect(first?.headers["webhook-id"]).toBe(data.id);
    await removeHook(id);
  });

  it("gets the types of events that it asked for, and no others", async () => {
    const id = await newHook({ types: ["webhook.secret.rotated"] });
    await scene.newAsset();
    await owner("POST", `/webhooks/${id}/secret`);
    await caughtUp(id);
    expect(receiver.messages.map(({ body }) => JSON.parse(body).type)).toEqual([
      expect.stringMatching(/webhook\.secret\.rotated/),
    ]);
    await removeHook(id);
  });

  it("gets all that it missed once it is back, in order within each subject, each id once", async () => {
    const id = await newHook({ types: ["asset.created", "asset.updated"] });
    receiver.answer = 500;
    const assets = [await scene.newAsset(), await scene.newAsset(), await scene.newAsset()];
    await soon(async () => expect((await delivery(id)).failures).toBeGreaterThan(0));
    await receiver.stop();
    for (const assetId of [...assets, ...assets])
      await owner("PATCH", `/ai-assets/${assetId}/metadata`, { metadata: { n: scene.unique() } });
    pass(20_000);
    await world.controlPlane.tick();
    const failing = await delivery(id);
    expect(failing).toMatchObject({ failures: 2, lastFailure: "connector_error" });
    expect(Date.parse(failing.nextAttemptAt) - world.clock.now()).toBe(20_000);
    receiver.answer = 204;
    await receiver.listen();
    await world.controlPlane.tick();
    expect(receiver.taken).toEqual([]);
    pass(20_000);
    await world.controlPlane.tick();
    await caughtUp(id);
    expect(await delivery(id)).toMatchObject({ failures: 0, failingSince: null, nextAttemptAt: null });
    expect(new Set(receiver.taken.map((one) => one.id)).size).toBe(receiver.taken.length);
    for (const assetId of assets) {
      const sequences = receiver.taken.filter(({ subject }) => subject === assetId).map(({ sequence }) => sequence);
      expect(sequences).toHaveLength(3);
      expect([...sequences].sort()).toEqual(sequences);
    }
    const kept = await attempts(id);
    expect(kept.filter(({ outcome }: { outcome: string }) => outcome === "delivered")).toHaveLength(9);
    expect(kept.filter(({ failure }: { failure: string }) => failure === "status_500").length).toBeGreaterThan(0);
    await removeHook(id);
  });

  it("that is slow gets a page in parts, each within its lease, and each message once", async () => {
    const id = await newHook({ types: ["asset.updated"] });
    const assetId = await scene.newAsset();
    receiver.before = () => pass(70_000);
    for (let count = 0; count < 5; count += 1)
      await owner("PATCH", `/ai-assets/${assetId}/metadata`, { metadata: { n: scene.unique() } });
    await soon(() => expect(receiver.taken).toHaveLength(5));
    receiver.before = () => {};
    await caughtUp(id);
    await world.controlPlane.tick();
    const sequences = receiver.taken.map(({ sequence }) => sequence);
    expect([...new Set(sequences)].sort()).toEqual(sequences);
    await removeHook(id);
  });

  it("is disabled at once by a receiver that is gone", async () => {
    const id = await newHook({ types: ["asset.created"] });
    receiver.answer = 410;
    await scene.newAsset();
    await soon(async () => expect((await owner("GET", `/webhooks/${id}`)).status).toBe("disabled"));
    await removeHook(id);
  });

  it("is signed by the secret before as well for a day", async () => {
    const id = await newHook({ types: ["asset.created"] });
    const before = receiver.secret;
    const { secret } = await owner("POST", `/webhooks/${id}/secret`);
    receiver.secret = secret;
    await scene.newAsset();
    await soon(() => expect(receiver.taken).toHaveLength(1));
    verified(receiver.messages[0] as never, before);
    pass(DAY - HOUR * 3);
    await soon(async () => expect(await delivery(id)).toMatchObject({ waiting: 0, more: false }));
    await removeHook(id);
  });

  it("sends again by event, sequence or moment, with the same ids", async () => {
    const id = await newHook({ types: ["asset.created"] });
    await scene.newAsset();
    await scene.newAsset();
    await soon(() => expect(receiver.taken).toHaveLength(2));
    const [first, second] = receiver.taken.map((one) => one.id);
    await owner("POST", `/webhooks/${id}/replay`, { eventId: first });
    await soon(() => expect(receiver.taken.map((one) => one.id)).toEqual([first, second, first]));
    await owner("POST", `/webhooks/${id}/replay`, { after: Number(receiver.taken[0]?.sequence) });
    await soon(() => expect(receiver.taken.slice(3).map((one) => one.id)).toEqual([second]));
    await owner("POST", `/webhooks/${id}/replay`, { since: new Date(world.clock.now()).toISOString() });
    await soon(() =>
      expect(receiver.taken.slice(4).map((one) => one.id)).toEqual(expect.arrayContaining([first, second])),
    );
    for (const body of [{}, { after: 1, eventId: first }, { eventId: "evt_none" }, { after: -1 }])
      expect((await as(scene.owner.token)("POST", `/webhooks/${id}/replay`, body)).status).toBe(400);
    await removeHook(id);
  });

  it("that takes nothing for longer than the host allows is told of once, and shows in the backlog", async () => {
    const id = await newHook({ types: ["asset.created"] });
    receiver.answer = 503;
    await scene.newAsset();
    await soon(async () => expect((await delivery(id)).failures).toBe(1));
    const ofWebhooks = async () => (await world.controlPlane.backlog()).find(({ target }) => target === "webhooks");
    expect(await ofWebhooks()).toMatchObject({ events: 1, oldestAt: new Date(world.clock.now()).toISOString() });
    const told = async () =>
      (await owner("GET", `/ai/activity/${id}?size=20`)).items.filter(({ type }: { type: string }) =>
        type.endsWith("webhook.behind.v1"),
      );
    expect(await told()).toEqual([]);
    for (const minutes of [1, 1, 10, 20]) {
      pass(minutes * 60_000);
      await world.controlPlane.tick();
    }
    const [event, ...others] = await told();
    expect(others).toEqual([]);
    expect(event).toMatchObject({ severitytext: "WARN", data: { lastFailure: "status_503" } });
    receiver.answer = 204;
    pass(1.5 * HOUR);
    await world.controlPlane.tick();
    await caughtUp(id);
    expect(await ofWebhooks()).toMatchObject({ events: 0, oldestAt: null });
    await removeHook(id);
  });

  it("rests while a kill switch stops outgoing calls, and then gets what it missed", async () => {
    const id = await newHook({ types: ["asset.created"] });
    const turn = (status: string) =>
      as(scene.provider.owner.token)("POST", "/support/kill-switches/connectors.outbound", { status, reason });
    await turn("engaged");
    await scene.newAsset();
    await world.controlPlane.tick();
    expect(receiver.messages).toEqual([]);
    expect((await as(scene.owner.token)("POST", `/webhooks/${id}/test`)).json.code).toBe("kill_switch_active");
    await turn("released");
    await world.controlPlane.tick();
    await soon(() => expect(receiver.taken).toHaveLength(1));
    await removeHook(id);
  });

  it("is tested by a message, and tells what was answered", async () => {
    const id = await newHook({ types: ["asset.created"] });
    expect(await owner("POST", `/webhooks/${id}/test`)).toMatchObject({ outcome: "delivered", httpStatus: 204 });
    receiver.answer = 302;
    expect(await owner("POST", `/webhooks/${id}/test`)).toMatchObject({ outcome: "failed", failure: "status_302" });
    await removeHook(id);
  });

  it("is made by administrators alone, of known types, to addresses that the guard lets through, a hundred at most", async () => {
    const { operator, auditor } = scene.actors;
    const body = { name: "x", url: receiver.url };
    expect((await as(operator.token)("POST", "/webhooks", body)).status).toBe(403);
    expect((await as(auditor.token)("GET", "/webhooks")).status).toBe(200);
    const refused = await as(scene.owner.token)("POST", "/webhooks", { ...body, types: ["no.such.type"] });
    expect([refused.status, refused.json.code]).toEqual([400, "invalid_request"]);
    expect(refused.json.errors).toMatchObject([{ pointer: "/types" }]);
    const inside = await newHook({ url: "http://169.254.169.254/latest", types: ["asset.created"] });
    await scene.newAsset();
    await soon(async () => expect((await delivery(inside)).lastFailure).toBe("target_not_allowed"));
    await removeHook(inside);
    const { totalItems } = await owner("GET", "/webhooks");
    const more: string[] = [];
    for (let count = totalItems; count < 100; count += 1) more.push(await newHook({ types: ["erasure.created"] }));
    const beyond = await as(scene.owner.token)("POST", "/webhooks", body);
    expect([beyond.status, beyond.json.code]).toEqual([403, "limit_exceeded"]);
    for (const id of more) await removeHook(id);
  });

  it("is disabled after three days of failures, and goes on where it stopped", async () => {
    const id = await newHook({ types: ["asset.created"] });
    receiver.answer = 503;
    const assetId = await scene.newAsset();
    await soon(async () => expect((await delivery(id)).failures).toBe(1));
    for (let hours = 0; hours <= 78; hours += 6) {
      pass(6 * HOUR);
      await world.controlPlane.tick();
    }
    const token = (await scene.signIn(scene.owner.userId, scene.owner)).token;
    const read = (path: string) => as(token)("GET", path);
    expect((await read(`/webhooks/${id}`)).json.status).toBe("disabled");
    const { items } = (await read(`/ai/activity/${id}?size=5`)).json;
    expect(items[0]).toMatchObject({ tostate: "disabled", severitytext: "WARN" });
    receiver.answer = 204;
    expect((await as(token)("POST", `/webhooks/${id}/enable`, { reason })).status).toBe(200);
    await world.controlPlane.tick();
    await soon(() => expect(subjects()).toContain(assetId));
    expect((await as(token)("DELETE", `/webhooks/${id}`)).status).toBe(204);
    Object.assign(scene.owner, { token });
  });
});
