import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { recordsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const DOORS = ["ai-assets", "ai/agents", "ai/models", "ai/tools", "ai/identities", "ai/mcp-servers"];

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
const post = (path: string, body: object) =>
  world.send("POST", `/api/v1/${path}`, { token: world.a.owner.token, body });

describe("S14 free properties", () => {
  it.each(DOORS)("hold no secret at %s, whatever it is called and wherever it stands", async (path) => {
    const records = await recordsOf(world.a);
    for (const [body, pointer] of [
      [{ configuration: { apiKey: "x" } }, "/configuration/apiKey"],
      [{ metadata: { deep: [{ token: "x" }] } }, "/metadata/deep/0/token"],
      [{ client_secret: "x" }, "/client_secret"],
      [{ metadata: { at: "https://u:pw@host.example/" } }, "/metadata/at"],
      [{ metadata: { at: "https://host.example/?api_key=x" } }, "/metadata/at"],
    ] as const) {
      const { status, json } = await post(path, body);
      expect([status, json.errors?.[0].pointer]).toEqual([400, pointer]);
    }
    expect(await recordsOf(world.a)).toEqual(records);
    expect(
      (await post(path, { metadata: { tokens: 3, maxTokens: "9", at: "https://host.example/?page=2" } })).status,
    ).toBe(201);
  });

  it("hold no secret when they are merged into what is there", async () => {
    const path = `/api/v1/ai-assets/${await world.a.newAsset()}/metadata`;
    const { token } = world.a.owner;
    const { json } = await world.send("PATCH", path, { token, body: { metadata: { password: "x" } } });
    expect(json.errors[0].pointer).toBe("/metadata/password");
  });

  it("hold none in the addresses of agents and servers either", async () => {
    for (const [path, name] of [
      ["ai/agents", "endpointUrl"],
      ["ai/mcp-servers", "url"],
    ] as const)
      for (const url of ["https://u:pw@host.example/", "https://host.example/?api_key=x"])
        expect((await post(path, { [name]: url })).json.errors[0].pointer).toBe(`/${name}`);
  });
});

describe("S15 free properties", () => {
  it.each(DOORS)("take at most 32 KiB each at %s", async (path) => {
    await world.a.keepUnknownFields();
    const long = "x".repeat(33_000);
    for (const body of [{ configuration: { long } }, { attributes: { long } }, { long }]) {
      const pointer = "configuration" in body ? "/configuration" : "/attributes";
      expect((await post(path, body)).json.errors[0].pointer).toBe(pointer);
    }
    expect((await post(path, { attributes: { long: "x".repeat(32_000) } })).status).toBe(201);
  });

  it("count every value, whatever it is", async () => {
    for (const value of [true, false, null]) {
      const { json } = await post("ai-assets", { attributes: { values: Array(10_001).fill(value) } });
      expect(json.code).toBe("invalid_json");
    }
  });
});
