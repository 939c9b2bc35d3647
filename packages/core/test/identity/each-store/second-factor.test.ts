import { type Actor, type Answer, createPlane, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { secondFactors } from "#families/identity/second-factors/schema.js";
import { STEP_MS, totpCode } from "#families/identity/second-factors/totp-codes.js";
import { eventTypes } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const FACTORS = "/api/v1/auth/factors";
const SIGN_IN = "/api/v1/auth/signin";

let world: World;
let ada: Actor;
beforeEach(async () => {
  world = await createWorld();
  ada = await world.a.newUser(["member"]);
});

const post = (path: string, body: object, token?: string, remoteAddress = world.a.unique()): Promise<Answer> =>
  world.send("POST", path, { body, remoteAddress, ...(token === undefined ? {} : { token }) });
const password = (who = ada) => post(SIGN_IN, { username: who.username, password: who.password });
const codeOf = (secret: string) => totpCode(secret, world.clock.now());
const settle = (secondFactor: string | null) =>
  world.send("PATCH", "/api/v1/tenant/settings", { token: world.a.owner.token, body: { secondFactor } });

const prove = (body: object, token = ada.token) => post(`${FACTORS}/proof`, body, token);

/** Sets up an app for somebody. Returns its secret, and the recovery codes. */
async function setUp(who = ada): Promise<{ secret: string; recoveryCodes: string[] }> {
  const begun = await post(`${FACTORS}/one-time-password`, {}, who.token);
  expect(begun.status).toBe(201);
  const { secret } = begun.json;
  const confirmed = await post(`${FACTORS}/one-time-password/confirm`, { code: codeOf(secret) }, who.token);
  expect(confirmed.status).toBe(200);
  world.clock.advance(STEP_MS);
  return { secret, recoveryCodes: confirmed.json.recoveryCodes };
}

/** The challenge of a sign-in by password. */
async function challenged(who = ada): Promise<string> {
  const asked = await password(who);
  expect([asked.status, asked.json.code]).toEqual([401, "second_factor_required"]);
  return asked.json.challenge;
}

describe("a person with an app for one-time passwords", () => {
  it("signs in by password and code, and by both at once", async () => {
    const { secret } = await setUp();
    const asked = await password();
    expect(asked.json).toMatchObject({ code: "second_factor_required", methods: ["totp", "recovery_code"], enrol: [] });
    expect(asked.json).not.toHaveProperty("token");
    const signedIn = await post(SIGN_IN, { challenge: asked.json.challenge, code: codeOf(secret) });
    expect(signedIn.status).toBe(200);
    expect((await world.send("GET", "/api/v1/me", { token: signedIn.json.token })).status).toBe(200);
    world.clock.advance(STEP_MS);
    const { username } = ada;
    expect((await post(SIGN_IN, { username, password: ada.password, code: codeOf(secret) })).status).toBe(200);
  });

  it("is taken by no wrong code, none of another person and none of before, and a code counts once", async () => {
    const { secret } = await setUp();
    const bob = await world.a.newUser(["member"]);
    const other = await setUp(bob);
    const challenge = await challenged();
    const right = codeOf(secret);
    const wrong = right === "000000" ? "000001" : "000000";
    for (const code of [wrong, codeOf(other.secret), totpCode(secret, world.clock.now() - 5 * STEP_MS), "", "abcdef"]) {
      const refused = await post(SIGN_IN, { challenge, code });
      expect([code, refused.status, refused.json.code]).toEqual([code, 400, "invalid_otp"]);
    }
    expect((await post(SIGN_IN, { challenge, code: right })).status).toBe(200);
    expect((await post(SIGN_IN, { challenge: await challenged(), code: right })).json.code).toBe("invalid_otp");
  });

  it("gets in once by a code that is sent twenty times at once", async () => {
    const { secret } = await setUp();
    const challenge = await challenged();
    const code = codeOf(secret);
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(SIGN_IN, { challenge, code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ json }) => json.code === "invalid_otp")).toHaveLength(19);
  });

  it("gets in by each recovery code once, however it is typed", async () => {
    const { recoveryCodes } = await setUp();
    expect(new Set(recoveryCodes).size).toBe(10);
    const [first = "", second = ""] = recoveryCodes;
    const by = async (recoveryCode: string) =>
      (await post(SIGN_IN, { challenge: await challenged(), recoveryCode })).status;
    expect(await by(` ${first.toUpperCase().replace("-", " ")}`)).toBe(200);
    expect([await by(first), await by("aaaaa-aaaaa"), await by(second)]).toEqual([400, 400, 200]);
    const { token } = await signedInBy(recoveryCodes[2] ?? "");
    const { json } = await world.send("GET", FACTORS, { token });
    expect(json.recoveryCodes).toMatchObject({ left: 7 });
    const renewed = await post(`${FACTORS}/recovery-codes`, {}, token);
    expect(renewed.json.recoveryCodes).toHaveLength(10);
    expect(await by(recoveryCodes[3] ?? "")).toBe(400);
    expect(await by(renewed.json.recoveryCodes[0])).toBe(200);
  });

  const signedInBy = async (recoveryCode: string) =>
    (await post(SIGN_IN, { challenge: await challenged(), recoveryCode })).json as { token: string };

  it("is guessed at ten times from an address, and a hundred times in all", async () => {
    const { secret } = await setUp();
    const challenge = await challenged();
    const guess = (address: string) => post(SIGN_IN, { challenge, code: "" }, undefined, address);
    const answers = [];
    for (let at = 0; at < 11; at += 1) answers.push((await guess("192.0.2.1")).status);
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
    for (let at = 0; at < 90; at += 1) expect((await guess(`198.51.100.${at}`)).status).toBe(400);
    const code = codeOf(secret);
    expect((await post(SIGN_IN, { challenge, code }, undefined, "203.0.113.9")).status).toBe(429);
  });

  it("loses every sign-in from before but the one that set it up", async () => {
    const before = await password();
    await setUp();
    expect((await world.send("GET", "/api/v1/me", { token: before.json.token })).status).toBe(401);
    expect((await world.send("GET", "/api/v1/me", { token: ada.token })).status).toBe(200);
  });

  it("may replace it without a gap, and remove it with its recovery codes", async () => {
    const first = await setUp();
    const kept = await post(`${FACTORS}/one-time-password`, {}, ada.token);
    expect([kept.status, kept.json.code]).toEqual([403, "step_up_required"]);
    expect((await prove({ code: codeOf(first.secret) })).status).toBe(200);
    world.clock.advance(STEP_MS);
    const second = await setUp();
    expect(second.recoveryCodes).toBeUndefined();
    const by = async (code: string) => (await post(SIGN_IN, { challenge: await challenged(), code })).status;
    expect([await by(codeOf(first.secret)), await by(codeOf(second.secret))]).toEqual([400, 200]);
    const remove = () => world.send("DELETE", `${FACTORS}/one-time-password`, { token: ada.token });
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    expect((await password()).status).toBe(200);
    const { json } = await world.send("GET", FACTORS, { token: ada.token });
    expect(json).toEqual({ required: false, oneTimePassword: null, passkeys: [], recoveryCodes: null });
  });

  it("leaves a trail", async () => {
    const { secret } = await setUp();
    await post(SIGN_IN, { challenge: await challenged(), code: "" });
    await post(SIGN_IN, { challenge: await challenged(), code: codeOf(secret) });
    await new Promise((resolve) => setImmediate(resolve));
    const types = await eventTypes(world.a);
    for (const type of ["user.second_factor_changed", "user.sign_in_failed", "user.signed_in"])
      expect(types.some((one) => one.includes(type))).toBe(true);
  });
});

