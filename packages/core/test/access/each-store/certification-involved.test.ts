import type { Actor, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { requestBench } from "../../helpers/requests.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  // Tests move the clock by weeks.
  world = await createWorld({ tokenLifetime: 86_400 });
});

const DAY = 86_400_000;
const AT = "/access-certifications";
const reason = "because a test wants it so";
const send = (method: string, path: string, { token }: Actor, body?: object) =>
  world.send(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });
const officerOf = () => world.a.newUser(["governance_officer"]);

/** Access that an officer has asked for and somebody else approved. */
async function askedFor() {
  const bench = await requestBench(world);
  const [asker, other, reviewer] = [await officerOf(), await officerOf(), await world.a.newUser(["member"])];
  const { id } = await bench.asked("pending_approval", { duration: "P30D" }, asker);
  expect((await bench.approve(id)).json.status).toBe("approved");
  await bench.tick();
  const assignmentId = (await bench.request(id)).items[0]?.assignmentId as string;
  const begin = async (more: object = {}) => {
    const stages = [{ reviewer: "users", userIds: [reviewer.userId], duration: "P5D" }];
    const body = { scope: { assignmentIds: [assignmentId] }, stages, ...more };
    const { id: campaign } = (await send("POST", AT, world.a.actors.owner, body)).json;
    await bench.tick();
    return campaign as string;
  };
  const end = (campaign: string, verb: string, actor: Actor, more: object = {}) =>
    send("POST", `${AT}/${campaign}/${verb}`, actor, { reason, ...more });
  const pass = async (milliseconds: number) => {
    await bench.tick(milliseconds);
    for (const one of [asker, other, reviewer]) Object.assign(one, await world.a.signIn(one.userId, one));
  };
  return { bench, asker, other, reviewer, assignmentId, begin, end, pass };
}

describe("whoever asked for access that is reviewed", () => {
  it("does not have its certification revoke nothing, and somebody else may", async () => {
    const { bench, asker, other, assignmentId, begin, end, pass } = await askedFor();
    const silence = { onSilence: "revoke", confirmSilentRevoke: true };
    const [first, second] = [await begin(silence), await begin(silence)];
    await pass(6 * DAY);
    for (const revokes of ["none", "decided"]) {
      const refused = await end(first, "confirm", asker, { revokes });
      expect([refused.status, refused.json.code]).toEqual([403, "self_approval_forbidden"]);
    }
    expect((await end(first, "confirm", world.a.actors.owner, { revokes: "all" })).status).toBe(403);
    expect((await end(first, "confirm", other, { revokes: "none" })).status).toBe(200);
    await pass(2 * DAY);
    expect((await bench.read(assignmentId)).status).toBe("active");
    expect((await end(second, "confirm", asker, { revokes: "all" })).status).toBe(200);
    await bench.tick();
    await bench.tick();
    expect((await bench.read(assignmentId)).status).toBe("revoked");
  });

  it("neither closes its certification early nor cancels it, and somebody else may", async () => {
    const { asker, other, begin, end } = await askedFor();
    for (const verb of ["close", "cancel"]) {
      const campaign = await begin();
      const refused = await end(campaign, verb, asker);
      expect([verb, refused.status, refused.json.code]).toEqual([verb, 403, "self_approval_forbidden"]);
      expect((await end(campaign, verb, other)).status).toBe(200);
    }
  });
});

describe("a review of emergency access", () => {
  it("is neither cancelled nor closed early by anybody", async () => {
    const bench = await requestBench(world, null);
    const endsAt = new Date(world.clock.now() + 30 * DAY).toISOString();
    const limits = { mostPerDay: 9, mostPerAsset: 9 };
    await bench.policy({ effect: "allow", endsAt, limits, kind: "emergency" });
    const asker = await officerOf();
    const terms = { emergency: true, reason: "There is an incident with claims.", duration: "PT2H" };
    const { id } = await bench.asked("approved", terms, asker);
    await bench.tick();
    const review = (await send("GET", `${AT}?requestId=${id}`, world.a.actors.owner)).json.items[0];
    for (const verb of ["cancel", "close"])
      for (const actor of [asker, await officerOf()]) {
        const refused = await send("POST", `${AT}/${review.id}/${verb}`, actor, { reason });
        expect([refused.status, refused.json.code], verb).toEqual([409, "transition_guard_failed"]);
      }
    await bench.tick();
    expect((await send("GET", `${AT}/${review.id}`, world.a.actors.owner)).json.status).toBe("active");
  });
});
