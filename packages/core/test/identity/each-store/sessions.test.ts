import type { Actor, Answer, World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { collections } from "#reference/index.js";
import { eventTypes } from "../../helpers/facts.js";
import { providerOf, suspend } from "../../helpers/provider.js";
import { createWorld } from "../../helpers/world.js";

const DAY = 86_400_000;

let world: World;
let actor: Actor;
beforeEach(async () => {
  world = await createWorld();
  actor = await world.a.newUser(["operator"]);
});

const grant = (body: Record<string, unknown>, more: object = {}): Promise<Answer> =>
  world.send("POST", "/api/v1/auth/token", { body, ...more });
const refresh = (refresh_token: string, more: object = {}) =>
  grant({ grant_type: "refresh_token", refresh_token, ...more });
const works = async (token: string) => (await world.send("GET", "/api/v1/ai-assets", { token })).status;
const rowsOf = async (name: string) => {
  const collection = collections.find((candidate) => candidate.name === name);
  if (!collection) throw new Error(`there is no collection ${name}`);
  return world.store.forTenant(world.a.tenantId).scan(collection, { size: 1_000 });
};
const worthless = {
  status: 400,
  json: { code: "invalid_request", error: "invalid_grant", error_description: expect.any(String) },
};

describe("a refresh token", () => {
  it("comes with the sign-in, is marked as ours, and is stored only as a hash", async () => {
    const { username, password, refreshToken } = actor;
    expect(refreshToken).toMatch(/^reeve_rt_[\w-]{43}$/);
    const answer = await world.send("POST", "/api/v1/auth/signin", { body: { username, password } });
    expect(answer.json).toMatchObject({
      tokenType: "Bearer",
      expiresAt: "2026-01-05T10:00:00.000Z",
      refreshExpiresAt: "2026-01-12T09:00:00.000Z",
    });
    const stored = (await rowsOf("refresh_tokens")).map((row) => row.text).join();
    expect(stored).not.toContain(refreshToken.slice(9));
    expect(stored).toMatch(/"tokenHash":"[0-9a-f]{64}"/);
  });

  it("gives a token that works and its own successor, with the headers RFC 6749 asks for", async () => {
    const answer = await refresh(actor.refreshToken);
    expect(answer.json).toMatchObject({ token_type: "Bearer", expires_in: 3_600 });
    expect(answer.headers).toMatchObject({ "cache-control": "no-store", pragma: "no-cache" });
    expect(await works(answer.json.access_token)).toBe(200);
    const again = await refresh(answer.json.refresh_token);
    expect(again.status).toBe(200);
    expect(new Set([actor.refreshToken, answer.json.refresh_token, again.json.refresh_token]).size).toBe(3);
    expect((await eventTypes(world.a)).slice(-2)).toEqual(["user.token_refreshed", "user.token_refreshed"]);
  });

  it("may be sent as a form, and not without its name, as another grant or twice", async () => {
    const form = (bytes: string) =>
      world.send("POST", "/api/v1/auth/token", {
        bytes,
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
    const query = new URLSearchParams({ grant_type: "refresh_token", refresh_token: actor.refreshToken });
    for (const [text, error] of [
      ["grant_type=refresh_token", "invalid_request"],
      ["refresh_token=x", "invalid_request"],
      [`${query}&refresh_token=x`, "invalid_request"],
      ["grant_type=password&username=a&password=b", "unsupported_grant_type"],
    ] as const) {
      expect((await form(text)).json).toMatchObject({ error, code: "invalid_request" });
    }
    expect((await form(query.toString())).status).toBe(200);
  });

  it("ends its whole family when it is used a second time: refresh tokens and access tokens", async () => {
    const first = (await refresh(actor.refreshToken)).json;
    const second = (await refresh(first.refresh_token)).json;
    expect(await refresh(actor.refreshToken)).toMatchObject(worthless);
    for (const token of [actor.token, first.access_token, second.access_token]) expect(await works(token)).toBe(401);
    expect(await refresh(second.refresh_token)).toMatchObject(worthless);
    expect(await eventTypes(world.a)).toContain("user.refresh_token_reused");
    expect(await works((await world.a.signIn(actor.userId, actor)).token)).toBe(200);
  });

  it("leaves other sign-ins of the same user alone when it is reused", async () => {
    const other = await world.a.signIn(actor.userId, actor);
    await refresh(actor.refreshToken);
    await refresh(actor.refreshToken);
    expect(await works(other.token)).toBe(200);
    expect((await refresh(other.refreshToken)).status).toBe(200);
  });

  it("has one winner of fifty at once, and then no family", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(actor.refreshToken)));
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    const words = answers.map(({ json }) => json.error);
    expect(words.filter((word) => word === "invalid_grant" || word === "temporarily_unavailable")).toHaveLength(49);
    expect(words).toContain("invalid_grant");
    expect(await refresh(winners[0]?.json.refresh_token)).toMatchObject(worthless);
    expect(await works(winners[0]?.json.access_token)).toBe(401);
    expect((await rowsOf("refresh_tokens")).map((row) => (row.value as { userId?: string }).userId)).not.toContain(
      actor.userId,
    );
  });

  it("ends a week after the sign-in, however often it is used, and tick forgets it", async () => {
    let token = actor.refreshToken;
    for (let day = 0; day < 6; day += 1) {
      world.clock.advance(DAY);
      token = (await refresh(token)).json.refresh_token;
    }
    world.clock.advance(DAY - 1);
    token = (await refresh(token)).json.refresh_token;
    world.clock.advance(1);
    expect(await refresh(token)).toMatchObject(worthless);
    world.clock.advance(1);
    await world.controlPlane.tick();
    expect(await rowsOf("refresh_tokens")).toEqual([]);
  });

  it("gives no access token that outlives the sign-in", async () => {
    world.clock.advance(7 * DAY - 1_800_000);
    const { json } = await refresh(actor.refreshToken);
    expect(json.expires_in).toBe(1_800);
    world.clock.advance(1_800_000 + 60_000 - 1);
    expect(await works(json.access_token)).toBe(200);
    world.clock.advance(1);
    expect(await works(json.access_token)).toBe(401);
  });

  it("limits the first access token too where sign-ins are shorter than access tokens", async () => {
    const short = await createWorld({ refreshTokenLifetime: 300 });
    const { username, password } = short.a.owner;
    const { json } = await short.send("POST", "/api/v1/auth/signin", { body: { username, password } });
    expect(json.expiresAt).toBe(json.refreshExpiresAt);
  });

  it("is worth nothing when less than a second of the sign-in is left", async () => {
    world.clock.advance(500);
    const { refreshToken } = await world.a.signIn(actor.userId, actor);
    world.clock.advance(7 * DAY - 1);
    expect(await refresh(refreshToken)).toMatchObject(worthless);
  });

  it("is good only as a whole, and in no other tenant's name", async () => {
    const { refreshToken } = actor;
    for (const bent of ["", "x", refreshToken.slice(0, -1), `${refreshToken}A`, refreshToken.slice(9), actor.token]) {
      expect((await refresh(bent)).json.error).toBe(bent === "" ? "invalid_grant" : "invalid_grant");
    }
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      "the password is changed",
      () =>
        world.send("POST", "/api/v1/auth/reset-password", {
          token: actor.token,
          body: { currentPassword: actor.password, newPassword: "entirely another phrase" },
        }),
    ],
    ["the roles change", () => patch({ roles: ["auditor"] })],
    ["the user is disabled", () => patch({ status: "disabled" })],
    [
      "the user is removed",
      () => world.send("DELETE", `/api/v1/users/${actor.userId}`, { token: world.a.owner.token }),
    ],
    ["the tenant is suspended", () => suspend(world, world.a.tenantId)],
  ])("dies when %s", async (_name, act) => {
    await act();
    expect(await refresh(actor.refreshToken)).toMatchObject(worthless);
  });

  const patch = (body: object) =>
    world.send("PATCH", `/api/v1/users/${actor.userId}`, { token: world.a.owner.token, body });
});