describe("an account that is removed", () => {
  it("leaves no factor behind", async () => {
    await setUp();
    const stored = () => world.store.forTenant(world.a.tenantId).scan(secondFactors, { size: 10 });
    expect((await stored()).length).toBe(2);
    await world.send("DELETE", `/api/v1/users/${ada.userId}`, { token: world.a.owner.token });
    expect(await stored()).toEqual([]);
  });
});

describe("a challenge", () => {
  it("ends with its time, with a new password, with the account, and is nothing that somebody else can make", async () => {
    const { secret } = await setUp();
    const late = await challenged();
    world.clock.advance(5 * 60_000);
    const answer = (challenge: string) => post(SIGN_IN, { challenge, code: codeOf(secret) });
    expect((await answer(late)).json.code).toBe("invalid_credentials");
    for (const forged of ["x", `${late.slice(0, -2)}AA`, ada.token])
      expect((await answer(forged)).json.code).toBe("invalid_credentials");
    const challenge = await challenged();
    const body = { currentPassword: ada.password, newPassword: "entirely another phrase of hers" };
    expect((await post("/api/v1/auth/reset-password", body, ada.token)).status).toBe(200);
    expect((await answer(challenge)).json.code).toBe("invalid_credentials");
  });
});

describe("a tenant that demands a second factor", () => {
  it("lets a person set one up with the challenge in hand, and in no other way", async () => {
    expect((await settle("required")).status).toBe(200);
    const asked = await password();
    expect(asked.json).toMatchObject({ code: "second_factor_required", methods: [], enrol: ["totp", "passkey"] });
    const { challenge } = asked.json;
    expect((await post(SIGN_IN, { challenge, code: "123456" })).json.code).toBe("invalid_otp");
    const begun = await post(`${FACTORS}/enrolment`, { challenge, method: "totp" });
    expect(begun.json.uri).toMatch(/^otpauth:\/\/totp\/.+secret=[A-Z2-7]{32}&issuer=/);
    const code = codeOf(begun.json.secret);
    const signedIn = await post(SIGN_IN, { challenge, code });
    expect(signedIn.status).toBe(200);
    expect(signedIn.json.recoveryCodes).toHaveLength(10);
    const { token } = signedIn.json;
    expect((await world.send("GET", FACTORS, { token })).json.required).toBe(true);
    const removed = await world.send("DELETE", `${FACTORS}/one-time-password`, { token });
    expect([removed.status, removed.json.code]).toEqual([409, "in_use"]);
    // The password alone brings nothing more: neither the old challenge nor a new one.
    for (const again of [challenge, await challenged()]) {
      const second = await post(`${FACTORS}/enrolment`, { challenge: again, method: "totp" });
      expect(second.status).toBeGreaterThanOrEqual(400);
    }
  });

  it("ends the refresh of sign-ins from before, and is not asked in another tenant", async () => {
    const refresh = (refresh_token: string) =>
      post("/api/v1/auth/token", { grant_type: "refresh_token", refresh_token });
    const elsewhere = await world.b.newUser(["member"]);
    await settle("required");
    expect((await refresh(ada.refreshToken)).status).toBe(400);
    expect((await password(elsewhere)).status).toBe(200);
    expect((await refresh(elsewhere.refreshToken)).status).toBe(200);
  });

  it("ends browser sessions from before, and signs browsers in by code as it does others", async () => {
    const bySession = (body: object) =>
      world.send("POST", "/api/v1/auth/sessions", {
        body,
        headers: { "x-reeve-page": "1" },
        remoteAddress: world.a.unique(),
      });
    const me = async ({ headers }: Answer) => {
      const cookie = String(headers["set-cookie"]).split(";")[0] as string;
      return (await world.send("GET", "/api/v1/me", { headers: { cookie } })).status;
    };
    const bare = await bySession({ username: ada.username, password: ada.password });
    expect(await me(bare)).toBe(200);
    await settle("required");
    expect(await me(bare)).toBe(401);
    const { json } = await bySession({ username: ada.username, password: ada.password });
    const begun = await post(`${FACTORS}/enrolment`, { challenge: json.challenge, method: "totp" });
    const signedIn = await bySession({ challenge: json.challenge, code: codeOf(begun.json.secret) });
    expect([signedIn.status, signedIn.json.recoveryCodes.length, await me(signedIn)]).toEqual([201, 10, 200]);
  });

  it("cannot be looser than the provider", async () => {
    const body = {
      name: "signIn.secondFactor",
      configuration: { value: "required" },
      reason: "because a test wants it",
    };
    const { status } = await post("/api/v1/support/config", body, world.provider.owner.token);
    expect(status).toBe(201);
    expect((await settle("optional")).status).toBe(400);
    expect((await password()).json.code).toBe("second_factor_required");
  });
});

