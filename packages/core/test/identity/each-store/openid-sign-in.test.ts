import { type OpenidSettings, openidSignIn } from "@reeve/openid";
import { type Answer, createPlane, type Scene, type World } from "@reeve/testkit";
import type { JWTPayload } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import type { ControlPlaneConfig, TrustedIssuer } from "../../../src/index.js";
import { ScriptedProvider } from "../../helpers/openid-provider.js";
import { suspend } from "../../helpers/provider.js";
import { createWorld } from "../../helpers/world.js";

const START = "/api/v1/auth/openid/acme/start";
const CALLBACK = "/api/v1/auth/openid/callback";
const HOME = "https://reeve.example/console/";
const page = { "x-reeve-page": "1" };
const MINUTE = 60_000;

let provider: ScriptedProvider;
let world: World;
let a: Scene;
let b: Scene;
let logged: object[];

interface Rules {
  readonly trusted?: Partial<TrustedIssuer>;
  readonly settings?: Partial<OpenidSettings>;
  readonly options?: Partial<ControlPlaneConfig>;
}

async function setUp({ trusted, settings, options }: Rules = {}): Promise<void> {
  provider = await ScriptedProvider.start();
  logged = [];
  const warn = (fields: object) => void logged.push(fields);
  const issuer = { issuer: provider.url, audience: "https://reeve.example/api", tenantClaim: "org" };
  const client = {
    name: "acme",
    label: "Acme",
    issuer: provider.url,
    clientId: "reeve",
    clientSecret: "a secret of a test",
  };
  world = await createWorld({
    trustedIssuers: [{ ...issuer, usernameClaim: "email", ...trusted } as TrustedIssuer],
    openid: openidSignIn([{ ...client, ...settings }]),
    egressAllow: ["127.0.0.1"],
    logger: { info: () => undefined, debug: () => undefined, warn, error: warn } as never,
    ...options,
  });
  ({ a, b } = world);
  provider.now = () => Math.floor(world.clock.now() / 1_000);
}

const get = (target: string, cookie?: string, headers: Record<string, string> = {}): Promise<Answer> =>
  world.send("GET", target, { headers: { "user-agent": "Browser 1.0", ...headers, ...(cookie ? { cookie } : {}) } });
const cookieIn = ({ headers }: Answer) => String(headers["set-cookie"]).split(";")[0] as string;
const claims = (more: JWTPayload = {}): JWTPayload => ({
  sub: "somebody there",
  org: a.tenantId,
  email: a.actors.operator.username,
  email_verified: true,
  ...more,
});

/** What a browser has after it was sent to the provider. */
async function setOut(query = "") {
  const answer = await get(START + query);
  expect(answer.status).toBe(303);
  return { location: String(answer.headers.location), cookie: cookieIn(answer) };
}
const comeBack = (query: URLSearchParams | string, cookie?: string) => get(`${CALLBACK}?${query}`, cookie);
/** A whole sign-in of somebody with these claims. */
async function signIn(more: JWTPayload = {}, query = ""): Promise<Answer> {
  const { location, cookie } = await setOut(query);
  return comeBack(provider.grant(location, claims(more)), cookie);
}
const refusal = (code: string) => `${HOME}?refused=${code}`;
const me = async (cookie: string) => get("/api/v1/me", cookie);

/** What is wrong with a token, and what the sign-in page says. */
const WRONG_TOKENS: readonly [string, JWTPayload | (() => JWTPayload), string][] = [
  ["the nonce of another sign-in", { nonce: "of another" }, "not_accepted"],
  ["no nonce", { nonce: undefined }, "not_accepted"],
  ["another audience", { aud: "another client" }, "not_accepted"],
  ["the audience of bearers", { aud: "https://reeve.example/api" }, "not_accepted"],
  ["several audiences and another party", { aud: ["reeve", "other"], azp: "other" }, "not_accepted"],
  ["another issuer", { iss: "https://evil.example" }, "not_accepted"],
  ["an end that has passed", () => ({ exp: provider.now() - 120 }), "not_accepted"],
  ["a life of more than a day", () => ({ exp: provider.now() + 86_401 }), "unknown"],
  ["an address that is not verified", { email_verified: false }, "unknown"],
  ["no word on whether the address is verified", { email_verified: undefined }, "unknown"],
  ["the tenant of somebody else", () => ({ org: b.tenantId }), "unknown"],
  ["an unknown tenant", { org: "none-of-these" }, "unknown"],
  ["the platform's own tenant", { org: "platform" }, "unknown"],
  ["a name that no account has", { email: "nobody@elsewhere.example" }, "unknown"],
];

