import type { Actor, Scene, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { ChatReceiver } from "../../helpers/chat-receiver.js";
import { eventsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let scene: Scene;
beforeAll(async () => {
  world = await createWorld({ notices: true, tokenLifetime: 86_400, egressAllow: ["127.0.0.1/32"] });
  scene = world.a;
  await tell();
});

const tell = () => world.controlPlane.tick();
const ask = (actor: Actor, method: string, path: string, body?: object) =>
  world.send(method, `/api/v1${path}`, { token: actor.token, headers: { "if-match": "*" }, ...(body ? { body } : {}) });
const owner = async (method: string, path: string, body?: object) => {
  const { status, json, text } = await ask(scene.owner, method, path, body);
  expect(status, text).toBeLessThan(300);
  return json;
};
const govern = (actor: Actor, id: string, status: string) =>
  ask(actor, "PATCH", `/ai-assets/${id}/governance-state`, { status, reason: "because a test wants it so" });

async function newChannel(app: string, more: object = {}): Promise<{ id: string; receiver: ChatReceiver }> {
  const receiver = await ChatReceiver.start();
  const body = { name: scene.unique(), app, url: receiver.url, kinds: ["waiting"], ...more };
  return { id: (await owner("POST", "/chat-channels", body)).id, receiver };
}

async function asked(): Promise<{ id: string; name: string }> {
  const name = scene.unique();
  const id = await scene.newAsset({ name });
  await govern(scene.owner, id, "under_review");
  return { id, name };
}

describe("a channel of a chat", () => {
  it.each(["slack", "teams", "mattermost"])(
    "of %s gets each matter once, in its own form, and of other tenants none",
    async (app) => {
      const { id, receiver } = await newChannel(app);
      const { name } = await asked();
      const foreign = await world.b.newReview();
      await tell();
      await tell();
      const about = receiver.messages.filter((message) =>
        message.includes(name.replace("-", app === "mattermost" ? "\\\\-" : "-")),
      );
      expect(about).toHaveLength(1);
      expect(about[0]).toContain("https://reeve.example/console/inbox/rvw_");
      expect(receiver.messages.join()).not.toContain(foreign);
      expect(receiver.messages.join()).not.toContain(world.b.sentinel);
      await owner("DELETE", `/chat-channels/${id}`);
    },
  );

  it("that takes nothing gets what it missed, but not what was decided meanwhile", async () => {
    const { id, receiver } = await newChannel("slack");
    receiver.answer = 500;
    const [stays, goes] = [await asked(), await asked()];
    await tell();
    expect(receiver.messages.length).toBeGreaterThan(0);
    expect((await govern(scene.actors.approver, goes.id, "approved")).status).toBe(200);
    receiver.answer = 200;
    receiver.messages.length = 0;
    world.clock.advance(7_200_000);
    await tell();
    expect(receiver.messages.filter((message) => message.includes(stays.name))).toHaveLength(1);
    expect(receiver.messages.join()).not.toContain(goes.name);
    await owner("DELETE", `/chat-channels/${id}`);
  });

  it("has an address that nothing shows, and is tested by a message", async () => {
    const { id, receiver } = await newChannel("mattermost");
    expect(await owner("POST", `/chat-channels/${id}/test`)).toMatchObject({ taken: true, answer: 200 });
    expect(receiver.messages).toHaveLength(1);
    await owner("PATCH", `/chat-channels/${id}`, { url: receiver.url, kinds: ["halt"] });
    const shown = [
      await owner("GET", `/chat-channels/${id}`),
      await owner("GET", "/chat-channels"),
      await eventsOf(scene),
    ];
    expect(JSON.stringify(shown)).not.toContain("secret-of-this-channel");
    receiver.answer = 404;
    expect(await owner("POST", `/chat-channels/${id}/test`)).toMatchObject({ taken: false, failure: "status_404" });
    await owner("DELETE", `/chat-channels/${id}`);
  });

  it("is made by administrators alone, and stopped by the guard of outgoing calls", async () => {
    const body = { name: "x", app: "slack", url: "http://169.254.169.254/latest" };
    expect((await ask(scene.actors.operator, "POST", "/chat-channels", body)).status).toBe(403);
    expect((await ask(scene.actors.auditor, "GET", "/chat-channels")).status).toBe(200);
    const { id } = await owner("POST", "/chat-channels", body);
    expect(await owner("POST", `/chat-channels/${id}/test`)).toMatchObject({ failure: "target_not_allowed" });
    await owner("DELETE", `/chat-channels/${id}`);
  });
});
