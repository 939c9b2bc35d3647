import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { eventTypes, recordsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const MODELS = "/api/v1/ai/models";
const DAY = 86_400_000;

let world: World;
beforeEach(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const inDays = (days: number) => new Date(world.clock.now() + days * DAY).toISOString();
/** Tokens expire long before models retire, so each request signs in again. */
async function send(method: string, path: string, body?: object) {
  const { username, password } = world.a.owner;
  const { json } = await world.send("POST", "/api/v1/auth/signin", { body: { username, password } });
  return world.send(method, path, { token: json.token, body });
}
const create = async (body: object) => (await send("POST", MODELS, body)).json;
const statusOf = async (id: string) => (await send("GET", `${MODELS}/${id}`)).json.providerStatus;

describe("what the provider does with a model", () => {
  it("shows when its moment comes, in reads and lists, with nothing stored", async () => {
    const { id, providerStatus } = await create({ providerRetirementAt: inDays(100) });
    expect(providerStatus).toBe("in_service");
    world.clock.advance(9 * DAY);
    expect(await statusOf(id)).toBe("in_service");
    world.clock.advance(DAY);
    const held = (await recordsOf(world.a)).ai_models;
    expect(await statusOf(id)).toBe("retiring");
    world.clock.advance(90 * DAY);
    expect(await statusOf(id)).toBe("retired");
    const { items } = (await send("GET", `${MODELS}?size=1`)).json;
    expect(items).toMatchObject([{ id, providerStatus: "retired" }]);
    expect((await recordsOf(world.a)).ai_models).toEqual(held);
  });

  it("is written down by tick with an event for each step, once", async () => {
    const { id } = await create({ providerRetirementAt: inDays(100) });
    const before = (await eventTypes(world.a)).length;
    const reported = async () => (await eventTypes(world.a, before)).filter((type) => type.startsWith("model."));
    world.clock.advance(11 * DAY);
    await world.controlPlane.tick();
    await world.controlPlane.tick();
    expect(await reported()).toEqual(["model.provider_status.changed"]);
    world.clock.advance(100 * DAY);
    await world.controlPlane.tick();
    await world.controlPlane.tick();
    expect(await reported()).toEqual(["model.provider_status.changed", "model.provider_status.changed"]);
    expect((await recordsOf(world.a)).ai_models?.filter((text) => text.includes(id))[0]).toContain(
      '"providerStatus":"retired"',
    );
  });

  it("takes both steps when nobody has looked for a long time", async () => {
    await create({ providerRetirementAt: inDays(100) });
    const before = (await eventTypes(world.a)).length;
    world.clock.advance(365 * DAY);
    await world.controlPlane.tick();
    const reported = (await eventTypes(world.a, before)).filter((type) => type.startsWith("model."));
    expect(reported).toEqual(["model.provider_status.changed", "model.provider_status.changed"]);
  });

  it("follows the date at once, on both sides of a create and a change", async () => {
    expect(await create({ providerRetirementAt: inDays(-1) })).toMatchObject({ providerStatus: "retired" });
    const { id } = await create({ providerRetirementAt: inDays(10) });
    expect(await statusOf(id)).toBe("retiring");
    const put = async (body: object) => (await send("PUT", `${MODELS}/${id}`, body)).json;
    expect(await put({ providerRetirementAt: inDays(400) })).toMatchObject({ providerStatus: "in_service" });
    expect(await put({ configuration: { providerRetirementAt: inDays(-1) } })).toMatchObject({
      providerStatus: "retired",
    });
    expect(await put({ providerRetirementAt: inDays(5) })).toMatchObject({ providerStatus: "retiring" });
    expect(await put({ providerRetirementAt: null })).toMatchObject({ providerStatus: "in_service" });
    expect((await put({ providerStatus: "retired" })).code).toBe("read_only_property");
  });

  it("may be sent back as it was read, although only the clock has moved it", async () => {
    const { id } = await create({ providerRetirementAt: inDays(100) });
    world.clock.advance(20 * DAY);
    const { providerStatus, providerRetirementAt } = (await send("GET", `${MODELS}/${id}`)).json;
    const put = await send("PUT", `${MODELS}/${id}`, { providerStatus, providerRetirementAt });
    expect([put.status, put.json.providerStatus]).toEqual([200, "retiring"]);
  });
});
