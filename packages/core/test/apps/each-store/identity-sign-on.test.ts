import { type Actor, type NewApp, newApp, newLaunch, newSignOn, type World } from "@reeve/testkit";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

const REASON = "because a test wants it so";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

let caller: Actor;
let app: NewApp;
beforeEach(async () => {
  caller = await world.a.newUser(["member"]);
  app = await newApp(world.a);
});

const owner = () => ({ token: world.a.owner.token });
const ask = (path: string, as: Actor = caller) => world.send("GET", path, { token: as.token });

describe("a sign-on of an AI identity", () => {
  const send = (path: string, body: object, as = world.a.owner) =>
    world.send("POST", `/api/v1${path}`, { token: as.token, body: { reason: REASON, ...body } });

  /** An AI identity that is signed on, one more of its nonces, and whether it can be used. */
  async function machine(more: object = {}) {
    const id = await world.a.newIdentity({ status: "active", scopes: ["app:use"], ...more });
    const { clientId, clientSecret } = await world.a.newCredential(id);
    const body = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    const { json } = await world.send("POST", "/api/v1/auth/token", { body });
    const as = { ...caller, userId: id, token: json.access_token };
    await send(`/saml-apps/${app.id}/assignments`, { subjectType: "ai_identity", subjectId: id });
    await newSignOn(world.a, as, app);
    const { nonce } = await newLaunch(world.a, as, app);
    const launch = () => world.send("POST", `/api/v1/saml-apps/${app.id}/launch`, { token: as.token });
    const { assetId } = (await world.send("GET", `/api/v1/ai/identities/${id}`, owner())).json;
    return { as, nonce, launch, assetId: assetId as string };
  }
  const open = async () =>
    (await world.send("GET", `/api/v1/saml-apps/${app.id}/sessions?state=live`, owner())).json.totalItems;
  const engage = (key: string, status: string, body = {}) =>
    send(`/support/kill-switches/${key}`, { status, ...body }, world.provider.owner);

  it.each([
    ["ai.all", () => ["ai.all", {}]],
    ["one tenant", () => [`ai.tenant.${world.a.tenantId}`, {}]],
    ["its asset", (assetId) => [`ai.asset.${assetId}`, { configuration: { tenantId: world.a.tenantId } }]],
  ] satisfies [string, (assetId: string) => [string, object]][])(
    "is cut off by the kill switch of %s, with its sessions",
    async (_what, switchOf) => {
      const { as, nonce, launch, assetId } = await machine();
      const [key, body] = switchOf(assetId);
      const engaged = await engage(key, "engaged", body);
      expect([engaged.status, engaged.text]).toEqual([200, expect.any(String)]);
      for (const answer of [await launch(), await ask(`/${nonce}/${app.id}`, as)])
        expect(answer.json).toMatchObject({
          code: "permission_denied",
          detail: expect.stringContaining("kill_switch:"),
        });
      expect((await ask(`/${(await newLaunch(world.a, caller, app)).nonce}/${app.id}`)).status).toBe(200);
      const before = await open();
      await world.controlPlane.tick();
      expect(await open()).toBe(before - 1);
      await engage(key, "released", body);
      expect((await launch()).status).toBe(200);
    },
  );

  it("is cut off by a halt of the agents that run as it, unless another one may act", async () => {
    const teams = [world.a.unique(), world.a.unique()];
    const agentIds: string[] = [];
    for (const id of teams) agentIds.push(await world.a.newAsset({ assetType: "agent", team: { type: "team", id } }));
    const { launch } = await machine({ agentIds });
    const halt = async (target: string | undefined) =>
      expect((await send("/ai/halts", { scope: "team", target })).status).toBe(201);
    await halt(teams[0]);
    expect((await launch()).status).toBe(200);
    await halt(teams[1]);
    expect((await launch()).json).toMatchObject({
      code: "permission_denied",
      detail: expect.stringContaining("halt:"),
    });
    await world.controlPlane.tick();
    expect(await open()).toBe(0);
  });
});
