import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { eventsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const send = (method: string, path: string, body: object) =>
  world.send(method, `/api/v1/${path}`, { token: world.a.owner.token, body });
const read = async (path: string) => (await world.send("GET", `/api/v1/${path}`, { token: world.a.owner.token })).json;

describe("E5 a field that is known", () => {
  const governed = {
    purpose: "Sorts incoming claims.",
    autonomy: "supervised",
    labels: { area: "claims" },
    team: { type: "team", id: "claims" },
    reviewDueAt: "2026-06-01T00:00:00.000Z",
  };

  it("reaches the asset from the door of its record, and never its attributes", async () => {
    const name = world.a.unique();
    const created = await send("POST", "ai/agents", { name, ...governed, externalRef: { id: name } });
    expect(created.status, created.text).toBe(201);
    expect(created.json.attributes).toEqual({});
    expect(await read(`ai-assets/${created.json.assetId}`)).toMatchObject({
      ...governed,
      externalRef: { id: name },
      attributes: {},
    });
  });

  it("of a record is refused at the door of the asset, and not kept as something else", async () => {
    const { status, json } = await send("POST", "ai-assets", {
      name: world.a.unique(),
      assetType: "agent",
      framework: "langgraph",
    });
    expect([status, json.errors?.[0]?.pointer]).toEqual([400, "/framework"]);
  });

  it("that is misspelt is refused with the name that was meant, and kept where the tenant wants that", async () => {
    const misspelt = () => send("POST", "ai-assets", { name: world.a.unique(), assetType: "prompt", purpsoe: "x" });
    const message = 'Unknown property; did you mean "purpose"?';
    const { status, json } = await misspelt();
    expect([status, json.errors]).toMatchObject([400, [{ pointer: "/purpsoe", message }]]);
    await world.a.keepUnknownFields();
    expect((await misspelt()).json.warnings).toMatchObject([{ pointer: "/purpsoe", message }]);
    await send("PATCH", "tenant/settings", { strictBodies: null });
    expect((await misspelt()).status).toBe(400);
  });
});

describe("E10 nothing is accepted in silence", () => {
  it("such as a property of an import that means nothing to it", async () => {
    const name = world.a.unique();
    const items = [{ name, assetType: "prompt", externalRef: { id: name } }];
    const { status, json } = await send("POST", "ai-assets/import", { items, rehearse: true });
    expect([status, json.code, json.errors?.[0]?.pointer]).toEqual([400, "invalid_request", "/rehearse"]);
    expect((await read(`ai-assets?search=${name}`)).items).toEqual([]);
  });

  it("and metadata of a move stands in its event", async () => {
    const id = await world.a.newAsset();
    const body = { status: "development", metadata: { change: "CHG-4711" }, reason: "It is being built now." };
    const moved = await send("PATCH", `ai-assets/${id}/lifecycle`, body);
    expect(moved.status, moved.text).toBe(200);
    const reported = (await eventsOf(world.a))
      .map(({ data }) => data)
      .filter((data) => String(data).includes("CHG-4711"));
    expect(reported.length).toBeGreaterThan(0);
  });
});
