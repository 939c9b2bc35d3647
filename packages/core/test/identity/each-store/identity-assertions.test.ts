import type { Actor, Answer } from "@reeve/testkit";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { type AssertionBench, assertionBench, ISSUER, reason } from "../../helpers/assertion-bench.js";
import { eventsOf } from "../../helpers/facts.js";

const TYPE = "urn:ietf:params:oauth:token-type:id-jag";

let bench: AssertionBench;
let person: Actor;
let server: Awaited<ReturnType<AssertionBench["newServer"]>>;
let agent: Awaited<ReturnType<AssertionBench["newAgent"]>>;
beforeAll(async () => {
  bench = await assertionBench();
  person = await bench.scene.newUser(["member"]);
  server = await bench.newServer();
  agent = await bench.newAgent();
  await bench.grant(agent, server, person.userId, ["read"]);
});

const refusal = ({ status, json }: Answer) => [status, json.code, json.error, json.reasons];
const claims = async () => {
  const events = await eventsOf(bench.scene);
  return events
    .map(({ attributes, data }) => ({ type: (JSON.parse(attributes) as { type: string }).type, data }))
    .filter(({ type }) => type.includes("access.assertion"));
};

describe("an identity assertion", () => {
  it("is issued as the draft says, by the published keys, and leaves an event without its text", async () => {
    const before = (await claims()).length;
    const answer = await bench.ask(agent, server, person.token, { scope: "read" });
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        issued_token_type: TYPE,
        access_token: expect.any(String),
        token_type: "N_A",
        expires_in: 300,
        scope: "read",
      },
    ]);
    expect(answer.headers).toMatchObject({ "cache-control": "no-store" });
    const { access_token: assertion } = answer.json;
    const keys = createLocalJWKSet((await bench.send("GET", "/.well-known/jwks.json")).json);
    const { payload, protectedHeader } = await jwtVerify(assertion, keys, {
      ...{ typ: "oauth-id-jag+jwt", issuer: "https://reeve.example", audience: ISSUER },
      currentDate: new Date(bench.clock.now()),
    });
    const now = Math.floor(bench.clock.now() / 1_000);
    expect(protectedHeader.typ).toBe("oauth-id-jag+jwt");
    expect(payload).toEqual({
      ...{ iss: "https://reeve.example", sub: person.userId, tenant: bench.scene.tenantId, aud: ISSUER },
      ...{ client_id: "agent-at-files", jti: expect.stringMatching(/^jag_/), iat: now, exp: now + 300 },
      ...{ resource: server.url, scope: "read", auth_time: expect.any(Number) },
    });
    const [event, ...others] = (await claims()).slice(before);
    expect(others).toEqual([]);
    expect(event?.type).toContain("access.assertion.issued");
    expect(JSON.stringify(event)).toContain(payload.jti);
    expect(JSON.stringify(await eventsOf(bench.scene))).not.toContain(assertion.slice(-40));
  });

  it("is another one each time, ends with what it rests on, and opens nothing here", async () => {
    const [first, second] = await Promise.all([1, 2].map(() => bench.ask(agent, server, person.token)));
    const ids = [first, second].map((answer) => decodeJwt(answer?.json.access_token).jti);
    expect(new Set(ids).size).toBe(2);
    const { access_token: assertion } = first?.json ?? {};
    expect((await bench.send("GET", "/api/v1/me", { token: assertion })).status).toBe(401);
    const { clientId: client_id, clientSecret: client_secret } = agent.client;
    const body = { token: assertion, client_id, client_secret };
    expect((await bench.send("POST", "/api/v1/auth/introspect", { body })).json).toEqual({ active: false });
    const again = await bench.ask(agent, server, assertion);
    expect(refusal(again)).toEqual([400, "assertion_refused", "invalid_request", ["subject_refused"]]);
    const short = await bench.newServer();
    await bench.grant(agent, short, person.userId, ["read"], { duration: "PT2M" });
    expect((await bench.ask(agent, short, person.token)).json.expires_in).toBe(120);
  });

  it("has the scopes that were asked for, or all that the access opens, and no others", async () => {
    const wide = await bench.newServer();
    const made = await bench.grant(agent, wide, person.userId, ["read", "write"]);
    expect((await bench.ask(agent, wide, person.token)).json.scope).toBe("read write");
    expect((await bench.ask(agent, wide, person.token, { scope: "write" })).json.scope).toBe("write");
    const beyond = await bench.ask(agent, wide, person.token, { scope: "read admin" });
    expect(refusal(beyond)).toEqual([400, "assertion_refused", "invalid_scope", ["scope_exceeds"]]);
    expect(beyond.json.error_description).toBe("The access does not open admin.");
    await bench.asOwner("POST", `/access-assignments/${made.write}/revoke`, { reason });
    expect(refusal(await bench.ask(agent, wide, person.token, { scope: "write" }))).toEqual([
      ...[400, "assertion_refused", "invalid_scope"],
      ["scope_exceeds", "access:status:revoking"],
    ]);
    expect((await bench.ask(agent, wide, person.token)).json.scope).toBe("read");
    const plain = await bench.newServer({ issuer: ISSUER });
    await bench.grant(agent, plain, person.userId, [""]);
    const answer = await bench.ask(agent, plain, person.token);
    expect([answer.status, answer.json.scope, decodeJwt(answer.json.access_token).scope]).toEqual([
      ...[200, undefined, undefined],
    ]);
  });

  it("counts as a use of the access", async () => {
    const { json } = await bench.ask(agent, server, person.token);
    const { jti } = decodeJwt(json.access_token);
    const { items } = await bench.asOwner("GET", `/ai-assets/${agent.assetId}/access-usage`);
    expect(items.find(({ tokenId }: { tokenId: string }) => tokenId === jti)).toMatchObject({
      ...{ action: "assert", outcome: "success", attribution: "exact" },
      actors: [
        { type: "user", id: person.userId },
        { type: "agent", id: agent.assetId },
      ],
    });
  });

  it("is advertised", async () => {
    const { json } = await bench.send("GET", "/.well-known/oauth-authorization-server");
    expect(json.identity_chaining_requested_token_types_supported).toEqual([TYPE]);
  });
});

