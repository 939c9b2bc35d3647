import { createHash } from "node:crypto";
import { type Answer, createPlane, type Scene, table } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../helpers/world.js";

const WINDOW = 15 * 60_000;
const GOOD = "a pass phrase that is long";

type Plane = ReturnType<typeof createPlane>;
let plane: Plane;
let scene: Scene;
beforeEach(async () => {
  const world = await createWorld();
  scene = world.a;
  plane = createPlane({ store: world.store, ids: world.ids, registration: "verified_email" });
});

/** One way to guess a credential. `subject` is its owner. */
interface Guess {
  readonly send: (subject: string, address: string) => Promise<Answer>;
  readonly wrong: readonly [status: number, code: string];
  /** Whether the guesser chooses the subject. */
  readonly anySubject: boolean;
  /** Whether it is a random token or secret, which has a budget per address of its own. */
  readonly token?: true;
}

/** A text of the form of a random token, the same for the same text. */
const tokenLike = (text: string) => createHash("sha256").update(text).digest("base64url");

const post = (path: string, body: unknown, remoteAddress: string, token?: string) =>
  plane.send("POST", `/api/v1${path}`, { body, remoteAddress, ...(token ? { token } : {}) });

/** Every operation that checks a credential. */
const GUESSES: Readonly<Record<string, Guess>> = {
  "auth.signIn": {
    send: (username, address) => post("/auth/signin", { username, password: "wrong" }, address),
    wrong: [401, "invalid_credentials"],
    anySubject: true,
  },
  "browserSessions.create": {
    send: (username, remoteAddress) =>
      plane.send("POST", "/api/v1/auth/sessions", {
        body: { username, password: "wrong" },
        headers: { "x-reeve-page": "1" },
        remoteAddress,
      }),
    wrong: [401, "invalid_credentials"],
    anySubject: true,
  },
  "saml.signIn": {
    send: (username, remoteAddress) =>
      plane.send("POST", "/saml/sign-in", { body: { username, password: "wrong" }, remoteAddress }),
    wrong: [401, "invalid_credentials"],
    anySubject: true,
  },
  "auth.resetPassword": {
    send: (_subject, address) =>
      post("/auth/reset-password", { currentPassword: "wrong", newPassword: GOOD }, address, scene.owner.token),
    wrong: [401, "invalid_credentials"],
    anySubject: false,
  },
  "secondFactors.confirmOneTimePassword": {
    send: (_username, address) =>
      post("/auth/factors/one-time-password/confirm", { code: "000000" }, address, scene.owner.token),
    wrong: [400, "invalid_otp"],
    anySubject: false,
  },
  "secondFactors.prove": {
    send: (_username, address) => post("/auth/factors/proof", { code: "000000" }, address, scene.owner.token),
    wrong: [400, "invalid_otp"],
    anySubject: false,
  },
  "secondFactors.confirmPasskey": {
    send: (_username, address) =>
      post("/auth/factors/passkeys/confirm", { passkey: { id: "AQID", response: {} } }, address, scene.owner.token),
    wrong: [400, "invalid_otp"],
    anySubject: false,
  },
  "auth.setPassword": {
    send: (text, address) => post("/auth/set-password", { token: tokenLike(text), newPassword: GOOD }, address),
    wrong: [400, "invalid_otp"],
    anySubject: true,
    token: true,
  },
  "email.verifyOtp": {
    send: (email, address) => post("/email/verify-otp", { email, otp: "00000000" }, address),
    wrong: [400, "invalid_otp"],
    anySubject: true,
  },
  "auth.token": {
    send: (client_id, address) =>
      post("/auth/token", { grant_type: "client_credentials", client_id, client_secret: "wrong" }, address),
    wrong: [401, "invalid_credentials"],
    anySubject: true,
    token: true,
  },
  "auth.revoke": {
    send: (client_id, address) => post("/auth/revoke", { token: "x", client_id, client_secret: "wrong" }, address),
    wrong: [401, "invalid_credentials"],
    anySubject: true,
    token: true,
  },
  "auth.introspect": {
    send: (client_id, address) => post("/auth/introspect", { token: "x", client_id, client_secret: "wrong" }, address),
    wrong: [401, "invalid_credentials"],
    anySubject: true,
    token: true,
  },
  "registration.register": {
    send: (username, address) =>
      post("/register", { organization: "Acme", username, password: GOOD, verificationToken: "x" }, address),
    wrong: [400, "invalid_otp"],
    anySubject: true,
  },
};

const verdict = ({ status, json }: Answer) => [status, json.code];

