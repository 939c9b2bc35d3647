import { codeIn, createPlane, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../helpers/world.js";

const MINUTE = 60_000;
let world: World;
beforeEach(async () => {
  world = await createWorld({ registration: "open" });
});

const EMAIL = "ada@acme.example";
const ask = (body: object, remoteAddress = "192.0.2.60") =>
  world.send("POST", "/api/v1/email/send-otp", { body, remoteAddress });
const verify = (body: object, remoteAddress = "192.0.2.60") =>
  world.send("POST", "/api/v1/email/verify-otp", { body, remoteAddress });

async function aCode(email = EMAIL, more: object = {}): Promise<string> {
  const had = world.mailbox.mails.filter((mail) => mail.to === email).length;
  expect((await ask({ email, ...more })).status).toBe(200);
  return codeIn(await world.mailbox.next(email, had + 1));
}

describe("a one-time code", () => {
  it("comes as eight digits to the address, and proves it once", async () => {
    const answer = await ask({ email: EMAIL });
    expect(answer.json).toEqual({ expiresAt: "2026-01-05T09:10:00.000Z" });
    const mail = await world.mailbox.next(EMAIL);
    expect(mail.subject).toBe("Your code for reeve.example");
    const otp = codeIn(mail);
    const first = await verify({ email: EMAIL, purpose: "registration", otp });
    expect(first.json).toEqual({
      verificationToken: expect.stringMatching(/^[\w-]{43}$/),
      expiresAt: "2026-01-05T09:30:00.000Z",
    });
    const again = await verify({ email: EMAIL, otp });
    expect([again.status, again.json.code]).toEqual([400, "invalid_otp"]);
  });

  it("is asked for and given back in the published generic body, too", async () => {
    expect((await ask({ configuration: { email: EMAIL } })).status).toBe(200);
    const otp = codeIn(await world.mailbox.next(EMAIL));
    const body = { name: "x", metadata: { a: 1 }, email: EMAIL.toUpperCase(), configuration: { otp }, free: true };
    expect((await verify(body)).status).toBe(200);
  });

  it.each([
    ["another address", { email: "eve@acme.example" }, 0],
    ["another purpose", { purpose: "newsletter" }, 0],
    ["another code", { otp: "x" }, 0],
    ["no digits", { otp: "１２３４５６７８" }, 0],
    ["its end, ten minutes on", {}, 10 * MINUTE],
    ["a second after that", {}, 10 * MINUTE + 1_000],
  ])("is refused with %s", async (_what, change, later) => {
    const otp = await aCode();
    world.clock.advance(later);
    const answer = await verify({ email: EMAIL, otp, ...change });
    expect([answer.status, answer.json.code]).toEqual([400, "invalid_otp"]);
  });

  it("works until the last millisecond", async () => {
    const otp = await aCode();
    world.clock.advance(10 * MINUTE - 1);
    expect((await verify({ email: EMAIL, otp })).status).toBe(200);
  });

  it("survives four wrong tries and not a fifth", async () => {
    for (const [tries, status] of [
      [4, 200],
      [5, 400],
    ] as const) {
      const email = `tries-${tries}@acme.example`;
      const otp = await aCode(email);
      for (let index = 0; index < tries; index += 1) expect((await verify({ email, otp: "wrong" })).status).toBe(400);
      expect((await verify({ email, otp })).status).toBe(status);
    }
  });

  it("dies when a new one is asked for, and only then, and only for the same purpose", async () => {
    const first = await aCode();
    world.clock.advance(MINUTE);
    const other = await aCode(EMAIL, { purpose: "newsletter" });
    world.clock.advance(MINUTE);
    const second = await aCode();
    expect((await verify({ email: EMAIL, otp: first })).status).toBe(first === second ? 200 : 400);
    expect((await verify({ email: EMAIL, otp: second })).status).toBe(200);
    expect((await verify({ email: EMAIL, purpose: "newsletter", otp: other })).status).toBe(200);
  });

  it.each([{}, { email: "nonsense" }, { email: 7 }, { email: EMAIL, purpose: "No Purpose" }, { email: null }])(
    "is not sent for %j",
    async (body) => {
      const answer = await ask(body);
      expect([answer.status, answer.json.code]).toEqual([400, "invalid_request"]);
      expect(answer.json.errors[0].pointer).toMatch(/^\/(email|purpose)$/);
    },
  );
});

describe("sending codes", () => {
  it("answers alike for users and strangers, and always sends", async () => {
    const answers = [await ask({ email: world.a.owner.username }), await ask({ email: "stranger@example.test" })];
    expect(answers[0]?.text).toBe(answers[1]?.text);
    expect(world.mailbox.mails).toHaveLength(2);
  });

  it("is limited to one a minute and five an hour for an address, whatever the purpose and spelling", async () => {
    for (let index = 0; index < 5; index += 1) {
      expect((await ask({ email: EMAIL, purpose: `p${index}` }, `192.0.2.${index}`)).status).toBe(200);
      const soon = await ask({ email: EMAIL.toUpperCase() }, "198.51.100.1");
      expect([soon.status, soon.json.code]).toEqual([429, "too_many_attempts"]);
      expect(soon.headers["retry-after"]).toBe(index < 4 ? "60" : "3360");
      world.clock.advance(MINUTE);
    }
    expect((await ask({ email: EMAIL })).headers["retry-after"]).toBe("3300");
    expect(world.mailbox.mails).toHaveLength(5);
    world.clock.advance(55 * MINUTE);
    expect((await ask({ email: EMAIL })).status).toBe(200);
  });

  it("is limited to thirty an hour for a peer", async () => {
    for (let index = 0; index < 30; index += 1)
      expect((await ask({ email: `a${index}@acme.example` })).status).toBe(200);
    expect((await ask({ email: "a30@acme.example" })).status).toBe(429);
    expect((await ask({ email: "a30@acme.example" }, "198.51.100.2")).status).toBe(200);
  });

  it("counts requests at once", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask({ email: EMAIL })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe("registration by verified e-mail", () => {
  const password = "a pass phrase that is long";
  const register = (more: object = {}, remoteAddress = "192.0.2.60") =>
    world.send("POST", "/api/v1/register", {
      body: { organization: "Acme", username: EMAIL, password, ...more },
      remoteAddress,
    });
  const proofFor = async (email: string, purpose = "registration") =>
    (await verify({ email, purpose, otp: await aCode(email, { purpose }) })).json.verificationToken as string;

  beforeEach(() => {
    world = { ...world, ...createPlane({ registration: "verified_email" }) };
  });

  it("founds the tenant whose owner's address was proven, once", async () => {
    const verificationToken = await proofFor(EMAIL);
    const answer = await register({ verificationToken, username: EMAIL.toUpperCase() });
    expect(answer.status).toBe(201);
    const again = await register({ verificationToken, username: EMAIL.toUpperCase() });
    expect([again.status, again.json.code]).toEqual([400, "invalid_otp"]);
    expect((await world.send("POST", "/api/v1/auth/signin", { body: { username: EMAIL, password } })).status).toBe(200);
  });

  it.each<[string, () => Promise<object>]>([
    ["no token", async () => ({})],
    ["a made-up token", async () => ({ verificationToken: "A".repeat(43) })],
    ["the code itself", async () => ({ verificationToken: await aCode() })],
    ["the proof of another address", async () => ({ verificationToken: await proofFor("eve@acme.example") })],
    ["the proof for another purpose", async () => ({ verificationToken: await proofFor(EMAIL, "newsletter") })],
    [
      "a proof half an hour old",
      async () => {
        const verificationToken = await proofFor(EMAIL);
        world.clock.advance(30 * MINUTE);
        return { verificationToken };
      },
    ],
  ])("is refused with %s", async (_what, given) => {
    const answer = await register(await given());
    expect([answer.status, answer.json.code]).toEqual([400, "invalid_otp"]);
  });

  it("does not use the token up on a refused password", async () => {
    const verificationToken = await proofFor(EMAIL);
    expect((await register({ verificationToken, password: "short" })).json.code).toBe("password_rejected");
    expect((await register({ verificationToken })).status).toBe(201);
  });
});
