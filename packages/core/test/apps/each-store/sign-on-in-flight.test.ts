import { deflateRawSync } from "node:zlib";
import { samlEngine } from "@reeve/saml";
import { type Actor, authnRequest, type NewApp, newApp, newLaunch, newSignOn, type World } from "@reeve/testkit";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { HostPrincipal } from "../../../src/index.js";
import { eventTypes } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const REASON = "because a test wants it so";
const HTML = { accept: "text/html" };

let world: World;
let hosted: HostPrincipal | undefined;
/** What happens while responses are signed: after the first checks, before anything is stored. */
let meanwhile: (() => Promise<unknown>) | undefined;
let signatures = 0;
beforeAll(async () => {
  const engine = samlEngine();
  world = await createWorld({
    authenticate: async () => hosted,
    saml: {
      ...engine,
      async writeResponse(draft) {
        signatures += 1;
        await meanwhile?.();
        return engine.writeResponse(draft);
      },
    },
  });
});

let caller: Actor;
let app: NewApp;
beforeEach(async () => {
  [hosted, meanwhile, signatures] = [undefined, undefined, 0];
  caller = await world.a.newUser(["operator", "member"]);
});

const owner = () => ({ token: world.a.owner.token });
const attributeMapping = [{ name: "roles", source: "roles" }];
const assign = (subjectType: string, subjectId: string) =>
  world.send("POST", `/api/v1/saml-apps/${app.id}/assignments`, { ...owner(), body: { subjectType, subjectId } });
const appOfRole = async (role: string) => {
  app = await newApp(world.a, { assigned: false, attributeMapping });
  expect((await assign("role", role)).status).toBe(201);
};
const setRoles = async (roles: readonly string[], who: Pick<Actor, "userId"> = caller) => {
  const change = { ...owner(), body: { roles, reason: REASON } };
  expect((await world.send("PATCH", `/api/v1/users/${who.userId}`, change)).status).toBe(200);
};
const once = (work: () => Promise<unknown>) => async () => {
  meanwhile = undefined;
  await work();
};
/** Begins a sign-on, and ends it while something else happens. */
const signOnWhile = async (work: () => Promise<unknown>, as: Actor = caller) => {
  const { nonce } = await newLaunch(world.a, as, app);
  meanwhile = once(work);
  return world.send("GET", `/${nonce}/${app.id}`, as.token ? { token: as.token } : {});
};
const sessions = async () => {
  const { json } = await world.send("GET", `/api/v1/saml-apps/${app.id}/sessions`, owner());
  return json.items.map(({ endReason, state }: Record<string, string>) => endReason ?? state);
};
const notified = (samlResponse: string) =>
  [
    ...Buffer.from(samlResponse, "base64")
      .toString()
      .matchAll(/<saml:AttributeValue[^>]*>([^<]*)</g),
  ].map(([, value]) => value);

