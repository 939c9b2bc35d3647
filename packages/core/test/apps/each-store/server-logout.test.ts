import { samlEngine } from "@reeve/saml";
import { type Actor, type NewApp, newApp, newSignOn, providerKey, soapAnswer, type World } from "@reeve/testkit";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventTypes } from "../../helpers/facts.js";
import { SoapProvider } from "../../helpers/soap-provider.js";
import { createWorld } from "../../helpers/world.js";

const REASON = "because a test wants it so";
const HOUR = 3_600_000;
const provider = new SoapProvider();

let world: World;
let certificates: string[];
beforeAll(async () => {
  world = await createWorld({ egress: provider, tokenLifetime: 86_400 });
  certificates = [(await providerKey()).certificate];
});

let caller: Actor;
let app: NewApp & { readonly url: string };
beforeEach(async () => {
  caller = await world.a.newUser(["member"]);
  app = await soapApp();
  provider.answer = async () => "unreachable";
});

const owner = () => ({ token: world.a.owner.token });
async function soapApp(more: object = {}) {
  const url = `https://${world.a.unique()}.example/soap`;
  return { ...(await newApp(world.a, { certificates, sloSoapUrl: url, ...more })), url };
}

/** What the application was told: others of earlier tests are told too. */
const notified = () => provider.notified.filter(({ url }) => url === app.url);

async function unassign({ id }: NewApp) {
  const path = `/api/v1/saml-apps/${id}/assignments`;
  const { json } = await world.send("GET", path, owner());
  for (const one of json.items) await world.send("DELETE", `${path}/${one.id}`, owner());
}

async function sessionsOf({ id }: NewApp, query = "", as: { token: string } = owner()) {
  return (await world.send("GET", `/api/v1/saml-apps/${id}/sessions${query}`, as)).json.items;
}

const waitAndTick = async (ms: number) => {
  world.clock.advance(ms);
  return world.controlPlane.tick();
};

