import { type Actor, type Answer, headersOf, sendSample, table, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { effectOf } from "#kernel/operation/operation.js";
import { collections } from "#reference/index.js";
import { eventTypes } from "../../helpers/facts.js";
import { suspend } from "../../helpers/provider.js";
import { createWorld } from "../../helpers/world.js";

const HOUR = 3_600_000;
const page = { "x-reeve-page": "1" };
const ORIGIN = "https://reeve.example.test";

let world: World;
let actor: Actor;
beforeEach(async () => {
  world = await createWorld();
  actor = await world.a.newUser(["owner"]);
});

const signIn = (by: Actor = actor, headers: Record<string, string> = page): Promise<Answer> =>
  world.send("POST", "/api/v1/auth/sessions", {
    body: { username: by.username, password: by.password },
    headers: { "user-agent": "Browser 1.0", ...headers },
    remoteAddress: world.a.unique(),
  });
/** The cookie of an answer as a browser sends it. */
const cookieIn = ({ headers }: Answer) => String(headers["set-cookie"]).split(";")[0] as string;
const by = (cookie: string, method: string, target: string, headers: Record<string, string> = {}, body?: object) =>
  world.send(method, target, { headers: { cookie, ...headers }, ...(body ? { body } : {}) });
const me = async (cookie: string) => (await by(cookie, "GET", "/api/v1/me")).status;
const newAsset = (cookie: string, headers: Record<string, string>) =>
  by(cookie, "POST", "/api/v1/ai-assets", headers, { name: world.a.unique(), assetType: "agent" });

describe("the cookie of a browser session", () => {
  it("stands in place of a bearer, is of no use to scripts, and is stored only as a hash", async () => {
    const answer = await signIn();
    expect(answer.status).toBe(201);
    expect(answer.json).toMatchObject({ current: true, factor: null, userAgent: "Browser 1.0" });
    const cookie = String(answer.headers["set-cookie"]);
    expect(cookie).toMatch(
      /^(?:__Host-)?reeve_session=reeve_bs_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict(?:; Secure)?; Max-Age=43200$/,
    );
    expect(cookie.includes("__Host-")).toBe(cookie.includes("Secure"));
    const read = await by(cookieIn(answer), "GET", "/api/v1/me");
    expect(read.json).toMatchObject({ id: actor.userId, roles: ["owner"] });
    const collection = collections.find(({ name }) => name === "browser_sessions");
    const rows = await world.store.forTenant(world.a.tenantId).scan(collection as never, { size: 10 });
    const stored = rows.map((row) => row.text).join();
    expect(stored).toMatch(/"secretHash":"[0-9a-f]{64}"/);
    expect(stored).not.toContain(cookieIn(answer).split("reeve_bs_")[1]);
    expect(answer.text).not.toContain("reeve_bs_");
  });

  it("is no bearer, and a bearer is no cookie", async () => {
    const cookie = cookieIn(await signIn());
    const [name, secret] = cookie.split("=") as [string, string];
    expect((await world.send("GET", "/api/v1/me", { token: secret })).status).toBe(401);
    expect(await me(`${name}=${actor.token}`)).toBe(401);
    expect(await me(`${name}=${actor.refreshToken}`)).toBe(401);
    expect(await me(`${cookie}; ${cookie}`)).toBe(401);
    expect(await me(`${name}=`)).toBe(401);
    expect(await me(`a=b; ${cookie}; c=d`)).toBe(200);
  });

  it("is not given to pages of other origins, nor to forms", async () => {
    expect((await signIn(actor, {})).status).toBe(403);
    expect((await signIn(actor, { ...page, "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await signIn(actor, { ...page, origin: "https://elsewhere.example" })).status).toBe(403);
    expect((await signIn(actor, { ...page, "sec-fetch-site": "same-origin", origin: ORIGIN })).status).toBe(201);
  });

  it("changes something only with the header of a page of the same origin", async () => {
    const cookie = cookieIn(await signIn());
    expect((await newAsset(cookie, {})).json).toMatchObject({ status: 403, code: "permission_denied" });
    expect((await newAsset(cookie, { "x-reeve-page": "yes" })).status).toBe(403);
    expect((await newAsset(cookie, { ...page, "sec-fetch-site": "same-site" })).status).toBe(403);
    expect((await newAsset(cookie, { ...page, origin: "https://elsewhere.example" })).status).toBe(403);
    expect((await newAsset(cookie, page)).status).toBe(201);
    const other = { "sec-fetch-site": "cross-site" };
    expect((await by(cookie, "GET", "/api/v1/me", other)).status).toBe(401);
  });

  it("yields to a bearer, which needs no header", async () => {
    const cookie = cookieIn(await signIn());
    const other = await world.a.newUser(["auditor"]);
    const read = await world.send("GET", "/api/v1/me", { token: other.token, headers: { cookie } });
    expect(read.json.id).toBe(other.userId);
    const headers = { cookie };
    const made = await world.send("POST", "/api/v1/ai-assets", {
      token: actor.token,
      headers,
      body: { name: world.a.unique(), assetType: "agent" },
    });
    expect(made.status).toBe(201);
  });

  it("ends twelve hours after the sign-in, or an hour after the last use, and tick forgets it", async () => {
    const kept = cookieIn(await signIn());
    const left = cookieIn(await signIn());
    for (let hour = 0; hour < 11; hour += 1) {
      world.clock.advance(HOUR - 1);
      expect(await me(kept)).toBe(200);
    }
    expect(await me(left)).toBe(401);
    world.clock.advance(HOUR - 1);
    expect(await me(kept)).toBe(200);
    world.clock.advance(13);
    expect(await me(kept)).toBe(401);
    await world.controlPlane.tick();
    const { token } = await world.a.signIn(actor.userId, actor);
    expect((await world.send("GET", "/api/v1/auth/sessions", { token })).json.items).toEqual([]);
  });

  it("ends with the password, the rights and the account of its person", async () => {
    const [first, second] = [cookieIn(await signIn()), cookieIn(await signIn())];
    const change = { currentPassword: actor.password, newPassword: `another long phrase ${world.a.unique()}` };
    expect((await by(first, "POST", "/api/v1/auth/reset-password", page, change)).status).toBe(200);
    expect([await me(first), await me(second)]).toEqual([200, 401]);
    const user = `/api/v1/users/${actor.userId}`;
    await world.a.newUser(["owner"]);
    const { token } = world.a.owner;
    expect((await world.send("PATCH", user, { token, body: { status: "disabled" } })).status).toBe(200);
    expect(await me(first)).toBe(401);
  });

  it("ends with its tenant", async () => {
    const cookie = cookieIn(await signIn());
    await suspend(world, world.a.tenantId);
    expect((await by(cookie, "GET", "/api/v1/me")).status).not.toBe(200);
  });

  it("ends with all others when the signing key is given up, and with the restore of a backup", async () => {
    const first = cookieIn(await signIn());
    await world.controlPlane.rotateSigningKey({ overlap: false });
    expect(await me(first)).toBe(401);
    const second = cookieIn(await signIn());
    expect(await me(second)).toBe(200);
    await world.controlPlane.afterRestore();
    expect(await me(second)).toBe(401);
  });

  it("is listed and ended by its owner and nobody else", async () => {
    const [first, second] = [await signIn(), await signIn()];
    const list = async (cookie: string) => (await by(cookie, "GET", "/api/v1/auth/sessions")).json.items;
    expect(
      (await list(cookieIn(first))).map(({ id, current }: { id: string; current: boolean }) => [id, current]),
    ).toEqual([
      [second.json.id, false],
      [first.json.id, true],
    ]);
    const foreign = [world.a.owner, world.b.owner];
    for (const { token } of foreign) {
      expect((await world.send("GET", "/api/v1/auth/sessions", { token })).json.items).toEqual([]);
      const end = await world.send("DELETE", `/api/v1/auth/sessions/${first.json.id}`, { token });
      expect(end.status).toBe(404);
    }
    const target = `/api/v1/auth/sessions/${second.json.id}`;
    expect((await by(cookieIn(first), "DELETE", target, page)).status).toBe(204);
    expect(await me(cookieIn(second))).toBe(401);
    const left = await by(cookieIn(first), "DELETE", "/api/v1/auth/sessions/current", page);
    expect(left.status).toBe(204);
    expect(left.headers["set-cookie"]).toMatch(/=; Path=\/; HttpOnly; SameSite=Strict.*; Max-Age=0$/);
    expect(await me(cookieIn(first))).toBe(401);
    expect((await eventTypes(world.a)).slice(-2)).toEqual(["session.ended", "session.ended"]);
  });

  it("is ended by the sign-out of tokens as well", async () => {
    const cookie = cookieIn(await signIn());
    expect((await by(cookie, "POST", "/api/v1/auth/signout", page)).status).toBe(204);
    expect(await me(cookie)).toBe(401);
  });

  it("ends the oldest of fifty", async () => {
    const first = cookieIn(await signIn());
    const second = cookieIn(await signIn());
    for (let count = 2; count <= 50; count += 1) await signIn();
    expect([await me(first), await me(second)]).toEqual([401, 200]);
  });

  it("is refused by every writing operation without the header", async () => {
    const cookie = cookieIn(await signIn(world.a.owner));
    for (const operation of table) {
      if (effectOf(operation) === "read" || operation.access === "public" || operation.dialect) continue;
      if (typeof operation.access === "object" && operation.access.provider) continue;
      const headers = { ...headersOf(operation), cookie };
      const sent = await world.send(operation.method, operation.path.replaceAll(/\{\w+\}/g, "any"), { headers });
      expect([operation.id, sent.status, sent.json?.code]).toEqual([operation.id, 403, "permission_denied"]);
    }
  });

  it("opens operations with a sample as a bearer does", async () => {
    const cookie = cookieIn(await signIn(world.a.owner));
    for (const operation of table.filter(({ id }) => ["me.read", "users.list", "aiAssets.create"].includes(id))) {
      const answer = await sendSample(world.a, operation, undefined, { headers: { cookie, ...page } });
      expect([operation.id, answer.status]).toEqual([operation.id, operation.success.status]);
    }
  });
});
