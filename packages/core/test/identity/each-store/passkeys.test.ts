import { type Actor, type Answer, BASE_URL, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { SoftwareAuthenticator } from "../../helpers/software-authenticator.js";
import { createWorld } from "../../helpers/world.js";

const FACTORS = "/api/v1/auth/factors";
const SIGN_IN = "/api/v1/auth/signin";
const { origin, hostname: rpId } = new URL(BASE_URL);
const here = { origin, rpId };

let world: World;
let ada: Actor;
let key: SoftwareAuthenticator;
beforeEach(async () => {
  world = await createWorld();
  ada = await world.a.newUser(["member"]);
  key = new SoftwareAuthenticator();
});

const post = (path: string, body: object, token?: string): Promise<Answer> =>
  world.send("POST", path, { body, remoteAddress: world.a.unique(), ...(token === undefined ? {} : { token }) });
const add = async (authenticator = key, token = ada.token) => {
  const begun = await post(`${FACTORS}/passkeys`, { name: "Key" }, token);
  expect(begun.status).toBe(201);
  const passkey = authenticator.create(begun.json.options.challenge, here);
  return post(`${FACTORS}/passkeys/confirm`, { passkey }, token);
};
const asked = async () => {
  const { json } = await post(SIGN_IN, { username: ada.username, password: ada.password });
  expect(json.code).toBe("second_factor_required");
  return json as { challenge: string; methods: string[]; enrol: string[]; passkey: { challenge: string } };
};
const signsIn = async (challenge: string, passkey: object) => {
  const { status, json } = await post(SIGN_IN, { challenge, passkey });
  return json.code ?? status;
};

describe("a passkey", () => {
  it("is added, signs in, is listed and removed", async () => {
    const added = await add();
    expect([added.status, added.json.recoveryCodes.length]).toEqual([200, 10]);
    const { challenge, methods, passkey } = await asked();
    expect(methods).toEqual(["passkey", "recovery_code"]);
    expect(passkey).toMatchObject({ rpId, allowCredentials: [{ id: key.id.toString("base64url") }] });
    const answer = key.get(passkey.challenge, here);
    const { json } = await post(SIGN_IN, { challenge, passkey: answer });
    const { passkeys } = (await world.send("GET", FACTORS, { token: json.token })).json;
    expect(passkeys).toMatchObject([{ name: "Key", lastUsedAt: expect.any(String) }]);
    const path = `${FACTORS}/passkeys/${passkeys[0].id}`;
    expect((await world.send("DELETE", path, { token: world.a.owner.token })).status).toBe(404);
    expect((await world.send("DELETE", path, { token: json.token })).status).toBe(204);
    expect((await post(SIGN_IN, { username: ada.username, password: ada.password })).status).toBe(200);
  });

  it("counts for no other site, page, challenge, person or key, and once", async () => {
    await add();
    const { challenge, passkey } = await asked();
    const sign = (by: SoftwareAuthenticator, nonce: string, said: object = {}) => by.get(nonce, { ...here, ...said });
    const right = sign(key, passkey.challenge);
    const wrong = [
      sign(key, passkey.challenge, { origin: "https://evil.example" }),
      sign(key, passkey.challenge, { rpId: "evil.example" }),
      sign(key, (await asked()).passkey.challenge),
      sign(new SoftwareAuthenticator(), passkey.challenge),
      { ...sign(new SoftwareAuthenticator(), passkey.challenge), id: right.id, rawId: right.rawId },
      { ...right, response: { ...right.response, signature: "AAAA" } },
      { ...right, response: {} },
      { id: right.id, response: { clientDataJSON: "%%%", authenticatorData: "", signature: "" } },
    ];
    for (const answer of wrong) expect(await signsIn(challenge, answer)).toBe("invalid_otp");
    const answers = await Promise.all(Array.from({ length: 5 }, () => signsIn(challenge, right)));
    expect(answers.sort()).toEqual([200, ...Array(4).fill("invalid_otp")].sort());
    expect(await signsIn(challenge, right)).toBe("invalid_otp");
  });

  it("that counts its uses is refused when the count does not grow, as that of a copy", async () => {
    await add();
    const withCount = async (counter: number) => {
      const { challenge, passkey } = await asked();
      return signsIn(challenge, key.get(passkey.challenge, { ...here, counter }));
    };
    expect([await withCount(7), await withCount(7), await withCount(3), await withCount(8)]).toEqual([
      200,
      "invalid_otp",
      "invalid_otp",
      200,
    ]);
  });

  it("is not added twice, nor by an answer for something else, nor by a sign-in that was left open", async () => {
    const begun = await post(`${FACTORS}/passkeys`, { name: "Key" }, ada.token);
    const { challenge } = begun.json.options;
    for (const passkey of [
      key.create("AAAA", here),
      key.create(challenge, { ...here, origin: "https://evil.example" }),
      key.get(challenge, here),
      { id: "x", response: {} },
    ])
      expect((await post(`${FACTORS}/passkeys/confirm`, { passkey }, ada.token)).json.code).toBe("invalid_otp");
    const right = { passkey: key.create(challenge, here) };
    expect((await post(`${FACTORS}/passkeys/confirm`, right, ada.token)).status).toBe(200);
    expect((await post(`${FACTORS}/passkeys`, { name: "More" }, ada.token)).json.code).toBe("step_up_required");
  });

  it("steps a sign-in up", async () => {
    await add();
    const begun = await post(`${FACTORS}/challenge`, {}, ada.token);
    const passkey = key.get(begun.json.passkey.challenge, here);
    const { challenge } = begun.json;
    const bob = await world.a.newUser(["member"]);
    expect((await post(`${FACTORS}/proof`, { challenge, passkey }, bob.token)).json.code).toBe("invalid_credentials");
    expect((await post(`${FACTORS}/proof`, { passkey }, ada.token)).json.code).toBe("invalid_otp");
    expect((await post(`${FACTORS}/proof`, { challenge, passkey }, ada.token)).status).toBe(200);
    expect((await add(new SoftwareAuthenticator())).status).toBe(200);
  });
});

it("an invited person of a tenant that demands a second factor sets up a passkey at the first sign-in", async () => {
  const body = { secondFactor: "required" };
  await world.send("PATCH", "/api/v1/tenant/settings", { token: world.a.owner.token, body });
  await world.a.newInvited();
  const { address, secret } = world.a.mailed;
  const newPassword = "a first long phrase of hers";
  await post("/api/v1/auth/set-password", { token: secret, newPassword });
  ada = { ...ada, username: address, password: newPassword };
  const { challenge, enrol } = await asked();
  expect(enrol).toEqual(["totp", "passkey"]);
  const begun = await post(`${FACTORS}/enrolment`, { challenge, method: "passkey" });
  const passkey = key.create(begun.json.options.challenge, here);
  const signedIn = await post(SIGN_IN, { challenge, passkey });
  expect([signedIn.status, signedIn.json.recoveryCodes.length]).toEqual([200, 10]);
  const again = await asked();
  expect(await signsIn(again.challenge, key.get(again.passkey.challenge, here))).toBe(200);
});