describe("the gate of credentials", () => {
  it("is passed by every operation that may answer that there were too many attempts", () => {
    const gated = table.filter(({ errors = [] }) => errors.includes("too_many_attempts")).map(({ id }) => id);
    // Sending codes has its own limits, and checks no credential. Keys of registries have the budget of links, of 3,000.
    expect(gated.filter((id) => id !== "email.sendOtp" && !/^registry\.\w+ByKey$/.test(id)).sort()).toEqual(
      Object.keys(GUESSES).sort(),
    );
  });

  it.each(Object.entries(GUESSES))("lets ten of a hundred guesses of %s through", async (_id, { send, wrong }) => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => send("ada@acme.example", "192.0.2.70")));
    expect(answers.filter((answer) => answer.status === wrong[0]).map(verdict)).toEqual(Array(10).fill(wrong));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(90);
    for (const { json, headers } of refused) {
      expect([json.code, headers["retry-after"]]).toEqual(["too_many_attempts", "900"]);
    }
  });

  it.each(Object.entries(GUESSES))("opens again for %s when the window has passed", async (_id, { send, wrong }) => {
    for (let index = 0; index < 10; index += 1) await send("ada@acme.example", "192.0.2.70");
    plane.clock.advance(WINDOW - 1);
    expect((await send("ada@acme.example", "192.0.2.70")).headers["retry-after"]).toBe("1");
    plane.clock.advance(1);
    expect(verdict(await send("ada@acme.example", "192.0.2.70"))).toEqual(wrong);
  });

  it("has one budget for one subject, whichever way is tried", async () => {
    const subject = scene.owner.username;
    const ways = ["auth.signIn", "saml.signIn", "email.verifyOtp", "registration.register"] as const;
    for (let index = 0; index < 10; index += 1) {
      const { send, wrong } = GUESSES[ways[index % ways.length] as string] as Guess;
      expect(verdict(await send(subject, "192.0.2.70"))).toEqual(wrong);
    }
    for (const way of ways) expect((await GUESSES[way]?.send(subject, "192.0.2.70"))?.status).toBe(429);
  });

  it("has one budget for one address, whichever way and whoever is tried", async () => {
    const ways = Object.values(GUESSES).filter(({ anySubject, token }) => anySubject && !token);
    for (let index = 0; index < 300; index += 1) {
      const { send, wrong } = ways[index % ways.length] as Guess;
      expect(verdict(await send(`u${index}@example.test`, "192.0.2.71"))).toEqual(wrong);
    }
    for (const { send } of ways) expect((await send("somebody@example.test", "192.0.2.71")).status).toBe(429);
  });

  describe("S5 worthless tokens", () => {
    const refresh = (refresh_token: string, address: string) =>
      post("/auth/token", { grant_type: "refresh_token", refresh_token }, address);
    const setPassword = (token: string, address: string) =>
      post("/auth/set-password", { token, newPassword: GOOD }, address);
    const signsIn = async (address: string) => {
      const { username, password } = scene.owner;
      return (await post("/auth/signin", { username, password }, address)).status;
    };

    it("keep nobody behind the same address from signing in", async () => {
      for (let index = 0; index < 301; index += 1) {
        const token = tokenLike(String(index));
        const { json } = await refresh(`reeve_rt_${token}`, "192.0.2.73");
        expect([json.error, (await setPassword(token, "192.0.2.73")).status]).toEqual(["invalid_grant", 400]);
      }
      expect(await signsIn("192.0.2.73")).toBe(200);
    });

    it("are counted in a larger budget of their own", async () => {
      const many = (count: number) =>
        Promise.all(Array.from({ length: count }, (_, index) => setPassword(tokenLike(String(index)), "192.0.2.74")));
      expect(new Set((await many(3_000)).map(({ status }) => status))).toEqual(new Set([400]));
      const spent = `reeve_rt_${tokenLike("another")}`;
      expect([(await refresh(spent, "192.0.2.74")).status, await signsIn("192.0.2.74")]).toEqual([429, 200]);
    });

    it("cost nothing when they are malformed", async () => {
      for (let index = 0; index < 11; index += 1) {
        expect((await refresh("worthless", "192.0.2.75")).json.error).toBe("invalid_grant");
        expect((await setPassword("worthless", "192.0.2.75")).json.code).toBe("invalid_otp");
        const exchange = {
          grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
          subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
          subject_token: "worthless",
        };
        expect((await post("/auth/token", exchange, "192.0.2.75")).json.error).toBe("invalid_request");
      }
    });
  });

  it("costs whoever proves who they are nothing: neither them, nor the others behind their address", async () => {
    const { username, password } = scene.owner;
    for (let index = 0; index <= 300; index += 1) {
      const tenant = index % 2 ? { tenant: scene.tenantId } : {};
      expect((await post("/auth/signin", { username, password, ...tenant }, "192.0.2.72")).status).toBe(200);
    }
    const { send, wrong } = GUESSES["auth.signIn"] as Guess;
    for (let index = 0; index < 300; index += 1) {
      expect(verdict(await send(`u${index}@example.test`, "192.0.2.72"))).toEqual(wrong);
    }
    expect((await send("somebody@example.test", "192.0.2.72")).status).toBe(429);
  });
});
