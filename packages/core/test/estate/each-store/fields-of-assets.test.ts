import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const send = (method: string, path: string, body?: object) =>
  world.send(method, path, { token: world.a.owner.token, ...(body ? { body } : {}) });

const GOVERNED = {
  riskTier: "high",
  dataClassification: "confidential",
  autonomy: "autonomous",
  purpose: "Answers customers.",
  labels: { tier: "gold" },
  team: { type: "team", id: "support" },
  reviewDueAt: "2030-01-01T00:00:00.000Z",
  externalRef: { id: "governed" },
};

describe.each(["agents", "tools", "models", "identities", "mcp-servers"])(
  "a field of the asset sent to /ai/%s",
  (kind) => {
    const own = kind === "mcp-servers" ? { transport: "streamable_http", url: "https://mcp.example.test/" } : {};

    it("reaches the asset when the record is created, also from `configuration`", async () => {
      const { purpose, ...others } = GOVERNED;
      const body = { ...own, ...others, configuration: { purpose } };
      const { status, json } = await send("POST", `/api/v1/ai/${kind}`, body);
      expect(status).toBe(201);
      expect([json.attributes, json.configuration, json.riskTier]).toEqual([{}, {}, "high"]);
      const asset = await send("GET", `/api/v1/ai-assets/${json.assetId}`);
      expect(asset.json).toMatchObject(GOVERNED);
    });

    it("reaches the asset when the record is changed", async () => {
      const { json } = await send("POST", `/api/v1/ai/${kind}`, own);
      const put = await send("PUT", `/api/v1/ai/${kind}/${json.id}`, { purpose: "Sorts mail.", riskTier: "limited" });
      expect([put.status, put.json.attributes, put.json.riskTier]).toEqual([200, {}, "limited"]);
      const asset = await send("GET", `/api/v1/ai-assets/${json.assetId}`);
      expect(asset.json).toMatchObject({ purpose: "Sorts mail.", riskTier: "limited" });
      const again = await send("PUT", `/api/v1/ai/${kind}/${json.id}`, put.json);
      expect(again.json.version).toBe(put.json.version);
    });

    it("is refused where it is the type of another record", async () => {
      const { status, json } = await send("POST", `/api/v1/ai/${kind}`, { ...own, assetType: "prompt" });
      expect([status, json.errors[0].pointer]).toEqual([400, "/assetType"]);
    });
  },
);

describe("S22 and S25 texts that others show", () => {
  it.each<[string, object, string]>([
    ["an address that runs", { externalRef: { id: "x", url: "javascript:alert(1)" } }, "/externalRef/url"],
    ["an address of data", { externalRef: { id: "x", url: "data:text/html,x" } }, "/externalRef/url"],
    ["a name of two lines", { name: "fine\r\nBcc: x@y.example" }, "/name"],
    ["a name with a control character", { name: "fine\u0007" }, "/name"],
    ["a name with a line separator", { name: "fine\u2028x" }, "/name"],
  ])("hold no %s", async (_what, body, pointer) => {
    const world = await createWorld();
    const { token } = world.a.owner;
    const { status, json } = await world.send("POST", "/api/v1/ai-assets", { token, body });
    expect([status, json.errors?.[0].pointer]).toEqual([400, pointer]);
    const url = "https://cmdb.example/x?y=1";
    const made = await world.send("POST", "/api/v1/ai-assets", { token, body: { externalRef: { id: "x", url } } });
    expect(made.json.externalRef.url).toBe(url);
  });
});

describe("a field of the record sent to /ai-assets", () => {
  beforeAll(() => world.a.keepUnknownFields());

  it("is refused with where it belongs, at create, change and import", async () => {
    const created = await send("POST", "/api/v1/ai-assets", {
      assetType: "agent",
      framework: "langgraph",
      configuration: { modelIds: [] },
    });
    const message = "A field of the record of the asset: set it at /api/v1/ai/agents.";
    const fault = (pointer: string) => ({ pointer, code: "invalid_request", message });
    expect([created.status, created.json.errors]).toEqual([
      400,
      [fault("/framework"), fault("/configuration/modelIds")],
    ]);
    const { json: asset } = await send("POST", "/api/v1/ai-assets", { assetType: "agent" });
    const changed = await send("PUT", `/api/v1/ai-assets/${asset.id}`, { cardDigest: "x" });
    expect([changed.status, changed.json.errors]).toEqual([400, [fault("/cardDigest")]]);
    const item = { assetType: "agent", externalRef: { id: "imported" }, framework: "langgraph" };
    const imported = await send("POST", "/api/v1/ai-assets/import", { items: [item] });
    expect(imported.json.items[0].problem.errors).toEqual([fault("/framework")]);
  });

  it("is free where assets of the type have no record", async () => {
    const { status, json } = await send("POST", "/api/v1/ai-assets", { assetType: "prompt", framework: "langgraph" });
    expect([status, json.attributes]).toEqual([201, { framework: "langgraph" }]);
  });

  it("is refused in the record of an imported item when it is the asset's", async () => {
    const item = { assetType: "agent", externalRef: { id: "inside" }, record: { purpose: "x" } };
    const { json } = await send("POST", "/api/v1/ai-assets/import", { items: [item] });
    expect(json.items[0].problem.errors[0].pointer).toBe("/record/purpose");
  });
});