describe("a sign-on in flight", () => {
  it("is refused where the role that gives the application is taken away", async () => {
    await appOfRole("operator");
    const { status, json } = await signOnWhile(() => setRoles(["member"]));
    expect([status, json.code, await sessions()]).toEqual([403, "permission_denied", []]);
  });

  it("is refused where its person changes the password elsewhere", async () => {
    app = await newApp(world.a);
    const own = await world.a.signIn(caller.userId, caller);
    const body = { currentPassword: caller.password, newPassword: `another long phrase ${world.a.unique()}` };
    const change = async () => {
      const changed = await world.send("POST", "/api/v1/auth/reset-password", { token: own.token, body });
      expect(changed.status, changed.text).toBe(200);
    };
    const { status, json } = await signOnWhile(change);
    expect([status, json.code, await sessions()]).toEqual([401, "invalid_token", []]);
  });

  it("that is not begun yet is refused too, unless the token that asked for it changed the password", async () => {
    app = await newApp(world.a);
    const own = await world.a.signIn(caller.userId, caller);
    const [stolen, kept] = [await newLaunch(world.a, caller, app), await newLaunch(world.a, own, app)];
    const body = { currentPassword: caller.password, newPassword: `another long phrase ${world.a.unique()}` };
    const changed = await world.send("POST", "/api/v1/auth/reset-password", { token: own.token, body });
    expect(changed.status, changed.text).toBe(200);
    const ask = (nonce: string, sent: { token: string } | { headers: typeof HTML }) =>
      world.send("GET", `/${nonce}/${app.id}`, sent);
    expect((await ask(stolen.nonce, { headers: HTML })).status).toBe(401);
    expect((await ask(stolen.nonce, { token: own.token })).json.code).toBe("invalid_token");
    expect(await sessions()).toEqual([]);
    expect((await ask(kept.nonce, { token: own.token })).status).toBe(200);
  });

  it("is refused where its person signs out", async () => {
    app = await newApp(world.a);
    const signOut = () => world.send("POST", "/api/v1/auth/signout", { token: caller.token });
    const { status, json } = await signOnWhile(async () => expect((await signOut()).status).toBeLessThan(300));
    expect([status, json.code, await sessions()]).toEqual([401, "invalid_token", []]);
  });

  it.each([
    ["address", (acs: string) => ({ acsUrls: [`${acs}/new`] }), "recipient_mismatch"],
    ["kind of name", () => ({ nameIdFormat: "persistent", nameIdSource: "pairwise" }), "name_id_unsupported"],
  ])("is refused where the %s that it asks for is taken away, and that is on record", async (_what, body, refusal) => {
    app = await newApp(world.a);
    const acs = app.entityId.replace("/metadata", "/acs");
    const format = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";
    const asked = ` AssertionConsumerServiceURL="${acs}"`;
    const document = Buffer.from(authnRequest(world.a, app, asked), "base64")
      .toString()
      .replace("</saml:Issuer>", `</saml:Issuer><samlp:NameIDPolicy Format="${format}"/>`);
    const target = { tenant: world.a.tenantId, SAMLRequest: deflateRawSync(document).toString("base64") };
    const path = `/api/v1/saml-apps/${app.id}`;
    meanwhile = once(async () => {
      const changed = await world.send("PUT", path, { ...owner(), body: { reason: REASON, ...body(acs) } });
      expect(changed.status, changed.text).toBe(200);
    });
    const before = (await eventTypes(world.a)).length;
    const { json } = await world.send("GET", `/saml/sso?${new URLSearchParams(target)}`, { token: caller.token });
    expect(json).toMatchObject({ code: "saml_invalid", refusal });
    expect(await eventTypes(world.a, before)).toContain("saml.message.refused");
    const { json: health } = await world.send("GET", "/api/v1/saml-apps/health", owner());
    expect(health.items.find(({ id }: { id: string }) => id === app.id)).toMatchObject({
      ...{ failures: 1, lastFailure: refusal },
    });
    expect(await sessions()).toEqual([]);
  });

  it("has its refusal posted to no address that was taken away while its person signed in", async () => {
    app = await newApp(world.a);
    const acs = app.entityId.replace("/metadata", "/acs");
    const context =
      "<samlp:RequestedAuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:X509</saml:AuthnContextClassRef></samlp:RequestedAuthnContext>";
    const document = Buffer.from(authnRequest(world.a, app, ` AssertionConsumerServiceURL="${acs}"`), "base64")
      .toString()
      .replace("</samlp:AuthnRequest>", `${context}$&`);
    const target = { tenant: world.a.tenantId, SAMLRequest: deflateRawSync(document).toString("base64") };
    const page = await world.send("GET", `/saml/sso?${new URLSearchParams(target)}`, { headers: HTML });
    const request = /name="request" value="([^"]+)"/.exec(page.text)?.[1] as string;
    const goOn = () => world.send("GET", `/saml/sign-in?request=${request}`, { token: caller.token, headers: HTML });
    expect((await goOn()).text).toContain(`action="${acs}"`);
    const body = { reason: REASON, acsUrls: [`${acs}/new`] };
    expect((await world.send("PUT", `/api/v1/saml-apps/${app.id}`, { ...owner(), body })).status).toBe(200);
    const before = (await eventTypes(world.a)).length;
    const { status, text } = await goOn();
    expect([status, text.includes("SAMLResponse")]).toEqual([400, false]);
    expect(await eventTypes(world.a, before)).toEqual(["saml.message.refused"]);
  });

  it("is not begun by a nonce whose person has signed out since", async () => {
    app = await newApp(world.a);
    const { nonce } = await newLaunch(world.a, caller, app);
    expect((await world.send("POST", "/api/v1/auth/signout", { token: caller.token })).status).toBeLessThan(300);
    const answer = await world.send("GET", `/${nonce}/${app.id}`, { headers: HTML });
    expect([answer.status, await sessions()]).toEqual([401, []]);
  });

  it("is refused where the permission to use applications is taken away", async () => {
    app = await newApp(world.a);
    const { status, json } = await signOnWhile(() => setRoles([]));
    expect([status, json.permission, await sessions()]).toEqual([403, "app:use", []]);
  });

  it.each<[string, () => Promise<{ status: number }>]>([
    ["removed", () => world.send("DELETE", `/api/v1/users/${caller.userId}`, owner())],
    [
      "disabled",
      () =>
        world.send("PATCH", `/api/v1/users/${caller.userId}`, {
          ...owner(),
          body: { status: "disabled", reason: REASON },
        }),
    ],
  ])("is refused where the account is %s", async (_how, end) => {
    app = await newApp(world.a);
    const answer = await signOnWhile(async () => expect((await end()).status).toBeLessThan(300));
    expect([answer.status, await sessions()]).toEqual([401, []]);
  });

  it.each<[string, string, object, object]>([
    ["tenant_suspended", "status", { status: "suspended" }, { status: "active" }],
    [
      "capability_not_licensed",
      "entitlements/capability/identity_foundation",
      { status: "revoked" },
      { status: "licensed" },
    ],
  ])("is refused with %s, and what was open ends with the next tick", async (code, what, taken, given) => {
    app = await newApp(world.a, { sloSoapUrl: "https://sp.example/soap" });
    await newSignOn(world.a, caller, app);
    const path = `/api/v1/support/tenants/${world.a.tenantId}/${what}`;
    const move = async (body: object) => {
      const provider = { token: world.provider.owner.token, body: { reason: REASON, ...body } };
      expect((await world.send("POST", path, provider)).status).toBe(200);
    };
    const { status, json } = await signOnWhile(() => move(taken));
    expect([status, json.code]).toEqual([403, code]);
    await world.controlPlane.tick();
    await move(given);
    const { json: after } = await world.send("GET", `/api/v1/saml-apps/${app.id}/sessions`, owner());
    expect(after.items).toMatchObject([
      { state: "ended", endReason: code, channel: "server", residualAccess: "possible" },
    ]);
    expect(await signOnWhile(async () => undefined)).toMatchObject({ status: 200 });
    await world.controlPlane.tick();
    expect(new Set(await sessions())).toEqual(new Set(["live", code]));
  });

  /** An AI identity that the application is assigned to, with a token of its own. */
  const newIdentity = async () => {
    app = await newApp(world.a, { assigned: false });
    const userId = await world.a.newIdentity({ status: "active", scopes: ["app:use"] });
    await assign("ai_identity", userId);
    const { id, clientId, clientSecret } = await world.a.newCredential(userId);
    const body = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    const { json } = await world.send("POST", "/api/v1/auth/token", { body });
    return {
      path: `/api/v1/ai/identities/${userId}`,
      credentialId: id,
      as: { ...caller, userId, token: json.access_token },
    };
  };

  it("is refused where the credential of an AI identity is revoked, begun or not", async () => {
    const { path, credentialId, as } = await newIdentity();
    const { nonce } = await newLaunch(world.a, as, app);
    const revoke = async () => {
      const revoked = await world.send("DELETE", `${path}/credentials/${credentialId}`, owner());
      expect(revoked.status, revoked.text).toBe(204);
    };
    expect((await signOnWhile(revoke, as)).json.code).toBe("invalid_token");
    expect((await world.send("GET", `/${nonce}/${app.id}`, { headers: HTML })).status).toBe(401);
    expect(await sessions()).toEqual([]);
  });

  it("is refused where an AI identity loses the scope for it", async () => {
    const { path, as } = await newIdentity();
    const take = async () => {
      const change = { ...owner(), headers: { "if-match": "*" }, body: { scopes: [], reason: REASON } };
      expect((await world.send("PUT", path, change)).status).toBe(200);
    };
    const answer = await signOnWhile(take, as);
    expect([answer.status, answer.json.permission, await sessions()]).toEqual([403, "app:use", []]);
  });

  it("tells the application the roles that are left, and its session ends with the next that is lost", async () => {
    await appOfRole("member");
    const { status, json } = await signOnWhile(() => setRoles(["member", "auditor"]));
    expect([status, signatures, notified(json.samlResponse)]).toEqual([200, 2, ["member"]]);
    expect(await sessions()).toEqual(["live"]);
    await setRoles(["auditor"]);
    expect(await sessions()).toEqual(["access_revoked"]);
  });

  it("is signed again where the application is changed", async () => {
    app = await newApp(world.a);
    const acsUrls = [`https://${world.a.unique().toLowerCase()}.example/acs`];
    const { status, json } = await signOnWhile(() =>
      world.send("PUT", `/api/v1/saml-apps/${app.id}`, { ...owner(), body: { acsUrls, reason: REASON } }),
    );
    expect([status, json.acsUrl, signatures]).toEqual([200, acsUrls[0], 2]);
    expect(Buffer.from(json.samlResponse, "base64").toString()).toContain(`Recipient="${acsUrls[0]}"`);
  });

  it("is refused where what the application is told never stays the same", async () => {
    app = await newApp(world.a);
    const { nonce } = await newLaunch(world.a, caller, app);
    meanwhile = () => {
      const name = world.a.unique();
      const body = { attributeMapping: [{ name, source: "id" }], reason: REASON };
      return world.send("PUT", `/api/v1/saml-apps/${app.id}`, { ...owner(), body });
    };
    const { status, json } = await world.send("GET", `/${nonce}/${app.id}`, { token: caller.token });
    expect([status, json.code, signatures]).toEqual([403, "permission_denied", 3]);
    meanwhile = undefined;
    expect(await sessions()).toEqual([]);
    expect((await world.send("GET", `/${nonce}/${app.id}`, { token: caller.token })).status).toBe(200);
  });

  it("of somebody whose roles the host tells keeps those that no record here has", async () => {
    await appOfRole("operator");
    const { userId, username } = await world.a.newUser(["member"]);
    hosted = { tenantId: world.a.tenantId, userId, username, roles: ["operator"] };
    const noBearer = { ...caller, token: undefined } as never as Actor;
    const { status } = await signOnWhile(async () => {
      const asHost = hosted;
      hosted = undefined;
      await setRoles(["auditor"], { userId });
      hosted = asHost;
    }, noBearer);
    hosted = undefined;
    expect([status, await sessions()]).toEqual([200, ["live"]]);
  });
});

describe("a session of somebody with stored roles", () => {
  it("has no roles but those that are stored now", async () => {
    await appOfRole("operator");
    await newSignOn(world.a, caller, app);
    await setRoles(["operator", "auditor"]);
    expect(await sessions()).toEqual(["live"]);
    await setRoles(["auditor", "member"]);
    expect(await sessions()).toEqual(["access_revoked"]);
  });
});
