import { deflateRawSync } from "node:zlib";
import {
  type Actor,
  authnRequest,
  logoutMessage,
  type NewApp,
  newApp,
  newLaunch,
  newSignOn,
  providerKey,
  type World,
} from "@reeve/testkit";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventTypes, recordsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const BROWSER = { accept: "text/html,application/xhtml+xml" };
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
const decoded = (samlResponse: string) => Buffer.from(samlResponse, "base64").toString();
const ask = (path: string, as: Actor = caller, headers = {}) => world.send("GET", path, { token: as.token, headers });
const change = (body: object) =>
  world.send("PUT", `/api/v1/saml-apps/${app.id}`, { ...owner(), body: { reason: REASON, ...body } });

/** The answer to a sign-on that the caller begins and ends. */
async function signedOn(as: Actor = caller) {
  const { nonce } = await newLaunch(world.a, as, app);
  return ask(`/${nonce}/${app.id}`, as);
}

/** The target of a request by redirect. */
function redirect(document: string, tenantId = world.a.tenantId) {
  const deflated = deflateRawSync(Buffer.from(document, "base64")).toString("base64");
  return `/saml/sso?${new URLSearchParams({ tenant: tenantId, SAMLRequest: deflated })}`;
}

const signOnEvents = async () => (await eventTypes(world.a)).filter((type) => type === "saml.signed_on").length;