/** An own agent with access to an own server. */
async function own(more: object = {}) {
  const [anAgent, aServer] = [await bench.newAgent(), await bench.newServer()];
  const made = await bench.grant(anAgent, aServer, person.userId, ["read"], more);
  const ask = (subject = person.token, wish: Readonly<Record<string, unknown>> = {}) =>
    bench.ask(anAgent, aServer, subject, wish);
  expect((await ask()).status).toBe(200);
  return { agent: anAgent, server: aServer, assignmentId: made.read as string, ask };
}
type Own = Awaited<ReturnType<typeof own>>;

const halt = (scope: string, target: string) => bench.asOwner("POST", "/ai/halts", { scope, target, reason });
const { asOwner, govern } = {
  asOwner: (...given: Parameters<AssertionBench["asOwner"]>) => bench.asOwner(...given),
  govern: (assetId: string, status: string) => bench.govern(assetId, status),
};

describe("an assertion is refused with the reason in words, and the refusal is an event", () => {
  it.each<[string, string, RegExp, (one: Own) => Promise<unknown>]>([
    [
      "the access was revoked",
      "invalid_target",
      /^access:status:revok/,
      ({ assignmentId }) => asOwner("POST", `/access-assignments/${assignmentId}/revoke`, { reason }),
    ],
    [
      "the access was revoked long ago",
      "invalid_target",
      /^access:status:revoked$/,
      async ({ assignmentId }) => {
        await asOwner("POST", `/access-assignments/${assignmentId}/revoke`, { reason });
        await bench.controlPlane.tick();
      },
    ],
    ["the server has drifted", "invalid_target", /^server:manifest_drifted$/, (one) => one.server.show("Deletes.")],
    ["the server is halted", "invalid_target", /^server:halt:/, (one) => halt("mcp_server", one.server.assetId)],
    [
      "the server is suspended",
      "invalid_target",
      /^server:governance_state:suspended$/,
      (one) => govern(one.server.assetId, "suspended"),
    ],
    [
      "the server has another authorization server since its approval",
      "invalid_target",
      /^server:not_approved$/,
      (one) =>
        asOwner("PUT", `/ai/mcp-servers/${one.server.id}`, { authorization: { issuer: ISSUER, scopes: ["read"] } }),
    ],
    [
      "the server has no authorization server any more",
      "invalid_target",
      /^server_unknown$/,
      (one) => asOwner("PUT", `/ai/mcp-servers/${one.server.id}`, { authorization: null }),
    ],
    ["the agent is halted", "unauthorized_client", /^agent:halt:/, (one) => halt("team", one.agent.team)],
    [
      "the agent is suspended",
      "unauthorized_client",
      /^agent:governance_state:suspended$/,
      (one) => govern(one.agent.assetId, "suspended"),
    ],
    [
      "the agent is no longer approved",
      "unauthorized_client",
      /^agent:not_approved$/,
      (one) => bench.govern(one.agent.assetId, "under_review", bench.scene.owner),
    ],
    [
      "the identity goes by another client id since its approval",
      "unauthorized_client",
      /^identity:not_approved$/,
      (one) =>
        asOwner("PUT", `/ai/identities/${one.agent.identityId}`, {
          registrations: [{ issuer: ISSUER, clientId: "another" }],
        }),
    ],
    [
      "a second agent runs as the identity",
      "unauthorized_client",
      /^agent_ambiguous$/,
      (one) => asOwner("POST", "/ai/agents", { name: bench.scene.unique(), identityId: one.agent.identityAssetId }),
    ],
    [
      "no agent runs as the identity any more",
      "unauthorized_client",
      /^agent_unknown$/,
      (one) => asOwner("PUT", `/ai/agents/${one.agent.id}`, { identityId: null }),
    ],
  ])("when %s", async (_what, error, why, stop) => {
    const one = await own();
    const before = (await claims()).length;
    await stop(one);
    const { status, json } = await one.ask();
    expect([status, json.code, json.error]).toEqual([400, "assertion_refused", error]);
    expect(json.reasons[0]).toMatch(why);
    expect([json.detail, json.error_description.length > 20]).toEqual([json.error_description, true]);
    const [event, ...others] = (await claims()).slice(before);
    expect([event?.type, others]).toEqual([expect.stringContaining("access.assertion.refused"), []]);
    expect(JSON.stringify(event)).toContain(json.reasons[0]);
    expect(JSON.stringify(event)).not.toContain(person.token.slice(-40));
  });

  it.each([
    ["ai.mcp", "invalid_target", "server:kill_switch:ai.mcp"],
    ["ai.agents", "unauthorized_client", "agent:kill_switch:ai.agents"],
  ])("when the kill switch %s is engaged, and issued once it is released", async (name, error, why) => {
    const turn = (status: string) =>
      bench.send("POST", `/api/v1/support/kill-switches/${name}`, {
        token: bench.scene.provider.owner.token,
        body: { status, reason },
      });
    await turn("engaged");
    expect(refusal(await bench.ask(agent, server, person.token))).toMatchObject([
      400,
      "assertion_refused",
      error,
      [why],
    ]);
    await turn("released");
    expect((await bench.ask(agent, server, person.token)).status).toBe(200);
  });

  it("when the time of the access or of an approval is over", async () => {
    const one = await own({ duration: "PT30M" });
    bench.clock.advance(1_800_000);
    expect(refusal(await one.ask())).toMatchObject([
      400,
      "assertion_refused",
      "invalid_target",
      ["access:status:revoking", "access:expired"],
    ]);
    const ending = await bench.newServer();
    await bench.grant(agent, ending, person.userId);
    const approvedUntil = new Date(bench.clock.now() + 3_600_000).toISOString();
    await bench.govern(ending.assetId, "under_review", bench.scene.owner);
    await bench.govern(ending.assetId, "approved", bench.second, { configuration: { approvedUntil } });
    expect((await bench.ask(agent, ending, person.token)).status).toBe(200);
    bench.clock.advance(3_600_000 - 299_000);
    expect(refusal(await bench.ask(agent, ending, person.token))).toMatchObject([
      ...[400, "assertion_refused", "invalid_target", ["server:not_approved"]],
    ]);
  });

  it("when the connection or the kind of access is out of use", async () => {
    const path = `/connector-instances/${bench.connection.id}`;
    await asOwner("PATCH", path, { status: "disabled", reason });
    expect(refusal(await bench.ask(agent, server, person.token))).toMatchObject([
      ...[400, "assertion_refused", "invalid_target", ["access:connection:disabled"]],
    ]);
    await asOwner("PATCH", path, { status: "active", reason });
    const one = await own();
    const { accessProfileId } = await asOwner("GET", `/access-assignments/${one.assignmentId}`);
    await asOwner("POST", `/access-profiles/${accessProfileId}/disable`, { reason });
    expect((await one.ask()).json.reasons).toContain("access:profile:disabled");
  });

  it("when the identity has no client id at the authorization server", async () => {
    const stranger = await bench.newAgent([]);
    await bench.grant(stranger, server, person.userId);
    expect(refusal(await bench.ask(stranger, server, person.token))).toEqual([
      ...[400, "assertion_refused", "invalid_target", ["client_unregistered"]],
    ]);
  });
});