describe("an application whose sessions are ended", () => {
  it.each<[string, () => Promise<unknown>, string]>([
    ["because it was taken away", () => unassign(app), "access_revoked"],
    [
      "because the account was disabled",
      () =>
        world.send("PATCH", `/api/v1/users/${caller.userId}`, {
          ...owner(),
          body: { status: "disabled", reason: REASON },
        }),
      "account_disabled",
    ],
    [
      "because it was disabled itself",
      () =>
        world.send("PUT", `/api/v1/saml-apps/${app.id}`, { ...owner(), body: { status: "disabled", reason: REASON } }),
      "application_disabled",
    ],
    ["by the person", () => world.send("GET", "/slo", { token: caller.token }), "logged_out"],
  ])("%s is told from server to server, once, and confirms", async (_why, end, endReason) => {
    const { sessionIndex } = await newSignOn(world.a, caller, app);
    provider.confirms(world.a, app);
    await end();
    expect(notified()).toEqual([]);
    expect(await sessionsOf(app)).toMatchObject([{ state: "ended", endReason, residualAccess: "possible" }]);
    const before = (await eventTypes(world.a)).length;
    await Promise.all([world.controlPlane.tick(), world.controlPlane.tick()]);
    expect(notified()).toMatchObject([{ nameId: caller.username, sessionIndex }]);
    const [message] = notified();
    expect(message?.destination).toBe(app.url);
    expect(message?.body).toContain("<ds:SignatureValue>");
    expect(await sessionsOf(app)).toMatchObject([
      { channel: "server", confirmed: true, residualAccess: "none", attempts: 0, nextAttemptAt: null, failure: null },
    ]);
    expect(await eventTypes(world.a, before)).toEqual(["saml.logout.confirmed"]);
    await waitAndTick(HOUR);
    expect(notified()).toHaveLength(1);
  });

  it("is told although it was removed", async () => {
    await newSignOn(world.a, caller, app);
    provider.confirms(world.a, app);
    await world.send("DELETE", `/api/v1/saml-apps/${app.id}`, owner());
    const before = (await eventTypes(world.a)).length;
    await world.controlPlane.tick();
    expect(await eventTypes(world.a, before)).toEqual(["saml.logout.confirmed"]);
  });

  it("is told when a role is lost that it was assigned to, and of nobody else", async () => {
    app = await soapApp({ assigned: false });
    const path = `/api/v1/saml-apps/${app.id}/assignments`;
    await world.send("POST", path, { ...owner(), body: { subjectType: "role", subjectId: "approver" } });
    const approver = await world.a.newUser(["member", "approver"]);
    const other = await world.a.newUser(["approver"]);
    for (const one of [approver, other]) await newSignOn(world.a, one, app);
    const kept = await soapApp();
    await newSignOn(world.a, approver, kept);
    provider.confirms(world.a, app);
    const change = await world.send("PATCH", `/api/v1/users/${approver.userId}`, {
      ...owner(),
      body: { roles: ["member"], reason: REASON },
    });
    expect(change.status).toBe(200);
    await world.controlPlane.tick();
    expect(notified().map(({ nameId }) => nameId)).toEqual([approver.username]);
    expect(await sessionsOf(app, "?state=live")).toMatchObject([{ userId: other.userId, residualAccess: null }]);
    expect(await sessionsOf(kept)).toMatchObject([{ state: "live" }]);
  });

  it("is told when an AI identity is stopped with its asset", async () => {
    const id = await world.a.newIdentity({ status: "active", scopes: ["app:use"] });
    const { clientId, clientSecret } = await world.a.newCredential(id);
    const body = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    const { json } = await world.send("POST", "/api/v1/auth/token", { body });
    await world.send("POST", `/api/v1/saml-apps/${app.id}/assignments`, {
      ...owner(),
      body: { subjectType: "ai_identity", subjectId: id },
    });
    await newSignOn(world.a, { ...caller, userId: id, token: json.access_token }, app);
    provider.confirms(world.a, app);
    const { json: identity } = await world.send("GET", `/api/v1/ai/identities/${id}`, owner());
    await world.send("PATCH", `/api/v1/ai-assets/${identity.assetId}/governance-state`, {
      ...owner(),
      headers: { "if-match": "*" },
      body: { status: "suspended", reason: REASON },
    });
    await world.controlPlane.tick();
    expect(notified()).toMatchObject([{ nameId: id }]);
    expect(await sessionsOf(app)).toMatchObject([{ endReason: "account_disabled", residualAccess: "none" }]);
  });

  it("that cannot be reached is told again with growing pauses, and people are told", async () => {
    await newSignOn(world.a, caller, app);
    await unassign(app);
    const before = (await eventTypes(world.a)).length;
    for (const pause of [0, 4_000, 16_000, 64_000, 256_000]) {
      const made = notified().length;
      if (pause > 0) await waitAndTick(pause - 1);
      expect(notified()).toHaveLength(made);
      await waitAndTick(pause > 0 ? 1 : 0);
      expect(notified()).toHaveLength(made + 1);
    }
    expect(await eventTypes(world.a, before)).toEqual(["saml.logout.unconfirmed"]);
    expect(await sessionsOf(app)).toMatchObject([
      { attempts: 5, failure: "connector_error", residualAccess: "possible", confirmed: false },
    ]);
    provider.confirms(world.a, app);
    await waitAndTick(HOUR);
    expect(await sessionsOf(app)).toMatchObject([{ confirmed: true, residualAccess: "none" }]);
    expect(await eventTypes(world.a, before)).toEqual(["saml.logout.unconfirmed", "saml.logout.confirmed"]);
  });

  it("is told until the session would have ended by itself", async () => {
    await newSignOn(world.a, caller, app);
    await unassign(app);
    for (let hours = 0; hours < 9; hours += 1) await waitAndTick(HOUR);
    const made = notified().length;
    expect(await sessionsOf(app)).toEqual([]);
    await waitAndTick(HOUR);
    expect(notified()).toHaveLength(made);
  });

  it("is told at its new address once that was mended", async () => {
    await newSignOn(world.a, caller, app);
    await unassign(app);
    await world.controlPlane.tick();
    const sloSoapUrl = "https://mended.example/soap";
    await world.send("PUT", `/api/v1/saml-apps/${app.id}`, { ...owner(), body: { sloSoapUrl } });
    await waitAndTick(4_000);
    expect(notified()).toHaveLength(1);
    expect(provider.notified.find(({ url }) => url === sloSoapUrl)).toMatchObject({
      destination: sloSoapUrl,
      nameId: caller.username,
    });
  });

  it("has a minute to answer by the browser, and is told then", async () => {
    app = await soapApp({ sloBinding: "redirect" });
    await newSignOn(world.a, caller, app);
    const { json } = await world.send("GET", "/slo", { token: caller.token });
    expect(json.items).toMatchObject([{ notified: true, byServer: true }]);
    provider.confirms(world.a, app);
    await waitAndTick(59_999);
    expect(notified()).toEqual([]);
    expect(await sessionsOf(app)).toMatchObject([{ channel: "browser", residualAccess: "possible" }]);
    await waitAndTick(1);
    expect(await sessionsOf(app)).toMatchObject([{ channel: "server", residualAccess: "none" }]);
  });

  it("is not told again once it has answered by the browser", async () => {
    app = await soapApp({ sloBinding: "redirect" });
    await newSignOn(world.a, caller, app);
    const { json } = await world.send("GET", "/slo", { token: caller.token });
    const [, packed = ""] = /SAMLRequest=([^&]+)/.exec(json.items[0].url) ?? [];
    const { inflateRawSync } = await import("node:zlib");
    const request = inflateRawSync(Buffer.from(decodeURIComponent(packed), "base64")).toString();
    const out = await samlEngine().writeLogoutResponse(
      {
        issuer: { entityId: app.entityId, ssoUrl: "", sloUrl: "" },
        signer: await providerKey(),
        id: `_answer${world.a.unique()}`,
        now: world.clock.now(),
        destination: `https://reeve.example/saml/slo?tenant=${world.a.tenantId}`,
        binding: "redirect",
        relayState: null,
      },
      { inResponseTo: / ID="([^"]+)"/.exec(request)?.[1] ?? "", status: "Success" },
    );
    const query = out.binding === "redirect" ? out.url.slice(out.url.indexOf("?") + 1) : "";
    const answered = await world.send("GET", `/saml/slo?${query}`);
    expect([answered.status, answered.text]).toEqual([200, expect.any(String)]);
    expect(await sessionsOf(app)).toMatchObject([{ confirmed: true, residualAccess: "none", nextAttemptAt: null }]);
    await waitAndTick(HOUR);
    expect(notified()).toEqual([]);
  });
});