describe("decisions that take two people", () => {
  const decides = async (token: string) => {
    const { a } = world;
    const body = { userId: (await a.newUser([])).userId, reason: "because a test wants it" };
    const asked = await post("/api/v1/second-factor-resets", body, a.owner.token);
    const path = `/api/v1/second-factor-resets/${asked.json.id}/decision`;
    return post(path, { decision: "approve", reason: "because a test wants it" }, token);
  };
  const settleStepUp = (stepUpMinutes: number | null) =>
    world.send("PATCH", "/api/v1/tenant/settings", { token: world.a.owner.token, body: { stepUpMinutes } });

  it("take a second factor of the last minutes where the tenant wants that, proven at sign-in or since", async () => {
    const officer = await world.a.newUser(["owner"]);
    expect((await decides(officer.token)).status).toBe(200);
    await settleStepUp(5);
    const refused = await decides(officer.token);
    expect([refused.status, refused.json]).toMatchObject([403, { code: "step_up_required", withinMinutes: 5 }]);
    const { secret } = await setUp(officer);
    expect((await decides(officer.token)).status).toBe(403);
    expect((await prove({ code: "000000" }, officer.token)).json.code).toBe("invalid_otp");
    expect((await prove({}, officer.token)).status).toBe(400);
    expect((await prove({ code: codeOf(secret) }, officer.token)).status).toBe(200);
    expect((await decides(officer.token)).status).toBe(200);
    // Another sign-in of the same person has proven nothing by that.
    world.clock.advance(STEP_MS);
    const challenge = await challenged(officer);
    const other = await post(SIGN_IN, { challenge, code: codeOf(secret) });
    expect((await decides(other.json.token)).status).toBe(200);
    const refresh = { grant_type: "refresh_token", refresh_token: other.json.refreshToken };
    world.clock.advance(5 * 60_000);
    const { access_token } = (await post("/api/v1/auth/token", refresh)).json;
    for (const token of [officer.token, other.json.token, access_token])
      expect((await decides(token)).json.code).toBe("step_up_required");
    await settleStepUp(null);
    expect((await decides(officer.token)).status).toBe(200);
  });

  it("take it of people whom the host signs in by what the host says of them", async () => {
    const { tenantId } = world.a;
    const { userId } = await world.a.newUser(["owner"]);
    await settleStepUp(5);
    const now = world.clock.now();
    const minute = 60_000;
    const facts = [{}, { authenticatedAt: now }, { authenticatedAt: now - 6 * minute, withFactor: true }];
    const said = [...facts, { authenticatedAt: now - minute, withFactor: true }];
    let at = 0;
    const plane = createPlane({
      store: world.store,
      clock: world.clock,
      authenticate: () => ({ tenantId, userId, ...said[at] }),
    });
    const statuses = [];
    for (at = 0; at < said.length; at += 1) {
      const body = { userId: (await world.a.newUser([])).userId, reason: "because a test wants it" };
      const asked = await post("/api/v1/second-factor-resets", body, world.a.owner.token);
      const path = `/api/v1/second-factor-resets/${asked.json.id}/decision`;
      statuses.push((await plane.send("POST", path, { body: { decision: "approve" } })).json.code ?? "done");
    }
    expect(statuses).toEqual([...Array(3).fill("step_up_required"), "done"]);
  });
});

