import { randomBytes } from "node:crypto";
import { openidSignIn } from "@reeve/openid";
import {
  type Answer,
  codeIn,
  createPlane,
  createProvider,
  createScene,
  linkTokenIn,
  type Sending,
} from "@reeve/testkit";
import { expect, it } from "vitest";
import { collections } from "#reference/index.js";
import type { Writer } from "#store/index.js";
import { PLATFORM_TENANT } from "#testing/index.js";
import type { Logger, Store } from "../../src/index.js";
import { eventsOf } from "../helpers/facts.js";
import { ScriptedProvider } from "../helpers/openid-provider.js";
import { emptyStore } from "../helpers/stores.js";

const REASON = "a reason of more than ten characters";

/** Secrets that must appear nowhere, by name. A secret that is shown once has the response that may contain it. */
class Secrets {
  readonly planted = new Map<string, string>();
  readonly shown = new Map<string, Answer>();

  /** Registers a secret of the caller or of the service. */
  plant(what: string, secret: string, shownIn?: Answer): string {
    if (this.planted.has(what)) throw new Error(`"${what}" is planted already`);
    this.planted.set(what, secret);
    if (shownIn) this.shown.set(what, shownIn);
    return secret;
  }

  /** A unique password. */
  password(what: string): string {
    return this.plant(what, `zqcanary ${what} ${randomBytes(6).toString("hex")}`);
  }

  /** The names of the secrets in a text, also in their URL and JSON encodings. */
  foundIn(text: string, from?: Answer): string[] {
    return [...this.planted]
      .filter(([what]) => from === undefined || this.shown.get(what) !== from)
      .filter(([, secret]) =>
        [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)].some((form) => text.includes(form)),
      )
      .map(([what]) => what);
  }
}

/** A logger that stores every record, with the stacks and causes of errors. */
function keepingLogger() {
  const records: string[] = [];
  const keep = (fields: Record<string, unknown>, message: string) => {
    const plain = (_key: string, value: unknown) =>
      value instanceof Error
        ? { name: value.name, message: value.message, stack: value.stack, cause: value.cause }
        : value;
    records.push(JSON.stringify([message, fields], plain));
  };
  const logger: Logger = { info: keep, warn: keep, error: keep };
  return { records, logger };
}

