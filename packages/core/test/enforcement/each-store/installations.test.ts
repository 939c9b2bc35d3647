import { newEnrolmentCode, newInstallation, type Scene, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { enrolmentCodes, installationKeys, installations } from "#families/enforcement/installations/schema.js";
import { eventsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let scene: Scene;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
  scene = world.a;
});

const MINUTE = 60_000;
const DAY = 86_400_000;
const PATH = "/api/v1/ai/installations";
const reason = "because a test wants it so";
const rotate = (token: string) => world.send("POST", "/api/v1/ai/installation/credential", { token });
const enrol = (code: string, more: object = {}) =>
  world.send("POST", `${PATH}/enrol`, { body: { code, client: "codex", ...more } });
const asOwner = (method: string, path: string, body?: object) =>
  world.send(method, path, { token: scene.owner.token, ...(body ? { body } : {}) });

describe("enrolment", () => {
  it("gives an installation an identity of its own, and a credential that is kept nowhere", async () => {
    const { installation, credential, agentId } = await newInstallation(scene);
    expect(installation).toMatchObject({ status: "active", client: "claude-code", agentId, lastSeenAt: null });
    const identity = await asOwner("GET", `/api/v1/ai/identities/${installation.identityId}`);
    expect(identity.json).toMatchObject({ agentIds: [], scopes: [], assetId: installation.assetId });
    expect(identity.json.sponsor.id).toBe(scene.owner.userId);
    const reader = world.store.forTenant(scene.tenantId);
    const kept = await Promise.all(
      [installations, enrolmentCodes, installationKeys].map((one) =>
        reader.scan(one as typeof installations, { size: 1_000 }),
      ),
    );
    const events = await eventsOf(scene);
    expect(JSON.stringify([kept.flat().map(({ text }) => text), events])).not.toContain(credential.slice(4));
    const activity = await asOwner("GET", `/api/v1/ai-assets/${agentId}/activity`);
    expect(activity.json.items.map((event: { type: string }) => event.type)).toContain(
      "reeve.installation.enrolled.v1",
    );
  });

  it("takes a code as often as it says, for its client, while it lasts, and refuses every other alike", async () => {
    const twice = await newEnrolmentCode(scene, { maxUses: 2, client: "codex" });
    expect((await enrol(twice.code, { client: "gemini-cli" })).status).toBe(403);
    expect([(await enrol(twice.code)).status, (await enrol(twice.code)).status]).toEqual([201, 201]);
    const short = await newEnrolmentCode(scene, { ttlSeconds: 60 });
    const withdrawn = await newEnrolmentCode(scene);
    expect((await asOwner("POST", `/api/v1/ai/installation-codes/${withdrawn.id}/revoke`, { reason })).status).toBe(
      200,
    );
    world.clock.advance(MINUTE);
    const others = [twice.code, short.code, withdrawn.code, `rec_${"A".repeat(43)}`, "rec_short"];
    for (const code of others) {
      const { status, json } = await enrol(code);
      expect([status, json.code], code).toEqual([401, "invalid_token"]);
    }
    const listed = await asOwner("GET", "/api/v1/ai/installation-codes");
    const statuses = new Map(listed.json.items.map((one: { id: string; status: string }) => [one.id, one.status]));
    expect([twice, short, withdrawn].map(({ id }) => statuses.get(id))).toEqual(["used_up", "expired", "revoked"]);
  });

  it("never enrols more than a code may, however many try at once", async () => {
    const { code } = await newEnrolmentCode(scene, { maxUses: 3 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => enrol(code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 401, 401, 401, 401, 401]);
  });

  it("is opened by who answers for the agent, for people and agents that are there", async () => {
    const member = await scene.newUser(["operator"]);
    const agentId = await scene.newAsset({ assetType: "agent" });
    const [tool, other] = [await scene.newAsset({ assetType: "tool" }), await world.b.newAsset({ assetType: "agent" })];
    const ask = (body: object, token = scene.owner.token) =>
      world.send("POST", "/api/v1/ai/installation-codes", { token, body });
    expect((await ask({ agentId }, member.token)).status).toBe(403);
    for (const id of [tool, other]) expect((await ask({ agentId: id })).json.code).toBe("invalid_reference");
    expect((await ask({ agentId, userId: world.b.owner.userId })).json.code).toBe("invalid_reference");
    expect((await ask({ agentId, userId: "ada of another system" })).status).toBe(201);
  });
});

describe("a credential", () => {
  it("does what installations do, and nothing that its sponsor may", async () => {
    const { credential } = await newInstallation(scene);
    const path = "/api/v1/ai-assets";
    expect((await world.send("GET", path, { token: credential })).json.code).toBe("permission_denied");
    expect((await rotate(credential)).status).toBe(201);
    expect((await rotate(scene.owner.token)).status).toBe(403);
  });

  it("is rotated by itself, and works for another hour", async () => {
    const { credential: first } = await newInstallation(scene);
    const { json } = await rotate(first);
    expect((await rotate(json.credential)).status).toBe(201);
    world.clock.advance(59 * MINUTE);
    expect((await rotate(first)).status).toBe(201);
    world.clock.advance(2 * MINUTE);
    expect((await rotate(first)).status).toBe(401);
  });

  it("is refused from the next request on when its installation is revoked, or its identity stopped or deleted", async () => {
    const stops = [
      (id: string) => asOwner("POST", `${PATH}/${id}/revoke`, { reason }),
      (_id: string, assetId: string) =>
        asOwner("PATCH", `/api/v1/ai-assets/${assetId}/governance-state`, { status: "suspended", reason }),
      (_id: string, assetId: string) => asOwner("DELETE", `/api/v1/ai-assets/${assetId}?force=true&reason=${reason}`),
    ];
    for (const stop of stops) {
      const { id, installation, credential } = await newInstallation(scene);
      expect((await rotate(credential)).status).toBe(201);
      const stopped = await stop(id, installation.assetId);
      expect(stopped.status, stopped.text).toBeLessThan(300);
      expect((await rotate(credential)).status).toBe(401);
    }
  });

  it("has a name for those who may see it", async () => {
    const { id, installation, credential } = await newInstallation(scene);
    const named = async (token: string) => (await world.send("GET", `/api/v1/names?ids=${id}`, { token })).json.items;
    const shown = { id, type: "installation", name: installation.name, hidden: false };
    expect(await named(scene.owner.token)).toEqual([shown]);
    expect(await named(world.b.owner.token)).toEqual([{ ...shown, name: null }]);
    expect(await named(credential)).toEqual([{ ...shown, name: null, hidden: true }]);
  });

  it("of one tenant is nothing in another", async () => {
    const { id, credential } = await newInstallation(world.b);
    expect((await rotate(credential)).status).toBe(201);
    for (const [method, path] of [
      ["GET", `${PATH}/${id}`],
      ["POST", `${PATH}/${id}/revoke`],
    ] as const)
      expect((await asOwner(method, path, method === "POST" ? { reason } : undefined)).status).toBe(404);
    const listed = await asOwner("GET", PATH);
    expect(listed.json.items.map((one: { id: string }) => one.id)).not.toContain(id);
  });

  it("ends after ninety days, and its hash is dropped", async () => {
    const { credential } = await newInstallation(scene);
    const left = async () =>
      (await world.store.forTenant(scene.tenantId).scan(installationKeys, { size: 1_000 })).length;
    const before = await left();
    world.clock.advance(91 * DAY);
    expect((await rotate(credential)).status).toBe(401);
    await world.controlPlane.tick();
    expect([before > 0, await left()]).toEqual([true, 0]);
  });
});