describe("a sign-on with a nonce", () => {
  it("answers with a signed response about the caller, and leaves a session and an event", async () => {
    const before = await signOnEvents();
    const { status, json } = await signedOn();
    expect(status).toBe(200);
    const document = decoded(json.samlResponse);
    for (const text of [
      `>${caller.username}</saml:NameID>`,
      `<saml:Audience>${app.entityId}</saml:Audience>`,
      `Recipient="${json.acsUrl}"`,
      `SessionIndex="${json.sessionIndex}"`,
      'Name="mail"',
    ])
      expect(document).toContain(text);
    expect(document).not.toContain("InResponseTo");
    expect(await signOnEvents()).toBe(before + 1);
    const { json: health } = await ask("/api/v1/saml-apps/health");
    expect(health.items.find(({ id }: { id: string }) => id === app.id)).toMatchObject({ signOns: 1, failures: 0 });
  });

  it("works once, also of ten at once", async () => {
    const { nonce } = await newLaunch(world.a, caller, app);
    const before = await signOnEvents();
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(`/${nonce}/${app.id}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(9);
    expect(await signOnEvents()).toBe(before + 1);
  });

  it("is not used up by a look at the headers, which is no request for a page", async () => {
    const { nonce } = await newLaunch(world.a, caller, app);
    const { handle } = world.controlPlane;
    const body = async () => new Uint8Array();
    const look = (target: string) => handle({ method: "HEAD", target, headers: BROWSER, body });
    expect(await look(`/${nonce}/${app.id}`)).toBeUndefined();
    await newSignOn(world.a, caller, app);
    const headers = { authorization: `Bearer ${caller.token}` };
    expect(await handle({ method: "HEAD", target: "/slo", headers, body })).toBeUndefined();
    const { json } = await world.send("GET", `/api/v1/saml-apps/${app.id}/sessions`, owner());
    expect(json.items).toMatchObject([{ state: "live" }]);
    expect((await ask(`/${nonce}/${app.id}`)).status).toBe(200);
  });

  it("works until its minute is over", async () => {
    const [soon, late] = [await newLaunch(world.a, caller, app), await newLaunch(world.a, caller, app)];
    world.clock.advance(59_999);
    expect((await ask(`/${soon.nonce}/${app.id}`)).status).toBe(200);
    world.clock.advance(1);
    expect((await ask(`/${late.nonce}/${app.id}`)).status).toBe(404);
  });

  it("belongs to its user, application and tenant", async () => {
    const { nonce } = await newLaunch(world.a, caller, app);
    const other = await newApp(world.a);
    const foreign = await newApp(world.b);
    const stranger = await world.b.newUser(["member"]);
    for (const [path, as] of [
      [`/${nonce}/${app.id}`, world.a.owner],
      [`/${nonce}/${app.id}`, stranger],
      [`/${nonce}/${other.id}`, caller],
      [`/${nonce}/${foreign.id}`, caller],
      [`/${"x".repeat(43)}/${app.id}`, caller],
    ] as const)
      expect((await ask(path, as)).json).toMatchObject({ status: 404, code: "not_found" });
    for (const path of [`/${nonce}/${other.id}`, `/${"x".repeat(43)}/${app.id}`])
      expect((await world.send("GET", path, { headers: BROWSER })).status).toBe(404);
    expect((await ask(`/${nonce}/${app.id}`)).status).toBe(200);
  });

  it("needs a bearer, but for a browser, which gets a page that goes on by itself", async () => {
    const { nonce } = await newLaunch(world.a, caller, app);
    expect((await world.send("GET", `/${nonce}/${app.id}`)).json.code).toBe("token_missing");
    const { status, text, headers } = await world.send("GET", `/${nonce}/${app.id}`, { headers: BROWSER });
    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(text).toContain('name="SAMLResponse"');
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(text).not.toMatch(/src="?https?:/);
    const again = await world.send("GET", `/${nonce}/${app.id}`, { headers: BROWSER });
    expect([again.status, again.text]).toEqual([
      404,
      expect.stringContaining("This link has been used or has expired"),
    ]);
  });
});

describe("the paths at the root", () => {
  it("are claimed in their exact shape only, and a host's own go on to the host", async () => {
    const { controlPlane } = world;
    const body = async () => new Uint8Array();
    for (const target of [
      "/users/42",
      "/",
      "/saml",
      "/saml/",
      "/saml/other",
      "/slo/",
      `/${"x".repeat(42)}/${app.id}`,
      `/${"x".repeat(43)}/${app.id.slice(0, -1)}`,
      `/${"x".repeat(43)}/ast_${"0".repeat(26)}`,
    ])
      expect([target, await controlPlane.handle({ method: "GET", target, headers: {}, body })]).toEqual([
        target,
        undefined,
      ]);
    const without = await createWorld({ rootRoutes: false });
    const sending = { method: "GET", target: `/${"x".repeat(43)}/${app.id}`, headers: {}, body };
    expect(await without.controlPlane.handle(sending)).toBeUndefined();
  });
});

describe("who may sign on", () => {
  it("is everyone, a role, a user or an AI identity to whom it is assigned, and nobody else", async () => {
    app = await newApp(world.a, { assigned: false });
    const path = `/api/v1/saml-apps/${app.id}/assignments`;
    const launch = async (as: Actor) =>
      (await world.send("POST", `/api/v1/saml-apps/${app.id}/launch`, { token: as.token })).status;
    const approver = await world.a.newUser(["approver"]);
    expect([await launch(caller), await launch(approver)]).toEqual([403, 403]);
    const assign = async (body: object) => (await world.send("POST", path, { ...owner(), body })).json;
    const toRole = await assign({ subjectType: "role", subjectId: "approver" });
    expect([await launch(caller), await launch(approver)]).toEqual([403, 200]);
    await assign({ subjectType: "user", subjectId: caller.userId });
    expect(await launch(caller)).toBe(200);
    await world.send("DELETE", `${path}/${toRole.id}`, owner());
    expect([await launch(caller), await launch(approver)]).toEqual([200, 403]);
    for (const body of [
      { subjectType: "user", subjectId: world.b.owner.userId },
      { subjectType: "role", subjectId: "nobody" },
      { subjectType: "everyone", subjectId: "x" },
      { subjectType: "user" },
    ])
      expect((await world.send("POST", path, { ...owner(), body })).status).toBe(400);
  });

  it("an AI identity signs on by its own token, and stops with its asset", async () => {
    const id = await world.a.newIdentity({ status: "active", scopes: ["app:use"] });
    const { clientId, clientSecret } = await world.a.newCredential(id);
    const body = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    const { json } = await world.send("POST", "/api/v1/auth/token", { body });
    const machine = { ...caller, userId: id, token: json.access_token };
    const path = `/api/v1/saml-apps/${app.id}`;
    await world.send("POST", `${path}/assignments`, {
      ...owner(),
      body: { subjectType: "ai_identity", subjectId: id },
    });
    const answer = await signedOn(machine);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    expect(decoded(answer.json.samlResponse)).toContain(`>${id}</saml:NameID>`);
    const before = (await eventTypes(world.a)).length;
    const { json: identity } = await world.send("GET", `/api/v1/ai/identities/${id}`, owner());
    const suspension = await world.send("PATCH", `/api/v1/ai-assets/${identity.assetId}/governance-state`, {
      ...owner(),
      headers: { "if-match": "*" },
      body: { status: "suspended", reason: REASON },
    });
    expect(suspension.status).toBe(200);
    expect((await world.send("POST", `${path}/launch`, { token: machine.token })).status).toBe(401);
    expect(await eventTypes(world.a, before)).toContain("saml.session.ended");
  });
});

describe("a sign-on is cut off at once", () => {
  const launched = async () => (await newLaunch(world.a, caller, app)).nonce;

  it.each<[string, () => Promise<unknown>, number]>([
    ["the application is disabled", () => change({ status: "disabled" }), 403],
    ["the application is removed", () => world.send("DELETE", `/api/v1/saml-apps/${app.id}`, owner()), 404],
    [
      "it is taken away",
      async () => {
        const path = `/api/v1/saml-apps/${app.id}/assignments`;
        const { json } = await world.send("GET", path, owner());
        return world.send("DELETE", `${path}/${json.items[0].id}`, owner());
      },
      403,
    ],
    [
      "the account is disabled",
      () =>
        world.send("PATCH", `/api/v1/users/${caller.userId}`, {
          ...owner(),
          body: { status: "disabled", reason: REASON },
        }),
      401,
    ],
  ])("when %s, with the sessions that were there", async (_what, cut, status) => {
    await newSignOn(world.a, caller, app);
    const nonce = await launched();
    const before = (await eventTypes(world.a)).length;
    await cut();
    expect((await ask(`/${nonce}/${app.id}`)).status).toBe(status);
    expect((await world.send("GET", `/${nonce}/${app.id}`, { headers: BROWSER })).status).toBe(status);
    const events = await eventTypes(world.a, before);
    expect(events.filter((type) => type === "saml.session.ended")).toHaveLength(1);
    expect(events).not.toContain("saml.signed_on");
  });

  it.each(["signin", "saml.signon"])("while the switch %s is engaged", async (key) => {
    const nonce = await launched();
    const move = (status: string) =>
      world.send("POST", `/api/v1/support/kill-switches/${key}`, {
        token: world.provider.owner.token,
        body: { status, reason: REASON },
      });
    await move("engaged");
    expect((await ask(`/${nonce}/${app.id}`)).json.code).toBe("kill_switch_active");
    const { status, text } = await world.send("GET", redirect(authnRequest(world.a, app)), { headers: BROWSER });
    expect([status, text]).toEqual([503, expect.stringContaining("Sign-on is switched off")]);
    await move("released");
    expect((await ask(`/${nonce}/${app.id}`)).status).toBe(200);
  });

  it("is in no answer that is kept for a repeat", async () => {
    const headers = { "idempotency-key": "launched-once" };
    const launch = () =>
      world.send("POST", `/api/v1/saml-apps/${app.id}/launch`, { token: caller.token, body: {}, headers });
    const { status, json } = await launch();
    expect([status, typeof json.nonce]).toEqual([200, "string"]);
    expect(JSON.stringify(await recordsOf(world.a))).not.toContain(json.nonce);
    expect((await launch()).text).not.toContain(json.nonce);
  });

  it("while the tenant is suspended, also for requests that name it", async () => {
    const nonce = await launched();
    const target = redirect(authnRequest(world.a, app));
    const move = (status: string) =>
      world.send("POST", `/api/v1/support/tenants/${world.a.tenantId}/status`, {
        token: world.provider.owner.token,
        body: { status, reason: REASON },
      });
    expect((await move("suspended")).status).toBe(200);
    expect((await ask(`/${nonce}/${app.id}`)).json.code).toBe("tenant_suspended");
    expect((await ask(target)).json.code).toBe("tenant_suspended");
    for (const path of [`/${nonce}/${app.id}`, target]) {
      const { status, text } = await world.send("GET", path, { headers: BROWSER });
      expect([status, text.includes("SAMLResponse")]).toEqual([403, false]);
    }
    await move("active");
    expect((await ask(`/${nonce}/${app.id}`)).status).toBe(200);
  });

  it("while the tenant lacks the licence, also for requests that name it", async () => {
    const nonce = await launched();
    const path = `/api/v1/support/tenants/${world.a.tenantId}`;
    const target = redirect(authnRequest(world.a, app));
    const entitlement = `${path}/entitlements/capability/identity_foundation`;
    const licence = (status: string) =>
      world.send("POST", entitlement, { token: world.provider.owner.token, body: { status, reason: REASON } });
    await licence("revoked");
    expect((await ask(`/${nonce}/${app.id}`)).json.code).toBe("capability_not_licensed");
    expect((await world.send("GET", target)).json.code).toBe("capability_not_licensed");
    await licence("licensed");
    expect((await ask(`/${nonce}/${app.id}`)).status).toBe(200);
  });
});

describe("a request of an application", () => {
  it("is answered for somebody who is signed in, with the id of the request and the relay state", async () => {
    const target = `${redirect(authnRequest(world.a, app))}&RelayState=where+I+was`;
    const { status, text } = await ask(target, caller, BROWSER);
    expect(status).toBe(200);
    expect(text).toContain('name="RelayState" value="where I was"');
    const [, response = ""] = /name="SAMLResponse" value="([^"]+)"/.exec(text) ?? [];
    expect(decoded(response)).toMatch(/InResponseTo="_m\d+"/);
  });

  it("is answered once, also of ten at once", async () => {
    const target = redirect(authnRequest(world.a, app));
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(target)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    for (const { json } of refused) expect(json).toMatchObject({ code: "saml_invalid", refusal: "replayed" });
    expect(refused).toHaveLength(9);
  });

  it("is answered once, however late somebody signs in for it", async () => {
    const target = redirect(authnRequest(world.a, app));
    const waiting = async () =>
      /name="request" value="([^"]+)"/.exec((await world.send("GET", target, { headers: BROWSER })).text)?.[1] ?? "";
    const [first, MINUTE] = [await waiting(), 60_000];
    const later = (request: string) => ask(`/saml/sign-in?request=${request}`, caller, BROWSER);
    expect((await later(first)).text).toContain("SAMLResponse");
    world.clock.advance(5.9 * MINUTE);
    const second = await waiting();
    expect(second).not.toBe("");
    world.clock.advance(9.9 * MINUTE);
    await world.controlPlane.tick();
    const answer = await later(second);
    expect([answer.status, answer.text.includes("replayed")]).toEqual([400, true]);
  });

  it("is answered at registered addresses only, to the letter, and each refusal is on record", async () => {
    const acs = app.entityId.replace("/metadata", "/acs");
    const evil = [
      "https://evil.example/acs",
      `${acs}/`,
      `${acs}?x=1`,
      acs.replace("https", "http"),
      acs.replace(".example", ".EXAMPLE"),
      acs.replace("https://", "https://x@"),
      acs.replace(".example/", ".example:8443/"),
      "javascript:alert(1)",
      "",
    ];
    for (const address of evil) {
      const before = (await eventTypes(world.a)).length;
      const target = redirect(authnRequest(world.a, app, ` AssertionConsumerServiceURL="${address}"`));
      expect((await ask(target)).json).toMatchObject({ code: "saml_invalid", refusal: "recipient_mismatch" });
      expect(await eventTypes(world.a, before)).toEqual(["saml.message.refused"]);
    }
    expect((await ask(redirect(authnRequest(world.a, app, ` AssertionConsumerServiceURL="${acs}"`)))).status).toBe(200);
    const { json } = await ask("/api/v1/saml-apps/health");
    const health = json.items.find(({ id }: { id: string }) => id === app.id);
    expect(health).toMatchObject({ failures: evil.length, lastFailure: "recipient_mismatch" });
  });

  it("of another tenant's application is unknown, and so is one at another tenant's address", async () => {
    const foreign = await newApp(world.b);
    const refusal = { code: "saml_invalid", refusal: "issuer_mismatch" };
    expect((await ask(redirect(authnRequest(world.a, foreign)))).json).toMatchObject(refusal);
    expect((await ask(redirect(authnRequest(world.a, app), world.b.tenantId))).json).toMatchObject(refusal);
    const before = await recordsOf(world.b);
    const shown = await ask(redirect(authnRequest(world.b, foreign), world.b.tenantId), caller, BROWSER);
    expect(shown.text).toContain("Sign in");
    expect(await recordsOf(world.b)).toEqual(before);
  });

  it("may be unsigned, whatever certificates the application has, until it must be signed", async () => {
    const { certificate } = await providerKey();
    const unsigned = () => ask(redirect(authnRequest(world.a, app)));
    expect((await change({ signedRequests: true })).json).toMatchObject({ errors: [{ pointer: "/signedRequests" }] });
    expect((await change({ certificates: [certificate] })).json).toMatchObject({ signedRequests: false });
    expect((await unsigned()).status).toBe(200);
    await change({ signedRequests: true });
    expect((await unsigned()).json).toMatchObject({ refusal: "signature_missing" });
    expect((await change({ certificates: [] })).json).toMatchObject({ errors: [{ pointer: "/signedRequests" }] });
    await change({ signedRequests: false });
    expect((await unsigned()).status).toBe(200);
  });

  it("leaves each refusal on record, in the tenant that it was addressed to, and stores no session", async () => {
    const good = () => decoded(authnRequest(world.a, app));
    const sent = (document: string) => ask(redirect(Buffer.from(document).toString("base64")));
    const once = redirect(authnRequest(world.a, app));
    expect((await ask(once)).status).toBe(200);
    const format = '<samlp:NameIDPolicy Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"/>';
    app = await newApp(world.a, { nameIdFormat: "persistent", nameIdSource: "pairwise" });
    const refusals: readonly [string, () => Promise<{ json: unknown }>][] = [
      ["document_forbidden", () => sent(`<!DOCTYPE a>${good()}`)],
      ["document_forbidden", () => sent(good().replace("<saml:Issuer>", "<saml:Issuer><!-- x -->"))],
      ["document_malformed", () => sent("<samlp:AuthnRequest")],
      ["issuer_mismatch", () => sent(good().replace(app.entityId, "https://nobody.example"))],
      ["not_in_time", () => sent(good().replace(/IssueInstant="\d{4}/, 'IssueInstant="2001'))],
      ["name_id_unsupported", () => sent(good().replace("</samlp:AuthnRequest>", `${format}$&`))],
      ["replayed", () => ask(once)],
    ];
    for (const [refusal, send] of refusals) {
      const before = (await eventTypes(world.a)).length;
      expect((await send()).json).toMatchObject({ status: 400, code: "saml_invalid", refusal });
      expect(await eventTypes(world.a, before), refusal).toEqual(["saml.message.refused"]);
    }
  });

  it("that was replayed at once with others leaves each refusal on record", async () => {
    const target = redirect(authnRequest(world.a, app));
    const before = (await eventTypes(world.a)).length;
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(target)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const events = (await eventTypes(world.a, before)).toSorted();
    expect(events).toEqual([...Array(49).fill("saml.message.refused"), "saml.signed_on"]);
  });

  it("is recorded a hundred times at most of one sender, because anybody can send messages", async () => {
    const before = (await eventTypes(world.a)).length;
    const stranger = { entityId: `https://${world.a.unique()}.example` };
    for (let at = 0; at < 110; at += 1)
      expect((await ask(redirect(authnRequest(world.a, stranger)))).json).toMatchObject({ refusal: "issuer_mismatch" });
    expect((await eventTypes(world.a, before)).length).toBeLessThanOrEqual(100);
    expect((await ask(redirect(authnRequest(world.a, app)))).status).toBe(200);
  });

  it("without interaction is told that nobody is signed in", async () => {
    const target = redirect(authnRequest(world.a, app, ' IsPassive="true"'));
    const { text } = await world.send("GET", target, { headers: BROWSER });
    const [, response = ""] = /name="SAMLResponse" value="([^"]+)"/.exec(text) ?? [];
    expect(decoded(response)).toContain("status:NoPassive");
  });
});

