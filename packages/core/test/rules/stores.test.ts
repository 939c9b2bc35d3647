import { sendSample, table, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { eventsOf, recordsOf } from "../helpers/facts.js";
import { createWorld } from "../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

it("the world of this run is kept by the store the run is about", async () => {
  expect((await world.store.status()).kind).toBe(inject("store") ?? "memory");
});

/** One canary of each rule that is decided before a store is asked; the rules themselves run once, in memory. */
describe("what is decided before the store is decided on it too", () => {
  const create = table.find(({ id }) => id === "aiAssets.create") as (typeof table)[number];
  const bytes = (text: string) => ({ body: undefined, bytes: text, headers: { "content-type": "application/json" } });

  it.each<[string, number, string, (world: World) => Promise<{ status: number; json: { code: string } }>]>([
    ["a role without the permission", 403, "permission_denied", ({ a }) => sendSample(a, create, a.actors.auditor)],
    ["no token", 401, "token_missing", ({ a }) => sendSample(a, create, undefined)],
    ["a forged token", 401, "invalid_token", ({ a }) => sendSample(a, create, { ...a.owner, token: "forged" })],
    [
      "a token of another kind",
      401,
      "invalid_token",
      ({ a }) => sendSample(a, create, { ...a.owner, token: a.owner.refreshToken }),
    ],
    ["a body that is not JSON", 400, "invalid_json", ({ a }) => sendSample(a, create, a.owner, bytes("{nonsense"))],
    [
      "a key of the prototype",
      400,
      "forbidden_key",
      ({ a }) => sendSample(a, create, a.owner, bytes('{"__proto__":{"x":1}}')),
    ],
  ])("%s is refused, and leaves nothing", async (_what, status, code, ask) => {
    const before = { records: await recordsOf(world.a), events: await eventsOf(world.a) };
    const answer = await ask(world);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect(await recordsOf(world.a)).toEqual(before.records);
    const reported = (await eventsOf(world.a)).slice(before.events.length);
    expect(reported.every(({ attributes }) => attributes.includes("request.denied"))).toBe(true);
  });

  it("an operation that goes says so", async () => {
    const operation = table.find(({ id }) => id === "aiPolicies.list") as (typeof table)[number];
    const { status, headers } = await sendSample(world.a, operation, world.a.owner);
    expect([status, headers.deprecation]).toEqual([200, expect.stringMatching(/^@\d+$/)]);
  });
});
