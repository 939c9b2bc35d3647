import { type Answer, createPlane, createTenant, linkTokenIn, type Scene, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { ulidSource } from "#testing/index.js";
import { eventTypes } from "../helpers/facts.js";
import { providerOf } from "../helpers/provider.js";
import { createWorld } from "../helpers/world.js";

const HOUR = 3_600_000;
const PASSWORD = "a first long phrase of hers";
let world: World;
let userId: string;
let address: string;
let token: string;
beforeEach(async () => {
  world = await createWorld();
  userId = await world.a.newInvited();
  ({ address, secret: token } = world.a.mailed);
});

const asOwner = () => ({ token: world.a.owner.token });
const setPassword = (link: string, newPassword = PASSWORD) =>
  world.send("POST", "/api/v1/auth/set-password", { body: { token: link, newPassword }, remoteAddress: "192.0.2.61" });
const signIn = (password = PASSWORD) =>
  world.send("POST", "/api/v1/auth/signin", { body: { username: address, password }, remoteAddress: "192.0.2.62" });
const invite = (id = userId) => world.send("POST", `/api/v1/users/${id}/invite`, asOwner());
const patch = (body: object) => world.send("PATCH", `/api/v1/users/${userId}`, { ...asOwner(), body });
const refused = async (link: string) => {
  const answer = await setPassword(link);
  expect([answer.status, answer.json.code]).toEqual([400, "invalid_otp"]);
};

describe("an invitation", () => {
  it("leads to the page of the option, with the token in the fragment", async () => {
    const mail = await world.mailbox.next(address);
    expect(mail.subject).toBe("You are invited to reeve.example");
    expect(mail.text).toContain(`https://reeve.example/set-password#token=${token}\n`);
    const elsewhere = createPlane({
      store: world.store,
      ids: ulidSource(),
      setPasswordUrl: "https://app.example/welcome?x=1",
    });
    const body = { username: "elsewhere@example.test" };
    await elsewhere.send("POST", "/api/v1/users", { ...asOwner(), body });
    expect((await elsewhere.mailbox.next(body.username)).text).toContain("https://app.example/welcome?x=1#token=");
  });

  it("sets the password, makes the user active, and works once", async () => {
    expect((await signIn()).status).toBe(401);
    const before = (await eventTypes(world.a)).length;
    expect((await setPassword(token)).json).toEqual({ username: address });
    expect(await eventTypes(world.a, before)).toEqual(["user.password_changed", "user.status.changed"]);
    expect((await signIn()).status).toBe(200);
    await refused(token);
  });

  it("is not used up by a password that is refused", async () => {
    const weak = await setPassword(token, "short");
    expect([weak.json.code, weak.json.errors[0].pointer]).toEqual(["password_rejected", "/newPassword"]);
    const own = await setPassword(token, address);
    expect(own.json.code).toBe("password_rejected");
    expect((await setPassword(token)).status).toBe(200);
  });

  it("works for three days", async () => {
    world.clock.advance(72 * HOUR - 1);
    expect((await setPassword(token, "short")).json.code).toBe("password_rejected");
    world.clock.advance(1);
    await refused(token);
  });

  it("dies when another is sent, which the user counts", async () => {
    expect((await invite()).json).toMatchObject({ id: userId, status: "invited", invitations: 2 });
    const second = linkTokenIn(await world.mailbox.next(address, 2));
    await refused(token);
    expect((await setPassword(second)).status).toBe(200);
    const late = await invite();
    expect([late.status, late.json.code, late.json.current]).toEqual([409, "invalid_transition", "active"]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["disabled", () => patch({ status: "disabled" })],
    ["removed", () => world.send("DELETE", `/api/v1/users/${userId}`, asOwner())],
  ])("dies when the user is %s", async (_what, act) => {
    await act();
    await refused(token);
  });

  it("lives on when only the roles change", async () => {
    await patch({ roles: ["approver"] });
    expect((await setPassword(token)).status).toBe(200);
    expect((await signIn()).json.user.roles).toEqual(["approver"]);
  });

  it.each(["", "x", "A".repeat(43), "é".repeat(43), "a b"])("is nothing anybody could think of: %j", async (guess) => {
    const answer = await setPassword(guess);
    expect(answer.json.code).toBe(guess === "" ? "invalid_request" : "invalid_otp");
  });

  it("is mailed five times an hour to one address, and the rest when its turn comes", async () => {
    for (let count = 2; count <= 5; count += 1) {
      await invite();
      await world.mailbox.next(address, count);
    }
    expect((await invite()).json.invitations).toBe(6);
    await world.controlPlane.tick();
    const mails = () => world.mailbox.mails.filter(({ to }) => to === address).length;
    expect(mails()).toBe(5);
    world.clock.advance(HOUR);
    await world.controlPlane.tick();
    expect(mails()).toBe(6);
    expect((await setPassword(linkTokenIn(await world.mailbox.next(address, 6)))).status).toBe(200);
  });

  it("are mailed by one tenant however many another has mailed to the address, up to 25 an hour", async () => {
    let expected = 1;
    /** Mails six invitations to the address, of which five go out unless the address has had enough. */
    const flood = async (scene: Scene) => {
      const { token: owner } = scene.owner;
      const body = { username: address };
      const made = await world.send("POST", "/api/v1/users", { token: owner, body });
      expect(made.status, made.text).toBe(201);
      for (let count = 1; count <= 5; count += 1) {
        expected = Math.min(25, expected + 1);
        await world.mailbox.next(address, expected);
        await world.send("POST", `/api/v1/users/${made.json.id}/invite`, { token: owner });
      }
      await world.controlPlane.tick();
    };
    await flood(world.b);
    await invite();
    expected += 1;
    await world.mailbox.next(address, expected);
    expect(expected).toBe(7);
    for (const name of ["c", "d", "e", "f"]) {
      await flood(await createTenant(world, `${name}-of-many`, world.provider));
    }
    await world.controlPlane.tick();
    expect(world.mailbox.mails.filter(({ to }) => to === address)).toHaveLength(25);
  });

  const signInWith = async (way: string, link: number, act: () => Promise<Answer>) => {
    const answer = await act();
    expect([way, answer.status, answer.json.status]).toEqual([way, 200, "invited"]);
    expect((await setPassword(linkTokenIn(await world.mailbox.next(address, link)))).status).toBe(200);
    expect((await signIn()).status).toBe(200);
  };
  const support = (what: string, body: object = {}) => providerOf(world).post(`users/${userId}/${what}`, body);

  it.each<[string, () => Promise<Answer>]>([
    ["enabled", () => patch({ status: "active" })],
    ["invited", () => invite()],
    ["enabled by the provider", () => support("status", { status: "active" })],
  ])("bring back who was disabled before the first password, when %s", async (way, act) => {
    expect((await patch({ status: "disabled" })).status).toBe(200);
    await refused(token);
    await signInWith(way, 2, act);
  });

  it.each<[string, () => Promise<Answer>]>([
    ["enabled", () => patch({ status: "active" })],
    ["invited", () => invite()],
  ])("bring back who was disabled after the password was taken away, when %s", async (way, act) => {
    expect((await setPassword(token)).status).toBe(200);
    expect((await support("reset-password")).status).toBe(200);
    const reset = linkTokenIn(await world.mailbox.next(address, 2));
    expect((await patch({ status: "disabled" })).status).toBe(200);
    await signInWith(way, 3, act);
    await refused(reset);
  });

  it("are mailed to a disabled user by those only who could enable them, and never to one with a password", async () => {
    const { token: admin } = world.a.actors.admin;
    expect((await patch({ roles: ["owner"] })).status).toBe(200);
    expect((await patch({ status: "disabled" })).status).toBe(200);
    const denied = await world.send("POST", `/api/v1/users/${userId}/invite`, { token: admin });
    expect([denied.status, denied.json.role]).toEqual([403, "owner"]);
    const other = await world.a.newUser(["member"]);
    await world.send("PATCH", `/api/v1/users/${other.userId}`, { ...asOwner(), body: { status: "disabled" } });
    const answer = await invite(other.userId);
    expect([answer.status, answer.json.code, answer.json.current]).toEqual([409, "invalid_transition", "disabled"]);
  });

  it("are not needed to enable who has no password where no mail is sent", async () => {
    const plain = createPlane({ store: world.store, ids: ulidSource(), mailer: undefined });
    const enable = { ...asOwner(), body: { status: "active" } };
    expect((await patch({ status: "disabled" })).status).toBe(200);
    const invited = await plain.send("POST", `/api/v1/users/${userId}/invite`, asOwner());
    expect([invited.status, invited.json.code]).toEqual([501, "not_configured"]);
    const { status, json } = await plain.send("PATCH", `/api/v1/users/${userId}`, enable);
    expect([status, json.status, json.invitations]).toEqual([200, "invited", 1]);
  });

  it("cannot be sent without a mailer, and users are made all the same", async () => {
    const plain = createPlane({ store: world.store, ids: ulidSource(), mailer: undefined });
    const made = await plain.send("POST", "/api/v1/users", { ...asOwner(), body: { username: "i@example.test" } });
    expect([made.status, made.json.status, made.json.invitations]).toEqual([201, "invited", 0]);
    const answer = await plain.send("POST", `/api/v1/users/${made.json.id}/invite`, asOwner());
    expect([answer.status, answer.json.code]).toEqual([501, "not_configured"]);
    const otp = await plain.send("POST", "/api/v1/email/send-otp", { body: { email: "a@example.test" } });
    expect([otp.status, otp.json.code]).toEqual([501, "not_configured"]);
  });
});