describe("the answer of an application", () => {
  const stranger = samlEngine().newKey("stranger", Date.parse("2026-01-01T00:00:00Z"), 3_650);
  const answering =
    (make: (id: string) => Promise<string>) =>
    async ({ id }: { id: string }) => ({
      body: await make(id),
    });

  it.each<[string, () => typeof provider.answer, string]>([
    ["that says no", () => answering((id) => soapAnswer(world.a, app, id, { status: "Requester" })), "status_failed"],
    ["to another request", () => answering(() => soapAnswer(world.a, app, "_other")), "document_unexpected"],
    [
      "by another key",
      () => answering(async (id) => soapAnswer(world.a, app, id, { key: await stranger })),
      "signature_invalid",
    ],
    [
      "of another application",
      () => answering((id) => soapAnswer(world.a, { entityId: "https://other.example" }, id)),
      "issuer_mismatch",
    ],
    [
      "of long ago",
      () => answering((id) => soapAnswer(world.a, app, id, { sentAt: world.clock.now() - HOUR })),
      "not_in_time",
    ],
    [
      "without a signature",
      () =>
        answering(async (id) => (await soapAnswer(world.a, app, id)).replace(/<ds:Signature .*<\/ds:Signature>/s, "")),
      "signature_missing",
    ],
    [
      "that was changed",
      () =>
        answering(async (id) =>
          (await soapAnswer(world.a, app, id, { status: "Requester" })).replace(":Requester", ":Success"),
        ),
      "signature_invalid",
    ],
    [
      "beside a second one",
      () =>
        answering(async (id) => {
          const sound = await soapAnswer(world.a, app, id);
          const other = /<samlp:LogoutResponse[\s\S]*<\/samlp:LogoutResponse>/.exec(sound)?.[0] ?? "";
          return sound.replace("<S:Body>", `<S:Body>${other.replaceAll("_m", "_n")}`);
        }),
      "document_unexpected",
    ],
    [
      "moved within another one",
      () =>
        answering(async (id) => {
          const signed = await soapAnswer(world.a, app, "_other");
          const inner = /<samlp:LogoutResponse[\s\S]*<\/samlp:LogoutResponse>/.exec(signed)?.[0] ?? "";
          const start = /<samlp:LogoutResponse[^>]*>/.exec(inner)?.[0] ?? "";
          const outer = start.replace(/ ID="[^"]*"/, ' ID="_outer"').replace('"_other"', `"${id}"`);
          return signed.replace(inner, `${outer}${inner}</samlp:LogoutResponse>`);
        }),
      "signature_invalid",
    ],
    [
      "that is a fault",
      () => async () => ({
        body: '<S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"><S:Body><S:Fault/></S:Body></S:Envelope>',
      }),
      "status_failed",
    ],
    ["that is no document", () => async () => ({ body: "good-bye" }), "document_malformed"],
    ["with a document type", () => async () => ({ body: "<!DOCTYPE x><x/>" }), "document_forbidden"],
    ["with another status", () => async () => ({ status: 500, body: "" }), "status_500"],
  ])("%s confirms nothing", async (_what, answer, failure) => {
    await newSignOn(world.a, caller, app);
    await unassign(app);
    provider.answer = answer();
    await world.controlPlane.tick();
    expect(await sessionsOf(app)).toMatchObject([
      { confirmed: false, residualAccess: "possible", failure, attempts: 1 },
    ]);
  });

  it("confirms nothing where the application has no certificate", async () => {
    app = await soapApp({ certificates: [] });
    await newSignOn(world.a, caller, app);
    await unassign(app);
    provider.confirms(world.a, app);
    await world.controlPlane.tick();
    expect(await sessionsOf(app)).toMatchObject([{ confirmed: false, failure: "signature_unverifiable" }]);
  });
});

