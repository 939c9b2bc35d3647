import { type Actor, type NewApp, newApp, newLaunch, newSignOn, type World } from "@reeve/testkit";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { HostPrincipal } from "../../../src/index.js";
import { createWorld } from "../../helpers/world.js";

/** What hosts call a team: a role of their own, to which `roleMap` leads a group of theirs. */
const TEAM = "billing";
const REASON = "because a test wants it so";

let world: World;
let signedIn: HostPrincipal | undefined;
beforeAll(async () => {
  world = await createWorld({
    roles: { [TEAM]: { description: "Pays the bills", permissions: ["app:use"] } },
    roleMap: { "group-7": [TEAM], member: ["member"] },
    authenticate: async () => signedIn,
  });
});

let app: NewApp;
beforeEach(async () => {
  app = await newApp(world.a, { assigned: false });
});

const owner = () => ({ token: world.a.owner.token });
const assign = async (subjectType: string, subjectId: string | null) => {
  const path = `/api/v1/saml-apps/${app.id}/assignments`;
  const { json } = await world.send("POST", path, { ...owner(), body: { subjectType, subjectId } });
  return { remove: () => world.send("DELETE", `${path}/${json.id}`, owner()) };
};
const sessions = async () => {
  const { json } = await world.send("GET", `/api/v1/saml-apps/${app.id}/sessions`, owner());
  return json.items.map(({ userId, state, endReason }: Record<string, string>) => [userId, endReason ?? state]);
};
const launch = async ({ token }: Pick<Actor, "token">) =>
  (await world.send("POST", `/api/v1/saml-apps/${app.id}/launch`, { token })).status;
const launcherOf = async ({ token }: Pick<Actor, "token">) =>
  (await world.send("GET", "/api/v1/apps?size=100", { token })).json.items.some(({ id }: NewApp) => id === app.id);
const machine = async () => {
  const id = await world.a.newIdentity({ status: "active", scopes: ["app:use"] });
  const { clientId, clientSecret } = await world.a.newCredential(id);
  const body = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  const { json } = await world.send("POST", "/api/v1/auth/token", { body });
  return { userId: id, token: json.access_token as string };
};

describe("an application of a team", () => {
  it("is signed on to by its people, shown to them, and by nobody else", async () => {
    const [inside, outside] = [await world.a.newUser([TEAM]), await world.a.newUser(["member"])];
    const given = await assign("role", TEAM);
    expect([await launch(inside), await launch(outside), await launch(await machine())]).toEqual([200, 403, 403]);
    expect([await launcherOf(inside), await launcherOf(outside)]).toEqual([true, false]);
    await newSignOn(world.a, inside, app);
    await given.remove();
    expect([await launch(inside), await sessions()]).toEqual([403, [[inside.userId, "access_revoked"]]]);
  });

  it("is left by somebody who leaves the team, unless it is assigned to them too", async () => {
    const [leaving, staying] = [await world.a.newUser([TEAM, "member"]), await world.a.newUser([TEAM, "member"])];
    await assign("role", TEAM);
    await assign("user", staying.userId);
    for (const one of [leaving, staying]) {
      await newSignOn(world.a, one, app);
      const change = { ...owner(), body: { roles: ["member"], reason: REASON } };
      expect((await world.send("PATCH", `/api/v1/users/${one.userId}`, change)).status).toBe(200);
    }
    expect(new Map(await sessions())).toEqual(
      new Map([
        [leaving.userId, "access_revoked"],
        [staying.userId, "live"],
      ]),
    );
  });
});

describe("an application of an AI identity", () => {
  it("is its own: neither everyone nor a team stands for it", async () => {
    const [one, other] = [await machine(), await machine()];
    await assign("everyone", null);
    expect(await launch(one)).toBe(403);
    const given = await assign("ai_identity", one.userId);
    expect([await launch(one), await launch(other)]).toEqual([200, 403]);
    await newSignOn(world.a, one as Actor, app);
    await given.remove();
    expect([await launch(one), await sessions()]).toEqual([403, [[one.userId, "access_revoked"]]]);
  });
});

describe("somebody of a team that only the host knows", () => {
  /** Signs on somebody whom the host has signed in. */
  async function signOnOf(principal: Omit<HostPrincipal, "tenantId">) {
    signedIn = { tenantId: world.a.tenantId, ...principal };
    try {
      const { nonce } = await newLaunch(world.a, { token: undefined } as never, app);
      return (await world.send("GET", `/${nonce}/${app.id}`)).status;
    } finally {
      signedIn = undefined;
    }
  }

  it.each<[string, () => Promise<Omit<HostPrincipal, "tenantId">>]>([
    ["has no record here", async () => ({ userId: "emp-7", username: "eve@host.example", roles: ["group-7"] })],
    [
      "has a record here with other roles",
      async () => {
        const { userId, username } = await world.a.newUser(["member"]);
        return { userId, username, roles: ["group-7", "member"] };
      },
    ],
  ])("and who %s, stays signed on until the application is taken away from the team", async (_who, principal) => {
    const somebody = await world.a.newUser(["member"]);
    const other = await assign("user", somebody.userId);
    const team = await assign("role", TEAM);
    await newSignOn(world.a, somebody, app);
    const who = await principal();
    expect(await signOnOf(who)).toBe(200);
    await other.remove();
    expect(new Map(await sessions())).toEqual(
      new Map([
        [somebody.userId, "access_revoked"],
        [who.userId, "live"],
      ]),
    );
    await team.remove();
    expect(new Map(await sessions()).get(who.userId)).toBe("access_revoked");
  });
});