describe("a scope", () => {
  it("narrows the access token, and not the refresh token behind it", async () => {
    const answer = await refresh(actor.refreshToken, { scope: "ai-asset:read" });
    expect(answer.json.scope).toBe("ai-asset:read");
    const token = answer.json.access_token;
    expect(await works(token)).toBe(200);
    const refused = await world.send("POST", "/api/v1/ai-assets", { token, body: {} });
    expect(refused.json).toMatchObject({ code: "permission_denied" });
    const wide = await refresh(answer.json.refresh_token);
    expect(wide.json.scope).toBeUndefined();
    const created = await world.send("POST", "/api/v1/ai-assets", { token: wide.json.access_token, body: {} });
    expect(created.status).toBe(201);
  });

  it("stands for no role, so that a narrowed owner makes no owners", async () => {
    const { refreshToken } = await world.a.signIn(world.a.owner.userId, world.a.owner);
    const { access_token: token } = (await refresh(refreshToken, { scope: "user:write" })).json;
    const body = { username: "second@example.test", roles: ["owner"] };
    expect((await world.send("POST", "/api/v1/users", { token, body })).status).toBe(403);
  });

  it.each(["user:write", "ai-asset:read user:write", "everything", "ai-asset:read  user:read", " ", "__proto__", '"'])(
    "cannot widen: %j",
    async (scope) => {
      expect((await refresh(actor.refreshToken, { scope })).json.error).toBe("invalid_scope");
      expect((await refresh(actor.refreshToken)).status).toBe(200);
    },
  );
});

describe("POST /auth/signout", () => {
  const signOut = (token: string) => world.send("POST", "/api/v1/auth/signout", { token });

  it("ends the token and its refresh tokens, with the next request, and nothing else", async () => {
    const other = await world.a.signIn(actor.userId, actor);
    const later = (await refresh(actor.refreshToken)).json;
    expect((await signOut(actor.token)).status).toBe(204);
    expect(await works(actor.token)).toBe(401);
    expect(await works(later.access_token)).toBe(401);
    expect(await refresh(later.refresh_token)).toMatchObject(worthless);
    expect((await signOut(actor.token)).status).toBe(401);
    expect(await works(other.token)).toBe(200);
    expect(await eventTypes(world.a)).toContain("session.ended");
  });

  it("is forgotten once the token would have expired by itself", async () => {
    await signOut(actor.token);
    expect(await rowsOf("revoked_tokens")).toHaveLength(1);
    world.clock.advance(3_600_000 + 60_000 + 1);
    await world.controlPlane.tick();
    expect(await rowsOf("revoked_tokens")).toEqual([]);
    expect(await works(actor.token)).toBe(401);
  });
});

