import { type Actor, createPlane, type Scene, type World } from "@reeve/testkit";
import { startMailServer } from "@reeve/testkit/mail";
import { createTransport } from "nodemailer";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { collections } from "#reference/index.js";
import type { Mail } from "../../../src/index.js";
import { eventTypes, headOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const HOUR = 3_600_000;
const notices = collections.find(({ name }) => name === "notices") as (typeof collections)[number];

let world: World;
let scene: Scene;
beforeAll(async () => {
  world = await createWorld({ notices: true, tokenLifetime: 86_400 });
  scene = world.a;
  await world.controlPlane.tick();
});
beforeEach(async () => {
  for (const role of ["owner", "approver"] as const)
    scene.actors[role] = await scene.signIn(scene.actors[role].userId, scene.actors[role]);
});

const as = (actor: Actor) => async (method: string, path: string, body?: object) => {
  const answer = await world.send(method, `/api/v1${path}`, {
    token: actor.token,
    headers: { "if-match": "*" },
    ...(body ? { body } : {}),
  });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
};
const govern = (actor: Actor, id: string, status: string) =>
  as(actor)("PATCH", `/ai-assets/${id}/governance-state`, { status, reason: "because a test wants it so" });

async function asked(by: Actor): Promise<{ id: string; name: string; by: Actor }> {
  // No name begins with another one.
  const name = `${scene.unique()}-asked`;
  const id = await scene.newAsset({ name }, by);
  await govern(by, id, "under_review");
  return { id, name, by };
}
const mailsTo = ({ username }: Actor) => world.mailbox.mails.filter(({ to }) => to === username);
const noticesOf = async (actor: Actor) => {
  const all: { kind: string; status: string; subject: { id: string } }[] = [];
  for (let page = 0; ; page += 1) {
    const { items, totalPages } = await as(actor)("GET", `/me/notices?size=100&page=${page}`);
    all.push(...items);
    if (page + 1 >= totalPages) return all;
  }
};

describe("forty approvals and six people", () => {
  it("make one notice for each who may decide each, and one mail with each, none too many", async () => {
    const [ada, bob] = [await scene.newUser(["approver"]), await scene.newUser(["approver"])];
    const daily = await scene.newUser(["approver"]);
    const asker = await scene.newUser(["owner"]);
    const away = await scene.newUser(["approver"]);
    const reader = await scene.newUser(["auditor"]);
    const people = [ada, bob, daily, asker, away, reader];
    await as(daily)("PUT", "/me/notice-preferences", { mail: { waiting: "daily" } });
    await world.controlPlane.tick();
    const before = new Map(people.map((person) => [person, mailsTo(person).length]));
    const toId = ada.userId;
    await as(away)("POST", "/me/delegations", {
      toId,
      endsAt: new Date(world.clock.now() + 30 * 24 * HOUR).toISOString(),
    });
    const matters: Awaited<ReturnType<typeof asked>>[] = [];
    for (let count = 0; count < 40; count += 1) {
      matters.push(await asked(count % 2 === 0 ? scene.owner : asker));
      if (count % 8 === 7) await world.controlPlane.tick();
      if (count % 4 === 3) await govern(bob, matters[count - 1]?.id ?? "", "approved");
    }
    await world.controlPlane.tick();
    const isDecided = (at: number) => at % 4 === 2;
    for (const person of people) {
      const own = await noticesOf(person);
      for (const [at, { id, name, by }] of matters.entries()) {
        const told = own.filter(({ subject }) => subject.id === id);
        const isAsked = person !== reader && by !== person;
        // What was decided may have been decided before anybody was told.
        const most = isAsked ? 1 : 0;
        expect(told.length, `${name} to ${person.username}`).toBeLessThanOrEqual(most);
        if (isAsked && !isDecided(at)) expect(told).toMatchObject([{ kind: "waiting", status: "open" }]);
        for (const one of told) if (isDecided(at)) expect(one.status).toBe("over");
        const mails = mailsTo(person).filter(({ text }) => text.includes(name));
        expect(mails.length, `mails of ${name} to ${person.username}`).toBeLessThanOrEqual(most);
        if (isAsked && !isDecided(at) && person !== daily && person !== away) expect(mails).toHaveLength(1);
      }
    }
    // Whoever is away is told here, and the mails are those of who stands in.
    expect(mailsTo(away).length).toBe(before.get(away));
    expect(mailsTo(daily).length).toBe(before.get(daily));
    world.clock.advance(24 * HOUR);
    await world.controlPlane.tick();
    const [digest, ...others] = mailsTo(daily).slice(before.get(daily));
    expect(others).toEqual([]);
    const listed = matters.filter(({ name }) => digest?.text.includes(name));
    expect(listed).toEqual(matters.filter((_, at) => !isDecided(at)));
  });

  it("leave nothing to do", async () => {
    await world.controlPlane.tick();
    const head = await headOf(scene);
    await world.controlPlane.tick();
    expect(await headOf(scene)).toBe(head);
  });
});

describe("very much at once", () => {
  it("is told behind the tick that found it, and by one mail to each", async () => {
    const quiet = await createWorld({ notices: false, tokenLifetime: 86_400 });
    const { store, clock, ids, mailbox } = quiet;
    const [people, matters]: [Actor[], string[]] = [[], []];
    for (let count = 0; count < 32; count += 1) people.push(await quiet.a.newUser(["approver"]));
    for (let count = 0; count < 32; count += 1) {
      const id = await quiet.a.newAsset();
      const body = { status: "under_review" };
      const given = { token: quiet.a.owner.token, headers: { "if-match": "*" }, body };
      expect((await quiet.send("PATCH", `/api/v1/ai-assets/${id}/governance-state`, given)).status).toBe(200);
      matters.push(id);
    }
    const plane = createPlane({ store, clock, ids, mailer: mailbox, notices: true, tokenLifetime: 86_400 });
    onTestFinished(() => plane.controlPlane.close());
    const tenant = store.forTenant(quiet.a.tenantId);
    const told = async (userId: string) =>
      (await tenant.find(notices, { where: { userId }, size: 100 })).rows
        .map(({ value }) => (value as unknown as { subject: { id: string } }).subject.id)
        .filter((id) => matters.includes(id));
    const all = async () => (await Promise.all(people.map(({ userId }) => told(userId)))).flat().length;
    await plane.controlPlane.tick();
    await expect.poll(all).toBe(people.length * matters.length);
    await plane.controlPlane.tick();
    for (const { userId, username } of people) {
      expect((await told(userId)).sort()).toEqual([...matters].sort());
      expect(mailbox.mails.filter(({ to }) => to === username)).toHaveLength(1);
    }
  });
});

describe("two processes at once", () => {
  it("send each notice once", async () => {
    const { store, clock, ids, mailbox } = world;
    const other = createPlane({ store, clock, ids, mailer: mailbox, notices: true, tokenLifetime: 86_400 });
    const person = await scene.newUser(["approver"]);
    const from = await headOf(scene);
    const matters = [];
    for (let count = 0; count < 12; count += 1) {
      matters.push(await asked(scene.owner));
      await Promise.all([world.controlPlane.tick(), other.controlPlane.tick()]);
    }
    await Promise.all([world.controlPlane.tick(), other.controlPlane.tick()]);
    const own = await noticesOf(person);
    for (const { id, name } of matters) {
      expect(own.filter(({ subject }) => subject.id === id)).toHaveLength(1);
      expect(
        mailsTo(person).filter(({ text }) => text.includes(name)),
        name,
      ).toHaveLength(1);
    }
    const given = (await eventTypes(scene, from)).filter((type) => type === "notice.given");
    expect(given.length).toBeGreaterThanOrEqual(matters.length);
  });

  it("mail what one tells of while the other sends a mail", async () => {
    const quiet = await createWorld({ notices: false, tokenLifetime: 86_400 });
    const { store, clock, ids, mailbox } = quiet;
    const person = await quiet.a.newUser(["approver"]);
    const shared = { store, clock, ids, notices: true, tokenLifetime: 86_400 };
    const teller = createPlane({ ...shared, mailer: mailbox });
    const names: string[] = [];
    const told = async () => (await store.forTenant(quiet.a.tenantId).find(notices, toPerson)).rows.length;
    const toPerson = { where: { userId: person.userId }, size: 10 };
    const mailer = {
      send: async (mail: Mail) => {
        if (mail.to === person.username && names.length === 1) {
          const before = await told();
          await ask(teller);
          await expect.poll(told).toBe(before + 1);
        }
        await mailbox.send(mail);
      },
    };
    const sender = createPlane({ ...shared, mailer });
    for (const { controlPlane } of [teller, sender]) onTestFinished(() => controlPlane.close());
    await sender.controlPlane.tick();
    const first = mailbox.mails.length;
    const ask = async ({ send }: Pick<World, "send">) => {
      const name = `${quiet.a.unique()}-asked`;
      names.push(name);
      const id = await quiet.a.newAsset({ name });
      const given = { token: quiet.a.owner.token, headers: { "if-match": "*" }, body: { status: "under_review" } };
      expect((await send("PATCH", `/api/v1/ai-assets/${id}/governance-state`, given)).status).toBe(200);
    };
    await ask(quiet);
    await sender.controlPlane.tick();
    await sender.controlPlane.tick();
    const texts = mailbox.mails.slice(first).flatMap(({ to, text }) => (to === person.username ? [text] : []));
    expect(texts.map((text) => names.filter((name) => text.includes(name)))).toEqual(names.map((name) => [name]));
  });
});

describe("a mail server", () => {
  it("that is down delays mails and no decision, and gets each of them once it is back", async () => {
    const first = await startMailServer();
    const port = Number(new URL(first.url).port);
    const transport = createTransport({ url: first.url });
    const mailer = {
      send: async (mail: object) => void (await transport.sendMail({ ...mail, from: "reeve@reeve.example" })),
    };
    const plane = await createWorld({ notices: true, tokenLifetime: 86_400, mailer });
    const { a } = plane;
    const ask = async (id: string, by: Actor, status: string) => {
      const path = `/api/v1/ai-assets/${id}/governance-state`;
      const headers = { "if-match": "*" };
      const answer = await plane.send("PATCH", path, { token: by.token, headers, body: { status, reason: "a test" } });
      expect(answer.status, answer.text).toBe(200);
    };
    const tick = () => plane.controlPlane.tick();
    await tick();
    const { approver } = a.actors;
    const [kept, decided] = [await a.newAsset({ name: "kept-one" }), await a.newAsset({ name: "decided-one" })];
    await first.stop();
    await ask(kept, a.owner, "under_review");
    await ask(decided, a.owner, "under_review");
    await tick();
    await ask(decided, approver, "approved");
    for (let hours = 0; hours < 3; hours += 1) {
      plane.clock.advance(HOUR);
      await tick();
    }
    expect(first.mails.filter(({ to, text }) => to.includes(approver.username) && text.includes("kept-one"))).toEqual(
      [],
    );
    const second = await startMailServer({ port });
    onTestFinished(() => second.stop());
    plane.clock.advance(HOUR);
    await tick();
    await tick();
    const mails = second.mails.filter(({ to }) => to.includes(approver.username));
    expect(mails.filter(({ text }) => text.includes("kept-one"))).toHaveLength(1);
    const [mail] = mails.filter(({ text }) => text.includes("kept-one"));
    expect(mail?.html).toContain("kept-one");
    expect(mail?.headers["message-id"]).toMatch(/^<[\da-f]{40}@reeve\.example>$/);
    expect(mail?.headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
    expect(mails.some(({ text }) => text.includes("decided-one"))).toBe(false);
  });
});
