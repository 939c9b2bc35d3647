import { codeIn, createPlane, createScene, linkTokenIn, type Scene } from "@reeve/testkit";
import type { MailServer, MailServerBehaviour } from "@reeve/testkit/mail";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { collections } from "#reference/index.js";
import { PLATFORM_TENANT } from "#testing/index.js";
import type { Logger, Mailer } from "../../src/index.js";
import { mailGround } from "../helpers/smtp.js";

const EMAIL = "ada@acme.example";
const PASSWORD = "a pass phrase that is long";
const FAILURES = ["refuse", "drop", "hang"] as const satisfies readonly MailServerBehaviour[];

let server: MailServer;
let mailer: Mailer;
let plane: ReturnType<typeof createPlane>;
let log: string[];
const write: Logger["info"] = (fields, message) => log.push(JSON.stringify({ message, ...fields }));
const logger: Logger = { info: write, warn: write, error: write };
beforeAll(async () => {
  ({ server, mailer } = await mailGround());
});
afterAll(() => server.stop());
beforeEach(() => {
  server.behave("accept");
  log = [];
  plane = createPlane({ mailer, logger, registration: "verified_email" });
});

const received = (to: string) => server.mails.filter((mail) => mail.to.includes(to)).length;
const post = (path: string, body: unknown, token?: string) =>
  plane.send("POST", `/api/v1${path}`, { body, ...(token ? { token } : {}) });

async function platformRows(name: string): Promise<unknown[]> {
  const collection = collections.find((candidate) => candidate.name === name);
  if (!collection) throw new Error(`there is no collection ${name}`);
  return plane.store.forTenant(PLATFORM_TENANT).scan(collection, { size: 100 });
}

describe("mail through a real server", () => {
  it("carries a registration from address to tenant", async () => {
    expect((await post("/email/send-otp", { email: EMAIL })).status).toBe(200);
    const mail = await server.next(EMAIL);
    expect(mail).toMatchObject({ from: "reeve@reeve.example", to: [EMAIL] });
    expect(mail.headers).toMatchObject({ to: EMAIL, subject: "Your code for reeve.example" });
    const proven = await post("/email/verify-otp", { email: EMAIL, otp: codeIn(mail) });
    const { verificationToken } = proven.json;
    const founded = await post("/register", {
      organization: "Acme",
      username: EMAIL,
      password: PASSWORD,
      verificationToken,
    });
    expect(founded.status).toBe(201);
    for (const secret of [codeIn(mail), verificationToken, PASSWORD]) expect(log.join()).not.toContain(secret);
  });

  it.each(FAILURES)(
    "answers 502 to a server that does this: %s; nothing is left, and the next try works",
    async (how) => {
      const before = received(EMAIL);
      server.behave(how);
      const failed = await post("/email/send-otp", { email: EMAIL });
      expect([failed.status, failed.json.code]).toEqual([502, "connector_error"]);
      expect(await platformRows("one_time_codes")).toEqual([]);
      expect(received(EMAIL)).toBe(before);
      server.behave("accept");
      expect((await post("/email/send-otp", { email: EMAIL })).status).toBe(200);
      const otp = codeIn(await server.next(EMAIL, before + 1));
      expect((await post("/email/verify-otp", { email: EMAIL, otp })).status).toBe(200);
      expect(log.join()).not.toContain(otp);
    },
  );

  it("answers 502 to a server that is not there", async () => {
    const gone = await mailGround();
    await gone.server.stop();
    plane = createPlane({ mailer: gone.mailer });
    const failed = await post("/email/send-otp", { email: EMAIL });
    expect([failed.status, failed.json.code]).toEqual([502, "connector_error"]);
  });
});

describe("an invitation through a real server", () => {
  let scene: Scene;
  beforeEach(async () => {
    plane = createPlane({ mailer, logger });
    scene = await createScene(plane, `zq${server.mails.length}`);
  });

  async function linkRow(userId: string): Promise<{ mail: string; tries: number } | undefined> {
    const links = collections.find(({ name }) => name === "password_links");
    if (!links) throw new Error("there is no collection of links");
    return (await plane.store.forTenant(scene.tenantId).get(links, userId))?.value as never;
  }

  it.each(["refuse", "drop"] as const)("is tried again by tick after this: %s", async (how) => {
    server.behave(how);
    const address = `${scene.unique()}@example.test`;
    const made = await post("/users", { username: address }, scene.owner.token);
    expect([made.status, made.json.status]).toEqual([201, "invited"]);
    while (!log.some((line) => line.includes("a link could not be mailed"))) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    server.behave("accept");
    await plane.controlPlane.tick();
    expect(received(address)).toBe(0);
    plane.clock.advance(60_000);
    await plane.controlPlane.tick();
    const token = linkTokenIn(await server.next(address));
    expect(await linkRow(made.json.id)).toMatchObject({ mail: "sent", tries: 2 });
    expect((await post("/auth/set-password", { token, newPassword: PASSWORD })).json).toEqual({ username: address });
    expect(log.join()).not.toContain(token);
  });

  it("is given up after six tries over hours, and can be asked for again", async () => {
    server.behave("refuse");
    const address = `${scene.unique()}@example.test`;
    const { json: user } = await post("/users", { username: address }, scene.owner.token);
    for (let round = 0; round < 12; round += 1) {
      plane.clock.advance(3_600_000);
      await plane.controlPlane.tick();
    }
    while ((await linkRow(user.id))?.mail !== "failed") await new Promise((resolve) => setImmediate(resolve));
    expect(await linkRow(user.id)).toMatchObject({ tries: 6 });
    server.behave("accept");
    const token = (await plane.send("POST", "/api/v1/auth/signin", { body: scene.owner })).json.token;
    expect((await post(`/users/${user.id}/invite`, undefined, token)).status).toBe(200);
    expect(linkTokenIn(await server.next(address))).toMatch(/^[\w-]{43}$/);
  });
});