describe("POST /auth/revoke", () => {
  const revoke = (token: string, more: object = {}) =>
    world.send("POST", "/api/v1/auth/revoke", { body: { token, ...more } });

  it("ends an access token while its tenant is suspended, once and for all", async () => {
    await suspend(world, world.a.tenantId);
    expect((await revoke(actor.token)).status).toBe(200);
    const reported = async () => (await eventTypes(world.a)).filter((type) => type === "token.revoked").length;
    expect([(await revoke(actor.token)).status, await reported()]).toEqual([200, 1]);
    const reopened = await providerOf(world).post(`tenants/${world.a.tenantId}/status`, { status: "active" });
    expect([reopened.status, await works(actor.token)]).toEqual([200, 401]);
  });

  it("ends an access token with the next request, and only it", async () => {
    expect(await works(actor.token)).toBe(200);
    expect(await revoke(actor.token, { token_type_hint: "refresh_token" })).toMatchObject({ status: 200, json: {} });
    expect(await works(actor.token)).toBe(401);
    expect((await refresh(actor.refreshToken)).status).toBe(200);
  });

  it("ends everything that follows from the sign-in of a refresh token", async () => {
    const later = (await refresh(actor.refreshToken)).json;
    expect((await revoke(actor.refreshToken)).status).toBe(200);
    for (const token of [actor.token, later.access_token]) expect(await works(token)).toBe(401);
    expect(await refresh(later.refresh_token)).toMatchObject(worthless);
  });

  it("answers 200 to anything, and writes nothing for what is worthless", async () => {
    await revoke(actor.token);
    const before = await eventTypes(world.a);
    for (const token of ["x", actor.token, `reeve_rt_${"a".repeat(43)}`, "a.b.c"]) {
      expect((await revoke(token)).status).toBe(200);
    }
    expect(await eventTypes(world.a)).toEqual(before);
    const missing = await world.send("POST", "/api/v1/auth/revoke", { body: {} });
    expect(missing).toMatchObject({ status: 400, json: { error: "invalid_request" } });
  });
});

describe("POST /auth/introspect", () => {
  const introspect = (token: string, authorization?: string) =>
    world.send("POST", "/api/v1/auth/introspect", { body: { token }, headers: { authorization } });

  it("tells what a good token of the caller's tenant says", async () => {
    const answer = await introspect(actor.token, `Bearer ${world.a.owner.token}`);
    expect(answer.json).toMatchObject({
      active: true,
      username: actor.username,
      sub: actor.username,
      token_type: "Bearer",
      exp: Date.parse("2026-01-05T10:00:00.000Z") / 1_000,
      iss: "https://reeve.example",
      aud: "https://reeve.example",
    });
  });

  it("says only that it is not active of everything else", async () => {
    const gone = await world.a.signIn(actor.userId, actor);
    await world.send("POST", "/api/v1/auth/signout", { token: gone.token });
    for (const token of [world.b.owner.token, actor.refreshToken, gone.token, "x", `${actor.token}A`]) {
      expect((await introspect(token, `Bearer ${world.a.owner.token}`)).json).toEqual({ active: false });
    }
  });

  it("wants to know who asks", async () => {
    const nobody = await introspect(actor.token);
    expect(nobody).toMatchObject({ status: 401, json: { error: "invalid_client", code: "invalid_credentials" } });
    expect(nobody.headers["www-authenticate"]).toMatch(/^Basic /);
    expect((await introspect(actor.token, "Bearer x")).json.code).toBe("invalid_token");
  });
});

describe("refusals of OAuth endpoints", () => {
  it("are problem documents, or mere JSON for those who ask for that", async () => {
    const typeFor = async (accept: string | undefined) =>
      (await world.send("POST", "/api/v1/auth/token", { body: { grant_type: "x" }, headers: { accept } })).headers[
        "content-type"
      ];
    expect(await typeFor(undefined)).toBe("application/problem+json; charset=utf-8");
    expect(await typeFor("*/*")).toBe("application/problem+json; charset=utf-8");
    expect(await typeFor("application/json")).toBe("application/json; charset=utf-8");
    expect(await typeFor("application/problem+json, application/json")).toBe("application/problem+json; charset=utf-8");
  });

  it("never take a parameter from the query, and never echo a token", async () => {
    const { refreshToken } = actor;
    const answer = await world.send(
      "POST",
      `/api/v1/auth/token?grant_type=refresh_token&refresh_token=${refreshToken}`,
    );
    expect(answer).toMatchObject({ status: 400, json: { error: "invalid_request" } });
    expect(answer.text).not.toContain(refreshToken);
  });
});
