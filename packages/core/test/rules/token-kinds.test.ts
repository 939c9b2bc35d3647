import type { Actor, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../helpers/world.js";

let world: World;
let actor: Actor;
let client: string;
let kinds: Record<string, string>;
beforeAll(async () => {
  world = await createWorld();
  actor = await world.a.newUser(["owner"]);
  await world.a.newAsset();
  client = await world.a.newIdentity();
  const { token } = actor;
  const list = await world.send("GET", "/api/v1/ai/activity?size=1", { token });
  const key = "a-key-that-was-used";
  const { username, password } = actor;
  const signIn = { body: { username, password }, headers: { "x-reeve-page": "1" } };
  const session = await world.send("POST", "/api/v1/auth/sessions", signIn);
  await world.send("POST", "/api/v1/ai-assets", { token, body: {}, headers: { "idempotency-key": key } });
  kinds = {
    "access token": token,
    "refresh token": actor.refreshToken,
    "secret of a cookie": String(session.headers["set-cookie"]).replace(/^[^=]*=|;.*/g, ""),
    "client secret": (await world.a.newCredential(client)).clientSecret,
    cursor: list.json.nextCursor,
    "idempotency key": key,
    password: actor.password,
    "user id": actor.userId,
  };
});

/** Each place that accepts one kind of token: how to send one, and the status for a wrong one. */
const PLACES: Record<string, { takes: string; send: (given: string) => Promise<number>; refusal: number }> = {
  "the Authorization header": {
    takes: "access token",
    send: async (token) => (await world.send("GET", "/api/v1/ai-assets", { token })).status,
    refusal: 401,
  },
  "the cookie of a browser session": {
    takes: "secret of a cookie",
    send: async (secret) => {
      const cookie = `reeve_session=${secret}; __Host-reeve_session=${secret}`;
      return (await world.send("GET", "/api/v1/me", { headers: { cookie } })).status;
    },
    refusal: 401,
  },
  "the refresh grant": {
    takes: "refresh token",
    send: async (refresh_token) =>
      (await world.send("POST", "/api/v1/auth/token", { body: { grant_type: "refresh_token", refresh_token } })).status,
    refusal: 400,
  },
  "the secret of a client": {
    takes: "client secret",
    send: async (client_secret) => {
      const body = { grant_type: "client_credentials", client_id: client, client_secret };
      return (await world.send("POST", "/api/v1/auth/token", { body, remoteAddress: world.a.unique() })).status;
    },
    refusal: 401,
  },
  "the cursor of a list": {
    takes: "cursor",
    send: async (cursor) =>
      (
        await world.send("GET", `/api/v1/ai/activity?cursor=${encodeURIComponent(cursor)}`, {
          token: world.a.owner.token,
        })
      ).status,
    refusal: 400,
  },
  "the password of a sign-in": {
    takes: "password",
    send: async (password) =>
      (
        await world.send("POST", "/api/v1/auth/signin", {
          body: { username: actor.username, password },
          remoteAddress: world.a.unique(),
        })
      ).status,
    refusal: 401,
  },
  "the answer to who asks at introspection": {
    takes: "access token",
    send: async (token) =>
      (
        await world.send("POST", "/api/v1/auth/introspect", {
          body: { token: actor.token },
          headers: { authorization: `Bearer ${token}` },
        })
      ).status,
    refusal: 401,
  },
};

describe("one kind of secret in the place of another", () => {
  it.each(Object.entries(PLACES))("is worthless as %s", async (_place, { takes, send, refusal }) => {
    for (const [kind, secret] of Object.entries(kinds)) {
      if (kind !== takes) expect([kind, await send(secret)]).toEqual([kind, refusal]);
    }
    expect(await send(kinds[takes] as string)).toBe(200);
  });

  it("introspects and revokes as nothing but what it is", async () => {
    const authorization = `Bearer ${world.a.owner.token}`;
    for (const [kind, token] of Object.entries(kinds)) {
      const answer = await world.send("POST", "/api/v1/auth/introspect", {
        body: { token },
        headers: { authorization },
      });
      expect([kind, answer.json.active]).toEqual([kind, kind === "access token"]);
    }
  });
});
