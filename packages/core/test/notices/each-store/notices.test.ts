import type { Actor, Scene, World } from "@reeve/testkit";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { collections } from "#reference/index.js";
import { createWorld } from "../../helpers/world.js";

const HOUR = 3_600_000;
const notices = collections.find(({ name }) => name === "notices") as (typeof collections)[number];

let world: World;
let scene: Scene;
beforeAll(async () => {
  world = await createWorld({ notices: true, tokenLifetime: 86_400, egressAllow: ["127.0.0.1/32"] });
  scene = world.a;
  // What the scene came with is told before the tests begin.
  await tell();
});

// Some tests let days pass.
beforeEach(async () => {
  for (const role of ["owner", "approver", "auditor", "operator", "governance_officer"] as const)
    scene.actors[role] = await scene.signIn(scene.actors[role].userId, scene.actors[role]);
});

/** Lets people be told of everything that has happened until now. */
const tell = () => world.controlPlane.tick();
const as = (actor: Actor) => async (method: string, path: string, body?: object) => {
  const { status, json, text } = await world.send(method, `/api/v1${path}`, {
    token: actor.token,
    headers: { "if-match": "*" },
    ...(body ? { body } : {}),
  });
  expect(status, text).toBeLessThan(300);
  return json;
};
const noticesOf = async (actor: Actor, query = "status=open") =>
  (await as(actor)("GET", `/me/notices?${query}&size=100`)).items;
const about = async (actor: Actor, subjectId: string, query?: string) =>
  (await noticesOf(actor, query)).filter((notice: { subject: { id: string } }) => notice.subject.id === subjectId);
const mailsTo = ({ username }: Actor) => world.mailbox.mails.filter(({ to }) => to === username);
/** The mails to a person that name something. */
const mailsAbout = (actor: Actor, name: string) => mailsTo(actor).filter(({ text }) => text.includes(name));

/** An asset whose approval somebody asks for. */
async function asked(by: Actor, more: object = {}): Promise<{ id: string; name: string }> {
  const name = scene.unique();
  const id = await scene.newAsset({ name, ...more }, by);
  await as(by)("PATCH", `/ai-assets/${id}/governance-state`, { status: "under_review" });
  return { id, name };
}
const approve = (by: Actor, id: string) =>
  as(by)("PATCH", `/ai-assets/${id}/governance-state`, { status: "approved", reason: "it is sound" });

