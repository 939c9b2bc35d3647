import type { Scene, World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import type { Logger } from "#ports/logger.js";
import { eventsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

interface Reported {
  readonly type: string;
  readonly subject: string;
  readonly severitytext: string;
  readonly outcome: string;
  readonly authid: string;
}

let logged: Record<string, unknown>[];
let world: World;
beforeEach(async () => {
  logged = [];
  const logger: Logger = {
    info() {},
    warn: (fields, message) => logged.push({ ...fields, message }),
    error() {},
  };
  world = await createWorld({ logger });
});

const fail = async (username: string, remoteAddress: string, more: object = {}) => {
  const body = { username, password: "a wrong pass phrase", ...more };
  const answer = await world.send("POST", "/api/v1/auth/signin", { body, remoteAddress });
  expect(answer.status).toBe(401);
};
const failuresOf = async (scene: Scene) => {
  const events = await eventsOf(scene);
  return events
    .map(({ attributes, data }) => ({ ...(JSON.parse(attributes) as Reported), data: JSON.parse(data ?? "null") }))
    .filter(({ type }) => type === "reeve.user.sign_in_failed.v1");
};
/** The failures once there are so many. They are written after the answers. */
const untilThere = async (scene: Scene, count: number) => {
  while ((await failuresOf(scene)).length < count) await new Promise((resolve) => setImmediate(resolve));
  return failuresOf(scene);
};

describe("S13 a failed sign-in", () => {
  it("is an event of severity WARN in the tenant of the user, and in no other", async () => {
    const { userId, username } = world.a.owner;
    await fail(username, "192.0.2.7");
    const [reported, ...more] = await untilThere(world.a, 1);
    expect(more).toEqual([]);
    expect(reported).toMatchObject({
      subject: userId,
      severitytext: "WARN",
      outcome: "failure",
      data: { entity: { type: "user", id: userId }, address: "192.0.2.7" },
    });
    expect(reported?.authid).not.toBe(userId);
    expect(await failuresOf(world.b)).toEqual([]);
    const { token } = world.a.owner;
    const { json } = await world.send("GET", "/api/v1/ai/activity?severity=WARN&type=user.sign_in_failed", { token });
    expect(json.items).toHaveLength(1);
  });

  it("reaches the logger each time, of known users and unknown ones, without the name or the password", async () => {
    const { userId, username } = world.a.owner;
    await fail(username, "192.0.2.7");
    await fail("nobody@example.test", "192.0.2.8");
    const failures = logged.filter(({ message }) => message === "sign-in failed");
    expect(failures).toEqual([
      { requestId: expect.any(String), address: "192.0.2.7", users: [userId], message: "sign-in failed" },
      { requestId: expect.any(String), address: "192.0.2.8", users: [], message: "sign-in failed" },
    ]);
    await untilThere(world.a, 1);
  });

  it("is recorded five times a user in one window, and again in the next", async () => {
    const { username } = world.a.owner;
    for (let at = 0; at < 8; at += 1) await fail(username, `192.0.2.${at}`);
    await untilThere(world.a, 5);
    const other = world.a.actors.auditor;
    await fail(other.username, "192.0.2.40");
    // What is written later in order comes after all that was left out.
    const all = await untilThere(world.a, 6);
    expect(all.map(({ subject }) => subject).sort()).toEqual(
      [...Array(5).fill(world.a.owner.userId), other.userId].sort(),
    );
    world.clock.advance(16 * 60_000);
    await fail(username, "192.0.2.41");
    expect(await untilThere(world.a, 7)).toHaveLength(7);
  });

  it("is recorded nowhere when another tenant is named", async () => {
    const { json } = await world.send("GET", "/api/v1/tenant", { token: world.b.owner.token });
    await fail(world.a.owner.username, "192.0.2.7", { tenant: json.id ?? world.b.tenantId });
    await fail(world.b.owner.username, "192.0.2.7");
    await untilThere(world.b, 1);
    expect(await failuresOf(world.a)).toEqual([]);
  });
});
