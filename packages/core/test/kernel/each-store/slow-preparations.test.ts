import type { Answer, World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import type { HostPrincipal } from "../../../src/index.js";
import { eventsOf, recordsOf } from "../../helpers/facts.js";
import { heldHasher } from "../../helpers/held-hasher.js";
import { providerOf, suspend } from "../../helpers/provider.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let hasher: ReturnType<typeof heldHasher>;
/** Whom the host has signed in, of requests with a cookie. */
let hosted: HostPrincipal | undefined;
let asked: number;
const authenticate = ({ headers }: { headers: Readonly<Record<string, unknown>> }) => {
  if (!headers.cookie) return undefined;
  asked += 1;
  return hosted;
};
beforeEach(async () => {
  hosted = undefined;
  hasher = heldHasher();
  world = await createWorld({ hasher, authenticate });
});

const patch = (userId: string, body: object) =>
  world.send("PATCH", `/api/v1/users/${userId}`, { token: world.a.owner.token, body });

/** Sends a request with a password to hash, and lets `meanwhile` happen before the hash is there. */
async function creating(sending: object, body: object, meanwhile: () => Promise<unknown>): Promise<Answer> {
  const held = hasher.hold();
  const password = "a pass phrase for the back door";
  const answer = world.send("POST", "/api/v1/users", {
    ...sending,
    body: { username: "x@example.test", password, ...body },
  });
  await held.reached;
  await meanwhile();
  held.release();
  return answer;
}

/** The same for a scan, which waits for an MCP server. */
async function scanning(sending: object, meanwhile: () => Promise<unknown>): Promise<Answer> {
  const url = `https://mcp.example.test/${world.a.unique()}`;
  const id = await world.a.newMcpServer({ url, auth: { type: "none" } });
  let release = () => {};
  world.mcp.pause(
    url,
    new Promise((resolve) => {
      release = resolve;
    }),
  );
  const calls = world.mcp.calls.length;
  const answer = world.send("POST", `/api/v1/ai/mcp-servers/${id}/scan`, sending);
  while (world.mcp.calls.length === calls) await new Promise((resolve) => setImmediate(resolve));
  await meanwhile();
  release();
  return answer;
}

describe("a caller who may no longer do it once slow work is done", () => {
  it("adds nobody when disabled meanwhile", async () => {
    const admin = await world.a.newUser(["admin"]);
    let before: unknown;
    const refused = await creating({ token: admin.token }, { roles: ["admin"] }, async () => {
      expect((await patch(admin.userId, { status: "disabled" })).status).toBe(200);
      before = await recordsOf(world.a);
    });
    expect([refused.status, refused.json.code]).toEqual([401, "invalid_token"]);
    expect(await recordsOf(world.a)).toEqual(before);
  });

  it("grants only what the roles of now allow", async () => {
    const second = await world.a.newUser(["owner"]);
    // A change of roles ends tokens, but no session of the host.
    hosted = { tenantId: world.a.tenantId, userId: second.userId };
    const sending = { headers: { cookie: "of the host" } };
    const answer = await creating(sending, { roles: ["owner"] }, () => patch(second.userId, { roles: ["admin"] }));
    expect([answer.status, answer.json.code, answer.json.role]).toEqual([403, "permission_denied", "owner"]);
  });

  it.each<[string, (actor: { userId: string; token: string }) => Promise<unknown>, number, string]>([
    ["is disabled", ({ userId }) => patch(userId, { status: "disabled" }), 401, "invalid_token"],
    ["has other roles", ({ userId }) => patch(userId, { roles: ["auditor"] }), 401, "invalid_token"],
    [
      "is removed",
      ({ userId }) => world.send("DELETE", `/api/v1/users/${userId}`, { token: world.a.owner.token }),
      401,
      "invalid_token",
    ],
    [
      "has signed out",
      ({ token }) => world.send("POST", "/api/v1/auth/revoke", { body: { token } }),
      401,
      "invalid_token",
    ],
    ["is of a suspended tenant", () => suspend(world, world.a.tenantId), 403, "tenant_suspended"],
  ])("is refused like a new request when the caller %s", async (_what, meanwhile, status, code) => {
    const actor = await world.a.newUser(["operator"]);
    let before: unknown[] = [];
    const refused = await scanning({ token: actor.token }, async () => {
      await meanwhile(actor);
      before = await eventsOf(world.a);
    });
    expect([refused.status, refused.json.code]).toEqual([status, code]);
    expect(await eventsOf(world.a)).toEqual(before);
  });

  it("is refused where the licence has ended", async () => {
    const refused = await scanning({ token: world.a.actors.operator.token }, () =>
      providerOf(world).post(`tenants/${world.a.tenantId}/entitlements/capability/ai_registry`, { status: "revoked" }),
    );
    expect([refused.status, refused.json.code]).toEqual([403, "capability_not_licensed"]);
  });

  it("is refused as a machine client that is there no more", async () => {
    const identity = await world.a.newIdentity({ scopes: ["mcp-server:scan"] });
    const { clientId: client_id, clientSecret: client_secret } = await world.a.newCredential(identity);
    const body = { grant_type: "client_credentials", client_id, client_secret };
    const { json } = await world.send("POST", "/api/v1/auth/token", { body });
    const remove = () => world.send("DELETE", `/api/v1/ai/identities/${identity}`, { token: world.a.owner.token });
    const refused = await scanning({ token: json.access_token }, async () => expect((await remove()).status).toBe(204));
    expect([refused.status, refused.json.code]).toEqual([401, "invalid_token"]);
  });

  it("is refused once the host has ended the session, and asks the host once where nothing took long", async () => {
    const { userId } = world.a.actors.operator;
    const person = { tenantId: world.a.tenantId, userId };
    const sending = { headers: { cookie: "of the host" } };
    asked = 0;
    hosted = person;
    expect((await scanning(sending, async () => {})).status).toBe(200);
    expect(asked).toBe(1);
    const refused = await scanning(sending, async () => {
      world.clock.advance(1_000);
      hosted = undefined;
    });
    expect([refused.status, refused.json.code]).toEqual([401, "token_missing"]);
  });

  it("writes as before where only something else has changed", async () => {
    const answer = await scanning({ token: world.a.actors.operator.token }, () => world.a.newUser(["member"]));
    expect(answer.status).toBe(200);
  });
});