describe("a notice of what waits", () => {
  it("is given once to each who may decide it, and by mail, and to nobody else", async () => {
    const { id, name } = await asked(scene.owner);
    await tell();
    const { approver, auditor, operator } = scene.actors;
    for (const actor of [approver]) {
      const [notice, ...others] = await about(actor, id);
      expect(others).toEqual([]);
      expect(notice).toMatchObject({
        ...{ kind: "waiting", matter: "asset_review", name, status: "open", readAt: null },
        page: expect.stringMatching(/^inbox\/rvw_/),
      });
      const [mail, ...more] = mailsAbout(actor, name);
      expect(more).toEqual([]);
      expect(mail?.text).toContain(`https://reeve.example/console/${notice.page}`);
      expect(mail?.html).toContain(`href="https://reeve.example/console/${notice.page}"`);
    }
    // Who asked would be refused, and the others hold no permission to decide.
    for (const actor of [scene.owner, auditor, operator]) {
      expect(await about(actor, id)).toEqual([]);
      expect(mailsAbout(actor, name)).toEqual([]);
    }
    expect(await about(world.b.actors.approver, id)).toEqual([]);
    await tell();
    await tell();
    expect(mailsAbout(approver, name)).toHaveLength(1);
  });

  it("is over once it was decided, and is not mailed afterwards", async () => {
    const { approver } = scene.actors;
    await as(approver)("PUT", "/me/notice-preferences", { mail: { waiting: "daily" } });
    const { id, name } = await asked(scene.owner);
    await tell();
    expect(await about(approver, id)).toHaveLength(1);
    await approve(approver, id);
    world.clock.advance(23.5 * HOUR);
    await tell();
    expect(await about(approver, id, "status=over")).toMatchObject([{ status: "over", mailAt: null, mailedAt: null }]);
    expect(mailsAbout(approver, name)).toEqual([]);
  });

  it("is marked as read with all others until a moment, which are its reader's alone", async () => {
    const [reader, other] = [await scene.newUser(["approver"]), await scene.newUser(["approver"])];
    const { id } = await asked(scene.owner);
    await tell();
    const [{ createdAt }] = await about(reader, id);
    world.clock.advance(1_000);
    const { id: later } = await asked(scene.owner);
    await tell();
    const unread = async (actor: Actor) =>
      (await noticesOf(actor, "unread=true")).map(({ subject }: { subject: { id: string } }) => subject.id);
    const held = await unread(reader);
    const first = await as(reader)("POST", "/me/notices/read", { until: createdAt });
    expect(first).toEqual({ until: createdAt, marked: held.length - 1, more: false });
    expect(await unread(reader)).toEqual([later]);
    // Notices of one moment come in an order of their own for each reader.
    expect((await unread(other)).sort()).toEqual(held.sort());
    expect(await as(reader)("POST", "/me/notices/read", { until: createdAt })).toMatchObject({
      marked: 0,
      more: false,
    });
  });

  it("of which a link in the mail ends mails of its kind, once a page is sent and not when it is opened", async () => {
    const approver = await scene.newUser(["approver"]);
    const { name } = await asked(scene.owner);
    await tell();
    const [mail] = mailsAbout(approver, name);
    const link = new URL(/<(.+)>/.exec(mail?.headers?.["List-Unsubscribe"] ?? "")?.[1] ?? "");
    expect(mail?.headers?.["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
    expect(mail?.text).toContain(link.href);
    const open = (method: string, query = link.search) =>
      world.send(
        method,
        `${link.pathname}${query}`,
        method === "POST" ? { body: { "List-Unsubscribe": "One-Click" } } : {},
      );
    expect((await open("GET")).text).toContain('<form method="post">');
    expect((await as(approver)("GET", "/me/notice-preferences")).mail.waiting).toBe("at_once");
    expect((await open("POST")).status).toBe(200);
    expect((await as(approver)("GET", "/me/notice-preferences")).mail).toMatchObject({
      waiting: "off",
      halt: "at_once",
    });
    const { name: later } = await asked(scene.owner);
    await tell();
    expect(mailsAbout(approver, later)).toEqual([]);
    for (const query of ["?token=none", `${link.search}x`]) expect((await open("POST", query)).status).toBe(401);
  });

  it("is taken back from who may decide no more, and given to who may now", async () => {
    const person = await scene.newUser(["approver"]);
    const { id } = await asked(scene.owner);
    await tell();
    expect(await about(person, id)).toHaveLength(1);
    await as(scene.owner)("PATCH", `/users/${person.userId}`, { roles: ["auditor"] });
    await tell();
    const now = await scene.signIn(person.userId, person);
    expect(await about(now, id, "status=over")).toHaveLength(1);
    const late = await scene.newUser(["approver"]);
    await tell();
    expect(await about(late, id)).toHaveLength(1);
    expect(mailsTo(late)).toHaveLength(1);
  });

  it("goes with the account, of which no mail is sent any more", async () => {
    const person = await scene.newUser(["approver"]);
    await asked(scene.owner);
    await tell();
    const held = await scene.store
      .forTenant(scene.tenantId)
      .find(notices, { where: { userId: person.userId }, size: 1 });
    expect(held.rows).toHaveLength(1);
    await as(scene.owner)("DELETE", `/users/${person.userId}`);
    const mails = mailsTo(person).length;
    await asked(scene.owner);
    await tell();
    const left = await scene.store
      .forTenant(scene.tenantId)
      .find(notices, { where: { userId: person.userId }, size: 1 });
    expect(left.rows).toEqual([]);
    expect(mailsTo(person)).toHaveLength(mails);
  });
});

describe("a delegation", () => {
  const away = async (from: Actor, to: Actor) =>
    as(from)("POST", "/me/delegations", {
      toId: to.userId,
      endsAt: new Date(world.clock.now() + 5 * HOUR).toISOString(),
    });

  it("has whoever stands in told of what was assigned, if that person may decide it, and mails nobody twice", async () => {
    const [from, other] = [await scene.newUser(["approver"]), await scene.newUser(["auditor"])];
    const { id, name } = await asked(scene.owner);
    const [review] = (await as(scene.owner)("GET", `/reviews?assetId=${id}`)).items;
    await as(scene.owner)("PATCH", `/reviews/${review.id}`, { assignee: from.userId });
    // Nobody has told this one of it before it was assigned.
    const to = await scene.newUser(["approver"]);
    await away(from, other);
    const { id: delegation } = await away(from, to);
    await tell();
    expect(await about(to, id)).toMatchObject([{ onBehalfOf: from.userId, status: "open" }]);
    expect(mailsAbout(to, name)).toHaveLength(1);
    expect(mailsAbout(from, name).length).toBeLessThanOrEqual(1);
    expect(await about(other, id)).toEqual([]);
    await as(to)("POST", `/me/delegations/${delegation}/end`, { reason: "it is over" });
    await tell();
    expect(await about(to, id)).toEqual([]);
    expect(await about(from, id)).toHaveLength(1);
    expect((await as(from)("GET", "/me/delegations?status=ended")).items).toMatchObject([{ id: delegation }]);
  });

  it("ends with its time, and is made by people for others within a year", async () => {
    const [from, to] = [await scene.newUser(["approver"]), await scene.newUser(["approver"])];
    const refused = async (body: object) =>
      (await world.send("POST", "/api/v1/me/delegations", { token: from.token, body })).status;
    const soon = new Date(world.clock.now() + HOUR).toISOString();
    expect(await refused({ toId: from.userId, endsAt: soon })).toBe(400);
    expect(await refused({ toId: world.b.owner.userId, endsAt: soon })).toBe(400);
    expect(await refused({ toUsername: from.username, endsAt: soon })).toBe(400);
    expect(await refused({ toUsername: world.b.owner.username, endsAt: soon })).toBe(400);
    expect(await refused({ toUsername: to.username, toId: to.userId, endsAt: soon })).toBe(400);
    expect(await refused({ endsAt: soon })).toBe(400);
    expect(await refused({ toId: to.userId, endsAt: "2020-01-01" })).toBe(400);
    expect(await refused({ toId: to.userId, endsAt: "2090-01-01" })).toBe(400);
    const body = { toUsername: to.username.toUpperCase(), endsAt: soon };
    const { id, toId } = await as(from)("POST", "/me/delegations", body);
    expect(toId).toBe(to.userId);
    world.clock.advance(1.1 * HOUR);
    await tell();
    expect(await as(from)("GET", `/me/delegations/${id}`)).toMatchObject({ status: "ended" });
  });
});

describe("an owner", () => {
  const owned = async (owner: Actor, more: object = {}) => {
    const name = scene.unique();
    return { name, id: await scene.newAsset({ name, owner: { type: "user", id: owner.userId, name: "x" }, ...more }) };
  };
  const govern = (by: Actor, id: string, status: string, more: object = {}) =>
    as(by)("PATCH", `/ai-assets/${id}/governance-state`, { status, reason: "because a test wants it so", ...more });

  it("hears of a suspension by somebody else, and again of the next one", async () => {
    const owner = await scene.newUser(["member"]);
    const { id, name } = await owned(owner);
    await govern(scene.owner, id, "suspended");
    await tell();
    expect(await about(owner, id)).toMatchObject([{ kind: "asset_suspended", page: `estate/assets/${id}` }]);
    expect(mailsAbout(owner, name)).toHaveLength(1);
    await govern(scene.actors.approver, id, "unreviewed");
    await tell();
    expect(await about(owner, id)).toEqual([]);
    await govern(scene.owner, id, "suspended");
    await tell();
    expect(await about(owner, id)).toHaveLength(1);
    expect(mailsAbout(owner, name)).toHaveLength(2);
  });

  it("hears of an approval a week before it ends", async () => {
    const owner = await scene.newUser(["member"]);
    const { id } = await owned(owner);
    await govern(scene.owner, id, "under_review");
    const approvedUntil = new Date(world.clock.now() + 8 * 24 * HOUR).toISOString();
    await govern(scene.actors.approver, id, "approved", { configuration: { approvedUntil } });
    await tell();
    expect(await about(owner, id)).toEqual([]);
    world.clock.advance(26 * HOUR);
    await tell();
    const now = await scene.signIn(owner.userId, owner);
    expect(await about(now, id)).toMatchObject([{ kind: "approval_ending", dueAt: approvedUntil }]);
  });

  it("hears of a critical finding, or those who may dismiss it do where there is no owner", async () => {
    const owner = await scene.newUser(["member"]);
    const { id } = await owned(owner);
    const [his, nobodys] = [
      await scene.newFinding(id, { severity: "critical" }),
      await scene.newFinding(await scene.newAsset(), { severity: "critical" }),
    ];
    for (const finding of [his, nobodys])
      await as(scene.owner)("POST", `/ai-governance/findings/${finding}/review-actions`, { action: "acknowledge" });
    await tell();
    expect(await about(owner, his)).toMatchObject([{ kind: "critical_finding", page: `findings/${his}` }]);
    expect(await about(scene.actors.governance_officer, his)).toEqual([]);
    expect(await about(scene.actors.governance_officer, nobodys)).toHaveLength(1);
  });
});

describe("a halt", () => {
  it("is told to those who may lift it, until it is lifted, and not to who started it", async () => {
    const officer = scene.actors.governance_officer;
    const target = scene.unique();
    await scene.newAsset({ assetType: "agent", team: { type: "team", id: target } });
    const halt = await as(scene.owner)("POST", "/ai/halts", {
      scope: "team",
      target,
      reason: "because a test wants it so",
    });
    await tell();
    expect(await about(officer, halt.id)).toMatchObject([{ kind: "halt", page: "stop", status: "open" }]);
    expect(await about(scene.owner, halt.id)).toEqual([]);
    await as(scene.owner)("POST", `/ai/halts/${halt.id}/lift`, { reason: "because a test wants it so" });
    await tell();
    expect(await about(officer, halt.id)).toEqual([]);
  });
});

describe("what waits for long", () => {
  it("is told to others who can see to it, as the tenant has set, and not to who asked", async () => {
    const assignee = await scene.newUser(["approver"]);
    const { id } = await asked(scene.owner);
    const [review] = (await as(scene.owner)("GET", `/reviews?assetId=${id}`)).items;
    await as(scene.owner)("PATCH", `/reviews/${review.id}`, { assignee: assignee.userId });
    await as(scene.owner)("PATCH", "/tenant/settings", { escalationHours: 3 });
    const isEscalated = async (actor: Actor) =>
      (await about(actor, id)).some(({ kind }: { kind: string }) => kind === "escalated");
    world.clock.advance(2 * HOUR);
    await tell();
    expect(await isEscalated(scene.actors.approver)).toBe(false);
    world.clock.advance(1.1 * HOUR);
    await tell();
    expect(await isEscalated(scene.actors.approver)).toBe(true);
    expect(await isEscalated(assignee)).toBe(false);
    expect(await isEscalated(scene.owner)).toBe(false);
    await approve(assignee, id);
    await tell();
    expect(await isEscalated(scene.actors.approver)).toBe(false);
    await as(scene.owner)("PATCH", "/tenant/settings", { escalationHours: null });
  });
});