describe("a person who has lost every factor", () => {
  const ask = (userId: string, token = world.a.owner.token) =>
    post("/api/v1/second-factor-resets", { userId, reason: "Lost her phone; seen in person." }, token);
  const decide = (id: string, token: string, decision = "approve") =>
    post(`/api/v1/second-factor-resets/${id}/decision`, { decision }, token);

  it("gets in by the password again once two others have agreed, is told by mail, and is signed in nowhere", async () => {
    const second = await world.a.newUser(["owner"]);
    await setUp();
    const asked = await ask(ada.userId);
    expect(asked.json).toMatchObject({ status: "requested", userId: ada.userId, removed: 0 });
    const alone = await decide(asked.json.id, world.a.owner.token);
    expect([alone.status, alone.json.code]).toEqual([403, "self_approval_forbidden"]);
    expect((await password()).json.code).toBe("second_factor_required");
    const agreed = await decide(asked.json.id, second.token);
    expect([agreed.status, agreed.json.status, agreed.json.removed]).toEqual([200, "approved", 2]);
    expect((await world.mailbox.next(ada.username)).subject).toMatch(/second factors .* were removed/);
    expect((await world.send("GET", "/api/v1/me", { token: ada.token })).status).toBe(401);
    expect((await password()).status).toBe(200);
    expect((await decide(asked.json.id, second.token)).json.code).toBe("invalid_transition");
  });

  it("cannot agree to it, and nobody can who may less than they, nor in another tenant, nor after a week", async () => {
    const second = await world.a.newUser(["owner"]);
    await setUp(second);
    const asked = await ask(second.userId);
    expect((await decide(asked.json.id, second.token)).json.code).toBe("self_approval_forbidden");
    expect((await ask(world.b.owner.userId)).json.code).toBe("invalid_reference");
    expect((await decide(asked.json.id, world.b.owner.token)).status).toBe(404);
    expect((await ask(ada.userId, ada.token)).status).toBe(403);
    expect((await decide(asked.json.id, ada.token)).status).toBe(403);
    const third = await world.a.newUser(["owner"]);
    world.clock.advance(7 * 86_400_000);
    const { token } = await world.a.signIn(third.userId, third);
    expect((await decide(asked.json.id, token)).json.code).toBe("transition_guard_failed");
    expect((await decide(asked.json.id, token, "decline")).json.status).toBe("declined");
  });

  it("loses them once, however many agree at once", async () => {
    const others = [await world.a.newUser(["owner"]), await world.a.newUser(["owner"])];
    await setUp();
    const { id } = (await ask(ada.userId)).json;
    const answers = await Promise.all(others.map(({ token }) => decide(id, token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});