describe("the person of an assertion", () => {
  const nobody = [400, "assertion_refused", "invalid_request", ["subject_refused"]];

  it("is whom the access is for, and nobody else", async () => {
    const stranger = await bench.scene.newUser(["admin"]);
    expect(refusal(await bench.ask(agent, server, stranger.token))).toEqual([
      ...[400, "assertion_refused", "invalid_target", ["access_missing"]],
    ]);
  });

  it("is known by a token that counts: not of a machine, not revoked, not of another tenant", async () => {
    const { clientId: client_id, clientSecret: client_secret } = agent.client;
    const machine = await bench.send("POST", "/api/v1/auth/token", {
      body: { grant_type: "client_credentials", client_id, client_secret },
    });
    const gone = await bench.scene.newUser(["member"]);
    await bench.send("POST", "/api/v1/auth/signout", { token: gone.token });
    const tokens = [
      machine.json.access_token,
      gone.token,
      bench.other.owner.token,
      person.refreshToken,
      "x",
      `${person.token}x`,
    ];
    for (const token of tokens) expect(refusal(await bench.ask(agent, server, token))).toEqual(nobody);
  });

  it("is active: a disabled one gets none", async () => {
    const leaver = await bench.scene.newUser(["member"]);
    await bench.grant(agent, server, leaver.userId);
    expect((await bench.ask(agent, server, leaver.token)).status).toBe(200);
    await asOwner("PATCH", `/users/${leaver.userId}`, { status: "disabled" });
    expect(refusal(await bench.ask(agent, server, leaver.token))).toEqual(nobody);
  });
});

