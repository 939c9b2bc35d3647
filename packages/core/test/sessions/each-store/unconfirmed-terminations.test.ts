import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

const SESSIONS = "/api/v1/ai/sessions";
const reason = "because a test wants it so";
/** How long enforcement points have to answer. */
const WAIT = 10_000;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
const send = async (method: string, path: string, body?: object) => {
  const { token } = world.a.owner;
  const { status, text, json } = await world.send(method, path, { token, ...(body ? { body } : {}) });
  expect(status, text).toBeLessThan(300);
  return json;
};

describe("a termination that its enforcement point does not confirm", () => {
  it("is listed, counted and told of from the moment when its time is over", async () => {
    const { id } = await send("POST", SESSIONS, {});
    await send("POST", `${SESSIONS}/${id}/heartbeat`, { pepId: "gateway-1" });
    await send("POST", `${SESSIONS}/${id}/terminate`, { reason });
    const look = async () => {
      const { sessions, attention } = await send("GET", "/api/v1/ai/overview?size=100");
      const listed = await send("GET", `${SESSIONS}?unconfirmed=unconfirmed,partial`);
      const reported = attention.items.filter(({ kind }: { kind: string }) => kind === "terminations_unconfirmed");
      return {
        ...{ unconfirmed: sessions.unconfirmed, total: listed.totalItems },
        ids: listed.items.map((one: { id: string }) => one.id),
        reported: reported.map(({ count, href }: { count: number; href: string }) => [count, href]),
      };
    };
    world.clock.advance(WAIT - 1);
    expect((await send("GET", `${SESSIONS}/${id}`)).status).toBe("terminating");
    expect(await look()).toEqual({ unconfirmed: {}, total: 0, ids: [], reported: [] });
    world.clock.advance(1);
    const overdue = {
      ...{ unconfirmed: { unconfirmed: 1 }, total: 1, ids: [id] },
      reported: [[1, `${SESSIONS}?unconfirmed=unconfirmed`]],
    };
    expect(await send("GET", `${SESSIONS}/${id}`)).toMatchObject({
      status: "terminated",
      enforcement: { state: "unconfirmed" },
    });
    expect(await look()).toEqual(overdue);
    await world.controlPlane.tick();
    expect(await look()).toEqual(overdue);
  });
});