/** A store whose reads of single records fail while `fault` has a message. */
function failing(store: Store, fault: { readonly message?: string }): Store {
  const reader = (inner: Writer): Writer =>
    new Proxy(inner, {
      get(target, name) {
        if (name === "get" && fault.message) return () => Promise.reject(new Error(fault.message));
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  return new Proxy(store, {
    get(target, name) {
      if (name === "forTenant") return (tenantId: string) => reader(target.forTenant(tenantId));
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** All records and events of the store, as text. */
async function contentOf(store: Store, tenants: readonly string[]): Promise<string> {
  const parts: string[] = [];
  for (const tenantId of tenants) {
    for (const collection of collections)
      for (const row of await store.forTenant(tenantId).scan(collection, { size: 1_000 })) parts.push(row.text);
    parts.push(JSON.stringify(await eventsOf({ store, tenantId })));
  }
  return parts.join("\n");
}

it("shows none of forty planted secrets in any answer, log, event, record or error", async () => {
  const secrets = new Secrets();
  const { records, logger } = keepingLogger();
  const fault: { message?: string } = {};
  const store = failing(await emptyStore(), fault);
  const masterKey = randomBytes(32);
  secrets.plant("master key (base64)", masterKey.toString("base64"));
  secrets.plant("master key (hex)", masterKey.toString("hex"));
  const issuer = await ScriptedProvider.start();
  const clientSecret = secrets.password("client secret at an OpenID provider");
  const plane = createPlane({
    ...{ store, logger, masterKey, registration: "open", sqlConsole: true, egressAllow: ["127.0.0.1"] },
    trustedIssuers: [
      { issuer: issuer.url, audience: "https://reeve.example/api", tenantClaim: "org", usernameClaim: "email" },
    ],
    openid: openidSignIn([{ name: "acme", label: "Acme", issuer: issuer.url, clientId: "reeve", clientSecret }]),
  });
  const answers: Answer[] = [];
  const send = async (method: string, target: string, sending: Sending = {}) => {
    const answer = await plane.send(method, target, { remoteAddress: `client ${answers.length}`, ...sending });
    answers.push(answer);
    return answer;
  };
  const post = (path: string, body: object, token?: string, headers = {}) =>
    send("POST", `/api/v1${path}`, { body, token, headers });

  const provider = await createProvider(plane);
  const scene = await createScene(plane, "zqalpha", provider);
  const tenants = [PLATFORM_TENANT, provider.tenantId, scene.tenantId];
  for (const [role, { password, token, refreshToken }] of Object.entries({ ...provider.actors, ...scene.actors })) {
    secrets.plant(`password of ${role}`, password);
    secrets.plant(`token of ${role}`, token);
    secrets.plant(`refresh token of ${role}`, refreshToken);
  }
  const owner = scene.owner.token;

  // Passwords: correct, wrong, weak, misplaced, and during a change.
  const password = secrets.password("password of a new user");
  const { username } = (await post("/users", { username: "ada@example.test", password, roles: ["member"] }, owner))
    .json;
  const signedIn = await post("/auth/signin", { username, password });
  const token = secrets.plant("token of a new user", signedIn.json.token, signedIn);
  const refresh_token = secrets.plant("refresh token of a new user", signedIn.json.refreshToken, signedIn);
  const refreshed = await post("/auth/token", { grant_type: "refresh_token", refresh_token });
  secrets.plant("refreshed token", refreshed.json.access_token, refreshed);
  secrets.plant("next refresh token", refreshed.json.refresh_token, refreshed);
  await post("/auth/signin", { username, password: secrets.password("wrong password") });
  await post("/auth/signin", { username: secrets.password("password typed as user name"), password: "x" });
  await post("/auth/signin", { username, password: secrets.password("password beside an unknown property"), extra: 1 });
  await post("/register", {
    organization: "Weak",
    username: "weak@example.test",
    password: secrets.plant("weak password", "zqweak1"),
  });
  await post("/users", { username: "not an address", password: secrets.password("password of a refused user") }, owner);
  await send("POST", "/api/v1/auth/signin", {
    bytes: `{"password":"${secrets.password("password in broken JSON")}`,
    headers: { "content-type": "application/json" },
  });
  await send("POST", "/api/v1/auth/signin", {
    bytes: secrets.password("password as text"),
    headers: { "content-type": "text/plain" },
  });
  const newPassword = secrets.password("password after a change");
  await post(
    "/auth/reset-password",
    { currentPassword: secrets.password("wrong current password"), newPassword },
    token,
  );
  await post("/auth/reset-password", { currentPassword: password, newPassword }, token);

  // Tokens in wrong places.
  const stray = secrets.plant("token in a query", `zqcanary${randomBytes(12).toString("hex")}`);
  await send("GET", `/api/v1/ai-assets?access_token=${stray}`, { token: owner });
  await send(
    "GET",
    `/api/v1/ai-assets/${secrets.plant("secret in a path", `zqpath${randomBytes(8).toString("hex")}`)}`,
  );
  await send("GET", "/api/v1/ai-assets", { token: secrets.plant("forged token", `${owner.slice(0, -8)}AAAAAAAA`) });
  await send("GET", "/api/v1/ai-assets", {
    headers: {
      authorization: `Basic ${secrets.plant("basic credentials", Buffer.from("zq:canary").toString("base64"))}`,
    },
  });
  await send("GET", "/api/v1/ai-assets", {
    token: owner,
    headers: { cookie: `session=${secrets.plant("cookie", "zqcanarycookie")}` },
  });
  await post("/ai-assets", { name: "kept" }, owner, {
    "idempotency-key": secrets.plant("idempotency key", "zqcanary-idempotency-key"),
  });

  // Codes and links, which appear in mails only.
  const email = "grace@example.test";
  await post("/email/send-otp", { email });
  const otp = secrets.plant("one-time code", codeIn(await plane.mailbox.next(email)));
  await post("/email/verify-otp", {
    email,
    otp: secrets.plant("wrong one-time code", otp === "73519264" ? "73519265" : "73519264"),
  });
  const proven = await post("/email/verify-otp", { email, otp });
  secrets.plant("proof of an address", proven.json.verificationToken, proven);
  await post("/users", { username: "guest@example.test", roles: [] }, owner);
  const invitation = secrets.plant("invitation", linkTokenIn(await plane.mailbox.next("guest@example.test")));
  await post("/auth/set-password", {
    token: secrets.plant("wrong link", `${invitation.slice(0, -4)}zzzz`),
    newPassword: "a pass phrase nobody has",
  });
  await post("/auth/set-password", { token: invitation, newPassword: secrets.password("password of a guest") });
  const reset = await post(
    `/support/users/${signedIn.json.user.id}/reset-password`,
    { reason: REASON },
    provider.owner.token,
  );
  expect(reset.status).toBe(200);
  secrets.plant("reset link", linkTokenIn(await plane.mailbox.next(username)));

  // Machine clients.
  const identity = await scene.newIdentity();
  const issued = await post(`/ai/identities/${identity}/credentials`, { name: "first" }, owner, {
    "idempotency-key": "issue-1",
  });
  secrets.plant("client secret", issued.json.clientSecret, issued);
  const rotated = await post(`/ai/identities/${identity}/credentials/${issued.json.id}/rotate`, {}, owner);
  secrets.plant("rotated client secret", rotated.json.clientSecret, rotated);
  await post(`/ai/identities/${identity}/credentials`, { name: "first" }, owner, { "idempotency-key": "issue-1" });

  const client = { grant_type: "client_credentials", client_id: identity };
  const given = await post("/auth/token", { ...client, client_secret: issued.json.clientSecret });
  secrets.plant("token of a machine", given.json.access_token, given);
  await post("/auth/token", { ...client, client_secret: secrets.password("wrong client secret") });
  await post("/auth/token", { ...client, client_assertion: secrets.password("assertion without a type") });
  const exchange = { grant_type: "urn:ietf:params:oauth:grant-type:token-exchange" };
  const type = { subject_token_type: "urn:ietf:params:oauth:token-type:jwt" };
  await post("/auth/token", { ...exchange, ...type, subject_token: secrets.password("token of a foreign issuer") });
  await post("/auth/introspect", { token: given.json.access_token }, owner);
  await post("/auth/revoke", { token: given.json.access_token });
  await post("/auth/token", { grant_type: "refresh_token", refresh_token });

  // Browsers, by password and by a provider: once as it should be, and once with a code of nobody.
  const page = { "x-reeve-page": "1" };
  const cookieOf = (answer: Answer) => /=([^;]*);/.exec(String(answer.headers["set-cookie"]))?.[1] ?? "";
  const { username: officer, password: itsPassword } = scene.actors.governance_officer;
  const browser = await post("/auth/sessions", { username: officer, password: itsPassword }, undefined, page);
  secrets.plant("cookie of a browser", cookieOf(browser), browser);
  issuer.now = () => Math.floor(plane.clock.now() / 1_000);
  const out = await send("GET", "/api/v1/auth/openid/acme/start");
  const attempt = secrets.plant("sign-in on its way", cookieOf(out), out);
  const address = String(out.headers.location);
  secrets.plant("state of a sign-in", new URL(address).searchParams.get("state") ?? "", out);
  const granted = issuer.grant(address, {
    ...{ sub: "zq", org: scene.tenantId, email: scene.actors.operator.username, email_verified: true },
  });
  secrets.plant("code of a provider", granted.get("code") ?? "");
  const cookie = `__Host-reeve_openid=${attempt}`;
  const arrived = await send("GET", `/api/v1/auth/openid/callback?${granted}`, { headers: { cookie } });
  expect(cookieOf(arrived)).toMatch(/^reeve_bs_/);
  secrets.plant("cookie of a browser from a provider", cookieOf(arrived), arrived);
  const again = await send("GET", "/api/v1/auth/openid/acme/start");
  const wrong = new URLSearchParams(issuer.grant(String(again.headers.location), {}));
  wrong.set("code", secrets.plant("wrong code of a provider", "zqcanary-wrong-code"));
  const other = `__Host-reeve_openid=${secrets.plant("second sign-in on its way", cookieOf(again), again)}`;
  await send("GET", `/api/v1/auth/openid/callback?${wrong}`, { headers: { cookie: other } });

  // MCP servers.
  const secret = secrets.password("secret of an MCP server");
  const server = { url: "https://mcp.example/", auth: { type: "bearer", secret } };
  const registered = await post("/ai/mcp-servers", server, owner, { "idempotency-key": "register-1" });
  await send("PUT", `/api/v1/ai/mcp-servers/${registered.json.id}`, {
    token: owner,
    body: {
      configuration: { auth: { type: "header", headerName: "x-key", secret: secrets.password("another secret") } },
    },
  });
  await post(
    "/ai/mcp-servers",
    { ...server, auth: { type: "nothing", secret: secrets.password("refused secret") } },
    owner,
  );

  // Statements of the provider.
  const statement = `select '${secrets.plant("literal in a statement", "zqcanaryliteral")}' as no_such from nowhere`;
  await post("/support/sql", { configuration: { statement }, reason: REASON }, provider.owner.token);

  // A store whose errors contain secrets.
  const said = secrets.plant("connection string in a failure", "postgres://app:zqcanary-db-password@db.example/reeve");
  fault.message = `${said} refused the token ${owner}`;
  await send("GET", "/api/v1/ai-assets/ast_01JD3Z6T5W8Y9X7V4R2Q1P0N6M", { token: owner });
  expect(records.at(-1)).toContain("postgres://app:***@db.example/reeve refused the token ***");

  expect(answers.at(-1)?.status).toBeGreaterThanOrEqual(500);

  expect(secrets.planted.size).toBeGreaterThanOrEqual(40);
  for (const [what, answer] of secrets.shown)
    expect(answer.text + JSON.stringify(answer.headers)).toContain(secrets.planted.get(what));
  expect(new Set(secrets.planted.values()).size).toBe(secrets.planted.size);
  for (const answer of answers) {
    expect(
      secrets.foundIn(answer.text + JSON.stringify(answer.headers), answer),
      `${answer.operationId} ${answer.status}`,
    ).toEqual([]);
  }
  expect(secrets.foundIn(records.join("\n"))).toEqual([]);
  expect(secrets.foundIn(await contentOf(store, tenants))).toEqual([]);
});