describe("a request for an assertion", () => {
  it("is refused alike for a server of nobody and of another tenant", async () => {
    const there = await inOther();
    const unknown = { url: "https://mcp.files.example/nobody" };
    const answers = await Promise.all([there, unknown].map((one) => bench.ask(agent, one, person.token)));
    expect(new Set(answers.map(({ json }) => JSON.stringify([json.error, json.reasons, json.detail]))).size).toBe(1);
    expect(answers[0] && refusal(answers[0])).toEqual([400, "assertion_refused", "invalid_target", ["server_unknown"]]);
    const audience = "https://login.elsewhere.example";
    expect((await bench.ask(agent, server, person.token, { audience })).json.reasons).toEqual(["server_unknown"]);
  });

  async function inOther() {
    const url = `https://mcp.files.example/${bench.other.unique()}`;
    const body = { name: bench.other.unique(), url, authorization: { issuer: ISSUER } };
    await bench.send("POST", "/api/v1/ai/mcp-servers", { token: bench.other.owner.token, body });
    return { url };
  }

  it("comes from a client that proves itself", async () => {
    const without = await bench.ask(agent, server, person.token, { client_secret: undefined });
    expect([without.status, without.json.error]).toEqual([401, "invalid_client"]);
    const wrong = await bench.ask(agent, server, person.token, { client_secret: "reeve_cs_x" });
    expect([wrong.status, wrong.json.error]).toEqual([401, "invalid_client"]);
    await asOwner("PUT", `/ai/identities/${agent.identityId}`, { status: "disabled" });
    expect((await bench.ask(agent, server, person.token)).json.error).toBe("invalid_client");
    await asOwner("PUT", `/ai/identities/${agent.identityId}`, { status: "active" });
  });

  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ["has no audience", { audience: undefined }, "invalid_request"],
    ["has no resource", { resource: undefined }, "invalid_request"],
    ["has no subject token", { subject_token: undefined }, "invalid_request"],
    ["has a subject token of another kind", { subject_token_type: "saml" }, "invalid_request"],
    ["wants another kind of token", { requested_token_type: "urn:example:other" }, "invalid_request"],
    ["names an actor", { actor_token: "x" }, "invalid_request"],
    ["asks for details", { authorization_details: "[]" }, "invalid_request"],
    ["asks for details as JSON", { authorization_details: [] }, "invalid_request"],
    ["has a scope of another form", { scope: " read" }, "invalid_scope"],
  ])("is refused where it %s, and that is no event", async (_what, more, error) => {
    const before = (await claims()).length;
    const { status, json } = await bench.ask(agent, server, person.token, more);
    expect([status, json.code, json.error]).toEqual([400, "invalid_request", error]);
    expect((await claims()).length).toBe(before);
  });

  it("falls back to no other grant, and takes other spellings of the addresses", async () => {
    const answer = await bench.ask(agent, { url: server.url.replace("https", "HTTPS") }, person.token, {
      audience: `${ISSUER}/`,
    });
    expect(decodeJwt(answer.json.access_token)).toMatchObject({ aud: ISSUER, resource: server.url });
    expect(decodeProtectedHeader(answer.json.access_token).typ).toBe("oauth-id-jag+jwt");
    expect(answer.json.refresh_token).toBeUndefined();
  });
});
