import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Actor, createPlane, createProvider, createScene, linkTokenIn, type Scene, table } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { secondFactors } from "#families/identity/second-factors/schema.js";
import { STEP_MS, totpCode } from "#families/identity/second-factors/totp-codes.js";
import { effectOf } from "#kernel/operation/operation.js";

const sources = fileURLToPath(new URL("../../src/", import.meta.url));
const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter(
  // Sessions of agents are another thing.
  (name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.startsWith("families/sessions/"),
);
const using = (pattern: RegExp) => files.filter((name) => pattern.test(readFileSync(sources + name, "utf8"))).sort();

/** What signs people in, and who may use it. One more user is one more door, with a case of its own below. */
const INNER = {
  "a password, compared with the account's": {
    pattern: /\bprovePassword\(/,
    users: [
      "families/identity/sign-in/authenticate/passwords.ts",
      "families/identity/sign-in/authenticate/prove-person.ts",
    ],
  },
  "a session, for who has proven all that is demanded": {
    pattern: /\bstartSession\(/,
    users: [
      "families/apps/pages/operations.ts",
      "families/identity/sessions/start-session.ts",
      "families/identity/sign-in/operations.ts",
    ],
  },
  "a browser session, for the same": {
    pattern: /\bstartBrowserSession\(/,
    users: [
      "families/identity/sessions/browser/start-session.ts",
      "families/identity/sign-in/openid/operations.ts",
      "families/identity/sign-in/operations.ts",
    ],
  },
  "a signed access token": {
    pattern: /\.use\(tokens\)\s*\.issue\(/,
    users: [
      "families/identity/grants/issue/issue-to-client.ts",
      "families/identity/grants/issue/refresh.ts",
      "families/identity/sessions/start-session.ts",
    ],
  },
} as const;

describe("what signs people in", () => {
  it.each(Object.entries(INNER))("is used by its doors only: %s", (_what, { pattern, users }) => {
    expect(using(pattern)).toEqual(users);
  });
});

let plane: ReturnType<typeof createPlane>;
let scene: Scene;
let ada: Actor;
let secret: string;

const post = (path: string, body: object, token?: string) =>
  plane.send("POST", path, { body, remoteAddress: scene.unique(), ...(token ? { token } : {}) });
const byForm = (path: string, fields: Record<string, string>) =>
  plane.send("POST", path, {
    bytes: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html" },
    remoteAddress: scene.unique(),
  });
const named = () => ({ username: ada.username, password: ada.password });

beforeAll(async () => {
  plane = createPlane();
  scene = await createScene(plane, "doors", await createProvider(plane));
  ada = await scene.newUser(["member"]);
  const begun = await post("/api/v1/auth/factors/one-time-password", {}, ada.token);
  secret = begun.json.secret;
  const code = totpCode(secret, plane.clock.now());
  await post("/api/v1/auth/factors/one-time-password/confirm", { code }, ada.token);
  plane.clock.advance(STEP_MS);
});

/**
 * Every public operation that changes something. `refuses` tries to get in by the password alone, and returns whether it
 * was in vain. The others sign no person in, for the reason that is said.
 */
const DOORS: Readonly<Record<string, string | (() => Promise<boolean>)>> = {
  "auth.signIn": async () => (await post("/api/v1/auth/signin", named())).json.code === "second_factor_required",
  "browserSessions.create": async () => {
    const sent = { body: named(), headers: { "x-reeve-page": "1" }, remoteAddress: scene.unique() };
    const { json, headers } = await plane.send("POST", "/api/v1/auth/sessions", sent);
    return json.code === "second_factor_required" && !("set-cookie" in headers);
  },
  "saml.signIn": async () => !("set-cookie" in (await byForm("/saml/sign-in", named())).headers),
  "auth.token": async () => {
    // The sign-in that set the factor up, from before it was there.
    const body = { grant_type: "refresh_token", refresh_token: ada.refreshToken };
    return (await post("/api/v1/auth/token", body)).json.error === "invalid_grant";
  },
  "installations.enrol": "Signs nobody in: the credential is of an installation, and asks and reports only.",
  "auth.setPassword": async () => {
    const reset = await post(
      `/api/v1/support/users/${ada.userId}/reset-password`,
      { reason: "because a test wants it" },
      scene.provider.owner.token,
    );
    expect(reset.status).toBe(200);
    const token = linkTokenIn(await plane.mailbox.next(ada.username));
    const password = "a pass phrase by the mailed link";
    const { json } = await post("/api/v1/auth/set-password", { token, newPassword: password });
    expect(Object.keys(json)).toEqual(["username"]);
    ada = { ...ada, password };
    return (await post("/api/v1/auth/signin", named())).json.code === "second_factor_required";
  },
  "secondFactors.enrol": async () => {
    const { challenge } = (await post("/api/v1/auth/signin", named())).json;
    return (await post("/api/v1/auth/factors/enrolment", { challenge, method: "totp" })).json.code === "already_exists";
  },
  "openid.callback":
    "takes what a provider says, and no password; openid-sign-in.test.ts tells what of a second factor",
  "agentTools.list": "takes a token of one tool's session",
  "agentTools.execute": "takes a token of one tool's session",
  "auth.revoke": "ends tokens",
  "noticeMails.leave": "ends mails of a kind to whom the signed link was sent",
  "email.sendOtp": "mails a code that proves an address",
  "email.verifyOtp": "proves an address",
  "registration.register": "makes a new tenant with a new account",
};

describe("every public operation that changes something", () => {
  const open = table.filter((one) => one.access === "public" && effectOf(one) !== "read").map(({ id }) => id);

  it("is listed here", () => {
    const others = open.filter((id) => !(id in DOORS));
    // Pages of sign-on act for who is signed in by their cookie already.
    expect(others.filter((id) => !/^(?:saml|slo|samlLogout)\./.test(id))).toEqual([]);
    expect(Object.keys(DOORS).filter((id) => !(open as string[]).includes(id))).toEqual([]);
  });

  it.each(Object.entries(DOORS).flatMap(([id, door]) => (typeof door === "string" ? [] : [[id, door] as const])))(
    "lets nobody in by the password alone who has a second factor: %s",
    async (_id, refuses) => {
      expect(await refuses()).toBe(true);
    },
  );
});

it("are among the records of which the SQL console shows only ids and times", () => {
  expect(secondFactors.secrets).toBeUndefined();
  expect(secondFactors.resource).toBeUndefined();
});
