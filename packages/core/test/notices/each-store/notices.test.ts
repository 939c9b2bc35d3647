import type { Actor, Scene, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

const HOUR = 3_600_000;

let world: World;
let scene: Scene;
beforeAll(async () => {
  world = await createWorld({ notices: true, tokenLifetime: 86_400 });
  scene = world.a;
  // What the scene came with is told before the tests begin.
  await tell();
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
});