describe("a sign-in by an OpenID provider", () => {
  beforeEach(() => setUp());

  it("makes a browser session of the linked user, and leads to the page that was wanted", async () => {
    const answer = await signIn({ auth_time: provider.now() - 30 }, "?return=/inbox%3Fkind%3Dreview");
    expect([answer.status, answer.headers.location]).toEqual([303, `${HOME}inbox?kind=review`]);
    const cookie = cookieIn(answer);
    expect(cookie).toMatch(/^__Host-reeve_session=reeve_bs_/);
    expect((await me(cookie)).json).toMatchObject({ id: a.actors.operator.userId, roles: ["operator"] });
    const { items } = (await get("/api/v1/auth/sessions", cookie)).json;
    expect(items).toMatchObject([{ current: true, issuer: provider.url, factor: null, userAgent: "Browser 1.0" }]);
    const events = await a.send("GET", "/api/v1/ai/activity?size=5", { token: a.owner.token });
    const event = events.json.items.find(({ type }: { type: string }) => type.includes("user.signed_in"));
    expect(event).toMatchObject({
      subject: a.actors.operator.userId,
      data: { tokenId: items[0].id, issuer: provider.url, subject: "somebody there", roles: null, factor: null },
    });
    const left = await world.send("DELETE", "/api/v1/auth/sessions/current", { headers: { cookie, ...page } });
    expect([left.status, (await me(cookie)).status]).toEqual([204, 401]);
  });

  it("asks for the code flow with PKCE, a state and a nonce, kept in a sealed cookie for ten minutes", async () => {
    const answer = await get(START);
    const url = new URL(String(answer.headers.location));
    const asked = Object.fromEntries(url.searchParams);
    expect(url.origin + url.pathname).toBe(`${provider.url}/authorize`);
    expect(asked).toMatchObject({
      ...{ client_id: "reeve", response_type: "code", scope: "openid email profile", code_challenge_method: "S256" },
      redirect_uri: `https://reeve.example${CALLBACK}`,
    });
    const cookie = String(answer.headers["set-cookie"]);
    expect(cookie).toMatch(/^__Host-reeve_openid=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=600$/);
    expect(cookie).not.toContain(asked.state);
    expect(url.searchParams.has("max_age")).toBe(false);
    expect(new URL((await setOut("?again=true")).location).searchParams.get("max_age")).toBe("0");
  });

  it("shows the secret of the client to the provider alone", async () => {
    await signIn();
    const basic = Buffer.from("reeve:a+secret+of+a+test").toString("base64");
    expect(provider.shown).toEqual([`Basic ${basic}`]);
    const config = await get("/console/config.json");
    expect(config.json.signIn.openid).toEqual([{ name: "acme", label: "Acme" }]);
    expect(`${config.text}${JSON.stringify(logged)}`).not.toContain("a secret");
  });

  it("counts for the browser that set out, alone", async () => {
    const [mine, other] = [await setOut(), await setOut()];
    const query = provider.grant(mine.location, claims());
    expect((await comeBack(query)).headers.location).toBe(refusal("expired"));
    expect((await comeBack(query, other.cookie)).headers.location).toBe(refusal("expired"));
    expect((await comeBack(query, `${mine.cookie}; ${mine.cookie}`)).headers.location).toBe(refusal("expired"));
    expect((await comeBack(query, mine.cookie.slice(0, -2))).headers.location).toBe(refusal("expired"));
    expect((await comeBack(query, mine.cookie)).headers.location).toBe(HOME);
  });

  it("counts once, of several at once too", async () => {
    const { location, cookie } = await setOut();
    const query = provider.grant(location, claims());
    const answers = await Promise.all([1, 2, 3, 4].map(() => comeBack(query, cookie)));
    const places = answers.map(({ headers }) => headers.location).sort();
    expect(places).toEqual([HOME, ...Array(3).fill(refusal("expired"))]);
    expect((await comeBack(query, cookie)).headers.location).toBe(refusal("expired"));
    expect((await get("/api/v1/auth/sessions", cookieIn(answers.find(isIn) as Answer))).json.totalItems).toBe(1);
  });

  it("counts for ten minutes", async () => {
    const { location, cookie } = await setOut();
    world.clock.advance(10 * MINUTE);
    expect((await comeBack(provider.grant(location, claims()), cookie)).headers.location).toBe(refusal("expired"));
  });

  it.each(WRONG_TOKENS)("refuses a token with %s", async (_what, wrong, code) => {
    const answer = await signIn(typeof wrong === "function" ? wrong() : wrong);
    expect(answer.headers.location).toBe(refusal(code));
    expect(String(answer.headers["set-cookie"])).toMatch(/^__Host-reeve_openid=;.*Max-Age=0$/);
    expect(logged).toMatchObject([{ provider: "acme", refused: code }]);
  });

  it("refuses the answer of another provider, and one that names none", async () => {
    for (const iss of ["https://evil.example", undefined]) {
      const { location, cookie } = await setOut();
      const query = provider.grant(location, claims());
      if (iss === undefined) query.delete("iss");
      else query.set("iss", iss);
      expect((await comeBack(query, cookie)).headers.location).toBe(refusal("not_accepted"));
    }
    expect(provider.shown).toEqual([]);
  });

  it("refuses a code of another sign-in, because the verifier is not its own", async () => {
    const [mine, other] = [await setOut(), await setOut()];
    const query = provider.grant(other.location, claims());
    query.set("state", new URL(mine.location).searchParams.get("state") ?? "");
    expect((await comeBack(query, mine.cookie)).headers.location).toBe(refusal("not_accepted"));
  });

  it("says that the provider or the person refused, without the provider's words", async () => {
    const { location, cookie } = await setOut();
    const state = new URL(location).searchParams.get("state") ?? "";
    const said = { error: "access_denied", error_description: "<b>no</b>", state, iss: provider.url };
    const answer = await comeBack(new URLSearchParams(said), cookie);
    expect(answer.headers.location).toBe(refusal("denied"));
    expect(JSON.stringify([answer.headers, logged])).not.toContain("<b>");
  });

  it.each([500, "silent"] as const)(
    "says that the provider is out of reach: %s",
    { timeout: 30_000 },
    async (fault) => {
      const { location, cookie } = await setOut();
      provider.fault = fault;
      const answer = await comeBack(provider.grant(location, claims()), cookie);
      expect(answer.headers.location).toBe(refusal("unreachable"));
      world.clock.advance(11 * MINUTE);
      expect((await get(START)).headers.location).toBe(refusal("unreachable"));
      provider.fault = undefined;
      expect((await get(START)).headers.location).toBe(refusal("unreachable"));
      world.clock.advance(6_000);
      expect((await get(START)).headers.location).toContain("/authorize?");
    },
  );

  it.each([
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "javascript:alert(1)",
    "../../elsewhere",
    "/..%2f..%2f",
    "%0d%0aset-cookie: a=b",
  ])("leads nowhere but into the console: %s", async (place) => {
    const answer = await signIn({}, `?return=${encodeURIComponent(place)}`);
    expect(answer.status).toBe(303);
    expect(answer.headers.location?.startsWith(HOME)).toBe(true);
    expect(answer.headers.location).not.toMatch(/[\r\n]/);
  });

  it("sets out from pages of Reeve only", async () => {
    const from = async (headers: Record<string, string>) => (await get(START, undefined, headers)).headers.location;
    expect(await from({ "sec-fetch-site": "cross-site" })).toBe(HOME);
    expect(await from({ "sec-fetch-site": "same-site" })).toBe(HOME);
    expect(await from({ origin: "https://evil.example" })).toBe(HOME);
    expect(await from({ "sec-fetch-site": "same-origin" })).toContain("/authorize?");
    expect(await from({ "sec-fetch-site": "none" })).toContain("/authorize?");
  });

  it("knows its providers, and says in plain words what it refuses before it begins", async () => {
    expect((await get("/api/v1/auth/openid/other/start")).json.code).toBe("not_found");
    const asked = await get("/api/v1/auth/openid/other/start", undefined, { accept: "text/html" });
    expect([asked.status, asked.headers["content-type"]]).toEqual([404, "text/plain; charset=utf-8"]);
    const { send } = createPlane();
    expect((await send("GET", START)).json.code).toBe("not_configured");
  });

  it("ends with the password, the account and the tenant of its person", async () => {
    const { userId } = a.actors.operator;
    const { token } = a.owner;
    const cookie = cookieIn(await signIn());
    expect((await me(cookie)).status).toBe(200);
    const change = (status: string) =>
      world.send("PATCH", `/api/v1/users/${userId}`, { token, body: { status, reason: "because a test wants it" } });
    expect((await change("disabled")).status).toBe(200);
    expect((await me(cookie)).status).toBe(401);
    expect((await signIn()).headers.location).toBe(refusal("unknown"));
    expect((await change("active")).status).toBe(200);
    const again = cookieIn(await signIn());
    expect((await me(again)).status).toBe(200);
    await suspend(world, a.tenantId);
    expect((await me(again)).status).not.toBe(200);
    expect((await signIn()).headers.location).toBe(refusal("suspended"));
  });

  it("ends when the issuer is trusted no more", async () => {
    const cookie = cookieIn(await signIn({ auth_time: provider.now() }));
    const later = createPlane({ store: world.store, ids: world.ids, clock: world.clock });
    const asked = await later.send("GET", "/api/v1/me", { headers: { cookie } });
    expect([(await me(cookie)).status, asked.status]).toEqual([200, 401]);
  });

  it("is good for what it says, and no bearer", async () => {
    const cookie = cookieIn(await signIn());
    const [, secret] = cookie.split("=") as [string, string];
    expect((await world.send("GET", "/api/v1/me", { token: secret })).status).toBe(401);
    const asset = { name: a.unique(), assetType: "agent" };
    const make = (headers: object) =>
      world.send("POST", "/api/v1/ai-assets", { headers: { cookie, ...headers }, body: asset });
    expect([(await make({})).status, (await make(page)).status]).toEqual([403, 201]);
  });
});

