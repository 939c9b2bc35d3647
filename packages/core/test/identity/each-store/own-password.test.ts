import type { Actor, Answer, World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { heldHasher } from "../../helpers/held-hasher.js";
import { providerOf } from "../../helpers/provider.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let hasher: ReturnType<typeof heldHasher>;
let actor: Actor;
beforeEach(async () => {
  hasher = heldHasher();
  world = await createWorld({ hasher });
  actor = await world.a.newUser(["member"]);
  // The first comparison hashes what nobody knows, which the tests do not wait for.
  await signsIn("a guess that is wrong");
});

const MINE = "the new pass phrase of its owner";
const THEIRS = "a pass phrase of somebody else";
const change = (newPassword: string): Promise<Answer> => {
  const body = { currentPassword: actor.password, newPassword };
  return world.send("POST", "/api/v1/auth/reset-password", { token: actor.token, body });
};
const signsIn = async (password: string) => {
  const body = { username: actor.username, password };
  return (await world.send("POST", "/api/v1/auth/signin", { body, remoteAddress: world.a.unique() })).status;
};
const works = async () => (await world.send("GET", "/api/v1/me", { token: actor.token })).status;

/** Changes the password, and lets `meanwhile` happen before the new one is hashed. */
async function changing(newPassword: string, meanwhile: () => Promise<Answer>): Promise<Answer> {
  const held = hasher.hold();
  const changed = change(newPassword);
  await held.reached;
  expect((await meanwhile()).status).toBe(200);
  held.release();
  return changed;
}

describe("a change of the own password that is under way", () => {
  it("is refused once the provider has taken the password away", async () => {
    const refused = await changing(THEIRS, () => providerOf(world).post(`users/${actor.userId}/reset-password`, {}));
    expect(refused.status).toBe(401);
    expect([await works(), await signsIn(THEIRS), await signsIn(actor.password)]).toEqual([401, 401, 401]);
  });

  it("is refused once the password is another, even by the same token", async () => {
    const refused = await changing(THEIRS, () => change(MINE));
    expect([refused.status, refused.json.code]).toEqual([401, "invalid_credentials"]);
    expect([await works(), await signsIn(THEIRS), await signsIn(MINE)]).toEqual([200, 401, 200]);
  });
});
