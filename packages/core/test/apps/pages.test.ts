import { type Actor, authnRequest, newApp, newSignOn, type World } from "@reeve/testkit";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { STEP_MS, totpCode } from "#families/identity/second-factors/totp-codes.js";
import { createWorld } from "../helpers/world.js";

const BROWSER = { accept: "text/html" };
const FORM = { "content-type": "application/x-www-form-urlencoded", ...BROWSER };

let world: World;
let caller: Actor;
beforeAll(async () => {
  world = await createWorld();
});
beforeEach(async () => {
  caller = await world.a.newUser(["member"]);
});

const open = (path: string, headers = {}, token?: string) =>
  world.send("GET", path, { headers: { ...BROWSER, ...headers }, ...(token ? { token } : {}) });
const post = (path: string, fields: Record<string, string>, headers = {}) =>
  world.send("POST", path, {
    bytes: new URLSearchParams(fields).toString(),
    headers: { ...FORM, ...headers },
    remoteAddress: world.a.unique(),
  });

/** How well two colours are told apart, from 1 to 21, by the formula of WCAG 2. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string) => {
    const full = colour.length === 4 ? colour.replace(/[0-9a-f]/g, "$&$&") : colour;
    const [red = 0, green = 0, blue = 0] = (full.match(/[0-9a-f]{2}/g) ?? []).map((pair) => {
      const part = Number.parseInt(pair, 16) / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

describe("the style of the pages", () => {
  const schemes = async () => {
    const { text } = await open("/saml/apps");
    return [...text.matchAll(/:root\{([^}]*)\}/g)].map(([, rules = ""]) =>
      Object.fromEntries([...rules.matchAll(/--(\w+):(#[0-9a-f]+)/g)].map(([, name, colour]) => [name, colour])),
    );
  };

  it("can be read in light and in dark: texts by 4.5 to 1, edges of what is used by 3 to 1", async () => {
    const both = await schemes();
    expect(both).toHaveLength(2);
    for (const scheme of both) {
      const of = (one: string, other: string) => contrast(scheme[one] as string, scheme[other] as string);
      for (const ground of ["card", "page"])
        for (const text of ["ink", "soft", "bad"])
          expect(of(text, ground), `${text} on ${ground}`).toBeGreaterThan(4.5);
      expect(of("on", "act")).toBeGreaterThan(4.5);
      for (const edge of ["edge", "act"]) expect(of(edge, "card"), edge).toBeGreaterThan(3);
    }
  });

  it("keeps names without a break within the page, shows where the focus is, and loads nothing", async () => {
    const { text, headers } = await open("/saml/apps");
    expect(text).toMatch(/main\{[^}]*overflow-wrap:anywhere/);
    expect(text).toMatch(/:focus-visible\{outline:3px solid var\(--act\)/);
    expect(text).toContain('content="width=device-width,initial-scale=1"');
    expect(text).not.toMatch(/(?:src|href)="?(?:https?:)?\/\//);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
  });
});

describe("the form to sign in", () => {
  const PASSWORD = "violet tram at noon";
  const signIn = (fields: Record<string, string>) => post("/saml/sign-in", { password: PASSWORD, ...fields });
  const alertIn = (text: string) => /role="alert">([^<]*)</.exec(text)?.[1];

  it("asks for the organisation where several know somebody by this password, and takes the choice", async () => {
    const username = `${world.a.unique()}@example.test`;
    const names = [world.a.unique().toLowerCase(), world.a.unique().toLowerCase()];
    for (const subdomain of names) {
      const body = { organization: "Acme", subdomain, username, password: PASSWORD };
      expect((await world.send("POST", "/api/v1/register", { body })).status).toBe(201);
    }
    const asked = await signIn({ username });
    expect(asked.status).toBe(200);
    expect(alertIn(asked.text)).toMatch(/^Several organisations know you/);
    expect(asked.text).toContain(`value="${username}"`);
    expect([...asked.text.matchAll(/<option>([^<]*)</g)].map(([, name]) => name).sort()).toEqual(names.sort());
    expect(asked.headers).not.toHaveProperty("set-cookie");
    const wrong = await signIn({ username, password: "none of theirs", tenant: names[0] as string });
    expect([wrong.status, wrong.text.includes("<option>")]).toEqual([200, false]);
    for (const tenant of names) {
      const { status, text, headers } = await signIn({ username, tenant });
      expect([status, text.includes("Your applications"), "set-cookie" in headers]).toEqual([200, true, true]);
    }
  });

  it("says how long to wait after too many attempts, and does not lead to a dead end", async () => {
    const fields = { username: `${world.a.unique()}@example.test`, password: "a wrong one" };
    const bytes = new URLSearchParams(fields).toString();
    const again = () => world.send("POST", "/saml/sign-in", { bytes, headers: FORM, remoteAddress: "192.0.2.77" });
    for (let at = 0; at < 10; at += 1) expect((await again()).status).toBe(200);
    const { status, headers, text } = await again();
    expect([status, headers["retry-after"], alertIn(text)]).toEqual([
      429,
      "900",
      "Too many attempts. Try again in 15 minutes.",
    ]);
    expect(text).toContain('name="password"');
    const program = { bytes, headers: { ...FORM, accept: "application/json" }, remoteAddress: "192.0.2.77" };
    expect((await world.send("POST", "/saml/sign-in", program)).json).toMatchObject({ code: "too_many_attempts" });
  });
});

describe("the form for a second factor", () => {
  const FACTORS = "/api/v1/auth/factors";
  const hiddenIn = (text: string) => /name="challenge" value="([^"]+)"/.exec(text)?.[1] ?? "";
  const typed = () => post("/saml/sign-in", { username: caller.username, password: caller.password });
  const codeOf = (secret: string) => totpCode(secret, world.clock.now());

  it("asks for a code after the password, and takes that of an app or a recovery code", async () => {
    const { token } = caller;
    const { json } = await world.send("POST", `${FACTORS}/one-time-password`, { token, body: {} });
    const body = { code: codeOf(json.secret) };
    const { recoveryCodes } = (await world.send("POST", `${FACTORS}/one-time-password/confirm`, { token, body })).json;
    world.clock.advance(STEP_MS);
    const asked = await typed();
    expect([asked.status, "set-cookie" in asked.headers, asked.text.includes('name="password"')]).toEqual([
      200,
      false,
      false,
    ]);
    const challenge = hiddenIn(asked.text);
    const wrong = await post("/saml/sign-in", { challenge, code: "nothing" });
    expect([wrong.status, wrong.text.includes("The code is not right"), hiddenIn(wrong.text)]).toEqual([
      200,
      true,
      challenge,
    ]);
    for (const code of [codeOf(json.secret), recoveryCodes[0]]) {
      const { text, headers } = await post("/saml/sign-in", { challenge, code });
      expect([text.includes("Your applications"), "set-cookie" in headers]).toEqual([true, true]);
    }
    const over = await post("/saml/sign-in", { challenge: "of somebody else", code: codeOf(json.secret) });
    expect([over.text.includes("It took too long"), "set-cookie" in over.headers]).toEqual([true, false]);
  });

  it("sets an app up where one is demanded, and shows the recovery codes before it goes on", async () => {
    const settle = (secondFactor: string | null) =>
      world.send("PATCH", "/api/v1/tenant/settings", { token: world.a.owner.token, body: { secondFactor } });
    await settle("required");
    const { text, headers } = await typed();
    expect("set-cookie" in headers).toBe(false);
    const secret = (/<code>([A-Z2-7 ]+)</.exec(text)?.[1] ?? "").replaceAll(" ", "");
    const shown = await post("/saml/sign-in", { challenge: hiddenIn(text), code: codeOf(secret) });
    expect([shown.text.match(/<li><code>/g)?.length, "set-cookie" in shown.headers]).toEqual([10, true]);
    expect(shown.text).toContain("/saml/apps");
    await settle(null);
  });
});

describe("a form of a page here", () => {
  const OWN = "https://reeve.example";
  const signIn = (headers: object) => {
    const { username, password } = caller;
    return post("/saml/sign-in", { username, password }, headers);
  };

  it.each<[string, object]>([
    ["another site says that it is one", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
    ["a neighbour of the same site", { origin: "https://other.reeve.example", "sec-fetch-site": "same-site" }],
    ["another site hides its origin", { origin: "null", "sec-fetch-site": "cross-site" }],
    ["an older browser names another origin", { origin: "https://evil.example" }],
    ["an older browser names another scheme", { origin: "http://reeve.example" }],
    ["an older browser names no origin", { origin: "null" }],
    ["the origin stands there twice", { origin: [OWN, OWN] as never }],
  ])("is refused where %s, and signs nobody in", async (_who, headers) => {
    const { status, text, headers: sent } = await signIn(headers);
    expect([status, "set-cookie" in sent]).toEqual([403, false]);
    expect(text).toContain("was sent by a page of another site");
    const app = await newApp(world.a);
    const { headers: signedIn } = await signIn({});
    const cookie = (signedIn["set-cookie"] as string).split(";")[0] as string;
    const launched = await post("/saml/apps", { app: app.id }, { cookie, ...headers });
    expect([launched.status, launched.text.includes("SAMLResponse")]).toEqual([403, false]);
  });

  it.each<[string, object]>([
    ["the page itself", { origin: OWN, "sec-fetch-site": "same-origin" }],
    ["the page itself behind a proxy", { origin: "https://inner.example:8443", "sec-fetch-site": "same-origin" }],
    ["a person who loads it again", { "sec-fetch-site": "none" }],
    ["an older browser", { origin: OWN }],
    ["a browser at the address of the request", { origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000" }],
    ["a program", {}],
  ])("is taken from %s", async (_who, headers) => {
    const { status, headers: sent } = await signIn(headers);
    expect([status, "set-cookie" in sent]).toEqual([200, true]);
  });

  it("is sent with the origin of the page, and to nobody else", async () => {
    expect((await open("/saml/apps")).headers["referrer-policy"]).toBe("same-origin");
  });
});

describe("the page with one's applications", () => {
  const cookieOf = async ({ username, password }: Actor) => {
    const { headers } = await post("/saml/sign-in", { username, password });
    return { cookie: (headers["set-cookie"] as string).split(";")[0] as string };
  };

  it("says who is signed in, and leads to a logout that ends it", async () => {
    const cookie = await cookieOf(caller);
    const { text } = await open("/saml/apps", cookie);
    expect(text).toContain(`Signed in as ${caller.username}.`);
    const [, out = ""] = /action="https:\/\/reeve\.example([^"]+)"><button>Log out everywhere</.exec(text) ?? [];
    expect((await post(out, {}, cookie)).text).toContain("You are logged out");
    expect((await open("/saml/apps", cookie)).text).toContain('name="password"');
  });

  it.each(["/slo", "/slo?utm_source=letter"])("asks before a link logs somebody out: %s", async (link) => {
    const cookie = await cookieOf(caller);
    const app = await newApp(world.a);
    await newSignOn(world.a, caller, app);
    const from = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", referer: "https://evil.example/" };
    for (const headers of [{ ...cookie, ...from }, cookie, { ...cookie, accept: "application/json" }]) {
      const { status, text } = await open(link, headers);
      expect([status, text.includes("Log out everywhere?"), text.includes("<iframe")]).toEqual([200, true, false]);
    }
    const signedIn = async () => (await open("/saml/apps", cookie)).text.includes(`Signed in as ${caller.username}`);
    expect((await post("/saml/logout", {}, { ...cookie, ...from })).status).toBe(403);
    expect(await signedIn()).toBe(true);
    const sessions = `/api/v1/saml-apps/${app.id}/sessions`;
    const { json } = await world.send("GET", sessions, { token: world.a.owner.token });
    expect(json.items).toMatchObject([{ state: "live" }]);
    const out = await post("/saml/logout", {}, { ...cookie, "sec-fetch-site": "same-origin" });
    expect([out.status, await signedIn()]).toEqual([200, false]);
  });

  it("is reached from a refusal that another account gets past, below the prefix of the mount", async () => {
    const app = await newApp(world.a, { assigned: false });
    const target = {
      bytes: new URLSearchParams({ app: app.id }).toString(),
      headers: { ...FORM, ...(await cookieOf(caller)) },
    };
    const denied = await world.send("POST", "/saml/apps", target);
    expect([denied.status, denied.text]).toEqual([
      403,
      expect.stringContaining('href="/saml/apps">Your applications<'),
    ]);
    const used = { method: "GET", target: `/${"x".repeat(43)}/${app.id}`, headers: BROWSER, mountPath: "/reeve" };
    const answer = await world.controlPlane.handle({ ...used, body: async () => new Uint8Array() });
    expect(answer?.body).toContain('href="/reeve/saml/apps">Your applications<');
    const invalid = await open("/saml/sso?tenant=nobody&SAMLRequest=x");
    expect(invalid.text).not.toContain("Your applications<");
  });
});

describe("the page of a logout", () => {
  it("names each application once, however many sessions were there, and leads back to a sign-in", async () => {
    const [reported, silent] = [
      await newApp(world.a, { name: "Expenses & more", sloBinding: "redirect" }),
      await newApp(world.a, { name: "Ledger", sloUrl: null }),
    ];
    for (const app of [reported, reported, silent, silent]) await newSignOn(world.a, caller, app);
    const { text } = await open("/slo", {}, caller.token);
    expect(text).toContain("<p>Told to log you out too: Expenses &amp; more.</p>");
    expect(text).toContain("Close these applications yourself: Ledger.");
    expect(text.match(/<iframe /g)).toHaveLength(2);
    expect(text).toContain('<a class="button" href="https://reeve.example/saml/apps">Sign in again</a>');
  });
});

describe("the host's own page to sign in", () => {
  let signedIn: object | undefined;
  let hosted: World;
  beforeAll(async () => {
    const samlSignInUrl = "https://host.example/enter?from=reeve";
    hosted = await createWorld({ samlSignInUrl, authenticate: async () => signedIn as never });
  });
  const asked = (more = "") => {
    const waiting = (app: { entityId: string }) => authnRequest(hosted.a, app, more);
    return async (app: { entityId: string }) =>
      hosted.send("POST", `/saml/sso?tenant=${hosted.a.tenantId}`, {
        bytes: new URLSearchParams({ SAMLRequest: waiting(app) }).toString(),
        headers: FORM,
      });
  };

  it("is where somebody without a sign-in is sent, and sends them back to the application that waits", async () => {
    signedIn = undefined;
    const app = await newApp(hosted.a);
    const { text } = await asked()(app);
    const next = /href="https:\/\/reeve\.example([^"]+)"/.exec(text)?.[1] as string;
    const sent = await hosted.send("GET", next, { headers: BROWSER });
    expect(sent.status).toBe(303);
    const to = new URL(sent.headers.location as string);
    expect(`${to.origin}${to.pathname}`).toBe("https://host.example/enter");
    expect([to.searchParams.get("from"), to.searchParams.get("prompt")]).toEqual(["reeve", null]);
    const back = (to.searchParams.get("return") as string).replace("https://reeve.example", "");
    signedIn = { tenantId: hosted.a.tenantId, userId: "emp-1", username: "ada@host.example", roles: ["member"] };
    const { text: onward } = await hosted.send("GET", back, { headers: BROWSER });
    expect(onward).toContain('name="SAMLResponse"');
  });

  it("is reached from the page of applications by a link, since browsers refuse to send a form elsewhere", async () => {
    signedIn = undefined;
    const app = await newApp(hosted.a);
    const bytes = new URLSearchParams({ app: app.id }).toString();
    const { status, text } = await hosted.send("POST", "/saml/apps", { bytes, headers: FORM });
    expect([status, text]).toEqual([200, expect.stringContaining('content="0;url=https://reeve.example/saml/apps"')]);
    expect((await hosted.send("GET", "/saml/apps", { headers: BROWSER })).status).toBe(303);
  });
});