const isIn = ({ headers }: Answer) => headers.location === HOME;

describe("people whom only the provider knows", () => {
  beforeEach(() => setUp({ trusted: { rolesClaim: "groups", roleMap: { Auditors: ["auditor"] } } }));
  const stranger = { sub: "a stranger", email: "stranger@elsewhere.example", groups: ["Auditors", "Others"] };

  it("have the roles of the sign-in, on the record, until it ends", async () => {
    const cookie = cookieIn(await signIn(stranger));
    const { json } = await me(cookie);
    expect(json).toMatchObject({ username: stranger.email, roles: ["auditor"] });
    const events = await a.send("GET", "/api/v1/ai/activity?size=5", { token: a.owner.token });
    const event = events.json.items.find(({ type }: { type: string }) => type.includes("user.signed_in"));
    expect(event).toMatchObject({ subject: json.id, data: { subject: "a stranger", roles: stranger.groups } });
    expect((await get("/api/v1/auth/sessions", cookie)).json.totalItems).toBe(1);
    const own = await world.send("DELETE", "/api/v1/auth/sessions/current", { headers: { cookie, ...page } });
    expect([own.status, (await me(cookie)).status]).toEqual([204, 401]);
  });

  it("come again once they have an account, which may be disabled", async () => {
    const cookie = cookieIn(await signIn(stranger));
    const body = { username: stranger.email, password: `a long phrase ${a.unique()}`, roles: ["member"] };
    const made = await world.send("POST", "/api/v1/users", { token: a.owner.token, body });
    expect(made.status).toBe(201);
    expect((await me(cookie)).status).toBe(401);
    expect((await me(cookieIn(await signIn(stranger)))).json).toMatchObject({ id: made.json.id, roles: ["auditor"] });
    const off = { status: "disabled", reason: "because a test wants it" };
    await world.send("PATCH", `/api/v1/users/${made.json.id}`, { token: a.owner.token, body: off });
    expect((await signIn(stranger)).headers.location).toBe(refusal("unknown"));
  });
});