describe("the sessions at an application", () => {
  it("are shown to those who look after it, of their own tenant, and to nobody else", async () => {
    await newSignOn(world.a, caller, app);
    expect(await sessionsOf(app)).toMatchObject([{ userId: caller.userId, state: "live", residualAccess: null }]);
    const path = `/api/v1/saml-apps/${app.id}/sessions`;
    expect((await world.send("GET", path, { token: caller.token })).status).toBe(403);
    expect((await world.send("GET", path, { token: world.b.owner.token })).status).toBe(404);
    expect((await world.send("GET", path)).status).toBe(401);
  });

  it("of an application that takes no logouts are told of honestly", async () => {
    app = await soapApp({ sloUrl: null, sloSoapUrl: null });
    await newSignOn(world.a, caller, app);
    await unassign(app);
    await world.controlPlane.tick();
    expect(await sessionsOf(app)).toMatchObject([
      { channel: "none", confirmed: false, residualAccess: "possible", nextAttemptAt: null },
    ]);
    expect(notified()).toEqual([]);
  });

  it("survive the end of an assignment that was not the only one", async () => {
    await newSignOn(world.a, caller, app);
    const path = `/api/v1/saml-apps/${app.id}/assignments`;
    const body = { subjectType: "user", subjectId: caller.userId };
    const { json } = await world.send("POST", path, { ...owner(), body });
    await world.send("DELETE", `${path}/${json.id}`, owner());
    expect(await sessionsOf(app)).toMatchObject([{ state: "live" }]);
  });
});