describe("the page to sign in", () => {
  const form = (fields: Record<string, string>, headers = {}) =>
    world.send("POST", "/saml/sign-in", {
      bytes: new URLSearchParams(fields).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded", ...BROWSER, ...headers },
      remoteAddress: world.a.unique(),
    });
  const waiting = async () => {
    const { text } = await world.send("GET", redirect(authnRequest(world.a, app)), { headers: BROWSER });
    return /name="request" value="([^"]+)"/.exec(text)?.[1] as string;
  };
  const { username, password } = { username: () => caller.username, password: () => caller.password };

  it("goes on to the application that asked, and keeps a cookie for the next one", async () => {
    const answer = await form({ username: username(), password: password(), request: await waiting() });
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('name="SAMLResponse"')]);
    const cookie = answer.headers["set-cookie"] as string;
    expect(cookie).toMatch(/^reeve_sign_on=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=86400$/);
    const [kept = ""] = cookie.split(";");
    const second = await world.send("GET", redirect(authnRequest(world.a, app)), {
      headers: { ...BROWSER, cookie: kept },
    });
    expect(second.text).toContain('name="SAMLResponse"');
    const launcher = await world.send("GET", "/saml/apps", { headers: { ...BROWSER, cookie: kept } });
    expect(launcher.text).toContain("Your applications");
    expect((await world.send("GET", "/api/v1/apps", { headers: { cookie: kept } })).status).toBe(401);
    const out = await world.send("POST", "/saml/logout", { headers: { ...BROWSER, cookie: kept } });
    expect([out.status, out.headers["set-cookie"]]).toEqual([200, expect.stringContaining("Max-Age=0")]);
  });

  const post = (document: string, headers = {}) =>
    world.send("POST", `/saml/sso?tenant=${world.a.tenantId}`, {
      bytes: new URLSearchParams({ SAMLRequest: document }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded", ...BROWSER, ...headers },
    });
  const signedIn = async () => {
    const answer = await form({ username: username(), password: password() });
    return (answer.headers["set-cookie"] as string).split(";")[0] as string;
  };
  const bounced = (text: string) => /href="([^"]+)"/.exec(text)?.[1]?.replace("https://reeve.example", "") as string;
  const responseIn = (text: string) => decoded(/name="SAMLResponse" value="([^"]+)"/.exec(text)?.[1] ?? "");

  it("answers a form of the application, which brings no cookie, by a page that does", async () => {
    const cookie = await signedIn();
    const { status, text } = await post(authnRequest(world.a, app));
    expect([status, text.includes("SAMLResponse")]).toEqual([200, false]);
    const next = await world.send("GET", bounced(text), { headers: { ...BROWSER, cookie } });
    expect(responseIn(next.text)).toContain(`>${caller.username}</saml:NameID>`);
    const nobody = await post(authnRequest(world.a, app));
    expect((await world.send("GET", bounced(nobody.text), { headers: BROWSER })).text).toContain("Sign in");
  });

  it("is asked whether somebody is signed in by a form without interaction", async () => {
    const cookie = await signedIn();
    const passive = () => post(authnRequest(world.a, app, ' IsPassive="true"'));
    const here = await world.send("GET", bounced((await passive()).text), { headers: { ...BROWSER, cookie } });
    expect(responseIn(here.text)).toContain(`>${caller.username}</saml:NameID>`);
    const nobody = await world.send("GET", bounced((await passive()).text), { headers: BROWSER });
    expect(responseIn(nobody.text)).toContain("status:NoPassive");
  });

  it.each(["form", "redirect"])(
    "takes the password again where a %s forces that, whoever is signed in",
    async (how) => {
      const cookie = await signedIn();
      world.clock.advance(5_000);
      const headers = { ...BROWSER, cookie };
      const forced = authnRequest(world.a, app, ' ForceAuthn="true"');
      const before = await signOnEvents();
      const asked =
        how === "form"
          ? await world.send("GET", bounced((await post(forced)).text), { headers })
          : await world.send("GET", redirect(forced), { headers });
      expect(asked.text).toContain('name="password"');
      const request = /name="request" value="([^"]+)"/.exec(asked.text)?.[1] as string;
      const opened = await world.send("GET", `/saml/sign-in?request=${request}`, { headers });
      expect(opened.text).toContain('name="password"');
      const passive = authnRequest(world.a, app, ' ForceAuthn="true" IsPassive="true"');
      expect(responseIn((await world.send("GET", redirect(passive), { headers })).text)).toContain("status:NoPassive");
      expect(await signOnEvents()).toBe(before);
      const { text } = await form({ username: username(), password: password(), request });
      const instant = new Date(world.clock.now()).toISOString().slice(0, 19);
      expect(responseIn(text)).toContain(`AuthnInstant="${instant}`);
      expect(await signOnEvents()).toBe(before + 1);
    },
  );

  it("tells when and how somebody signed in, and refuses what asks for more", async () => {
    const cookie = await signedIn();
    const instant = new Date(world.clock.now()).toISOString().slice(0, 19);
    world.clock.advance(120_000);
    const asking = async (classRef: string, comparison = "exact") => {
      const context = `<samlp:RequestedAuthnContext Comparison="${comparison}"><saml:AuthnContextClassRef>${classRef}</saml:AuthnContextClassRef></samlp:RequestedAuthnContext>`;
      const document = decoded(authnRequest(world.a, app)).replace("</samlp:AuthnRequest>", `${context}$&`);
      const target = redirect(Buffer.from(document).toString("base64"));
      return responseIn((await world.send("GET", target, { headers: { ...BROWSER, cookie } })).text);
    };
    const of = (name: string) => `urn:oasis:names:tc:SAML:2.0:ac:classes:${name}`;
    const notified = await asking(of("PasswordProtectedTransport"));
    expect(notified).toContain(`AuthnInstant="${instant}`);
    expect(notified).toContain(`>${of("PasswordProtectedTransport")}</saml:AuthnContextClassRef>`);
    expect(await asking(of("Password"), "minimum")).toContain("status:Success");
    for (const [name, comparison] of [
      ["X509", "exact"],
      ["X509", "minimum"],
      ["Password", "better"],
    ] as const)
      expect(await asking(of(name), comparison)).toContain("status:NoAuthnContext");
  });

  it("is left with the sign-in behind it by a logout, here or at the application", async () => {
    const launcher = async (cookie: string) =>
      (await world.send("GET", "/saml/apps", { headers: { ...BROWSER, cookie } })).text.includes("Your applications");
    const here = await signedIn();
    expect(await launcher(here)).toBe(true);
    await world.send("POST", "/saml/logout", { headers: { ...BROWSER, cookie: here } });
    expect(await launcher(here)).toBe(false);
    const { certificate } = await providerKey();
    app = await newApp(world.a, { certificates: [certificate] });
    const [there, other] = [await signedIn(), await signedIn()];
    const { text } = await world.send("GET", "/saml/apps", { headers: { ...BROWSER, cookie: there } });
    expect(text).toContain(app.id);
    const response = await world.send("POST", "/saml/apps", {
      bytes: new URLSearchParams({ app: app.id }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded", ...BROWSER, cookie: there },
    });
    const sessionIndex = /SessionIndex="([^"]+)"/.exec(responseIn(response.text))?.[1] as string;
    const message = await logoutMessage(world.a, app, { sessionIndex, nameId: caller.username });
    const out = await world.send("GET", `/saml/slo?${message.binding === "redirect" ? message.query : ""}`);
    expect(out.status).toBe(200);
    expect([await launcher(there), await launcher(other)]).toEqual([false, true]);
  });

  it("asks again after a wrong password, and says nothing of whether the account exists", async () => {
    const request = await waiting();
    const wrong = await form({ username: username(), password: "not the pass phrase", request });
    const unknown = await form({ username: "nobody@example.test", password: "not the pass phrase", request });
    expect(wrong.text).toContain("The e-mail address or the password is not right.");
    expect(unknown.text).toBe(wrong.text.replace(username(), "nobody@example.test"));
    expect(wrong.headers).not.toHaveProperty("set-cookie");
  });

  it("signs nobody of another tenant on, and takes no request that was changed or has waited too long", async () => {
    const request = await waiting();
    const stranger = await world.b.newUser(["member"]);
    const other = await form({ username: stranger.username, password: stranger.password, request });
    expect(other.text).toContain("is not right");
    const bent = `${request.slice(0, -2)}${request.endsWith("A") ? "B" : "A"}`;
    expect((await form({ username: username(), password: password(), request: bent })).status).toBe(400);
    world.clock.advance(10 * 60_000);
    expect((await form({ username: username(), password: password(), request })).status).toBe(400);
  });

  it("writes every text as a text", async () => {
    const name = `<script>alert(1)</script>"'&${world.a.unique()}`;
    app = await newApp(world.a, { name });
    const { text } = await world.send("GET", redirect(authnRequest(world.a, app)), { headers: BROWSER });
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;");
    expect(text).not.toContain("<script>alert");
  });
});