describe("claims that the ID token lacks", () => {
  beforeEach(() => setUp());

  it("are asked for, and those of the token count", async () => {
    provider.userInfo = {
      sub: "somebody there",
      email: a.actors.operator.username,
      email_verified: true,
      org: b.tenantId,
    };
    const cookie = cookieIn(await signIn({ email: undefined, email_verified: undefined }));
    expect((await me(cookie)).json).toMatchObject({ id: a.actors.operator.userId });
  });

  it("are refused of another subject", async () => {
    provider.userInfo = { sub: "somebody else", email: a.actors.operator.username, email_verified: true };
    const answer = await signIn({ email: undefined, email_verified: undefined });
    expect(answer.headers.location).toBe(refusal("not_accepted"));
  });
});

describe("a second factor at the provider", () => {
  const demand = async () => {
    const { token } = a.owner;
    const body = { secondFactor: "required" };
    expect((await world.send("PATCH", "/api/v1/tenant/settings", { token, body })).status).toBe(200);
    world.clock.advance(6_000);
  };

  it("is proven where the provider says so, and is asked for where a tenant demands one", async () => {
    await setUp();
    const before = cookieIn(await signIn());
    await demand();
    expect((await me(before)).status).toBe(401);
    expect((await signIn()).headers.location).toBe(refusal("second_factor"));
    expect((await signIn({ amr: ["pwd", "otp"] })).headers.location).toBe(refusal("second_factor"));
    expect((await signIn({ amr: "mfa" })).headers.location).toBe(refusal("second_factor"));
    const cookie = cookieIn(await signIn({ amr: ["pwd", "mfa"] }));
    const { items } = (await get("/api/v1/auth/sessions", cookie)).json;
    expect(items.map(({ factor }: { factor: string | null }) => factor)).toEqual(["issuer", null]);
  });

  it("is told by what the settings name", async () => {
    await setUp({ settings: { secondFactor: { acr: ["urn:acme:two"] } } });
    await demand();
    expect((await signIn({ amr: ["mfa"] })).headers.location).toBe(refusal("second_factor"));
    expect((await signIn({ acr: "urn:acme:two" })).headers.location).toBe(HOME);
  });
});
