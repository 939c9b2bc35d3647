import { describe, expect, it } from "vitest";
import { type Content, differencesOf, readContent } from "./plan/content.js";
import { isSelected } from "./rules.js";

const content = (more: Partial<Content> = {}): Content => ({
  externalId: "m-1",
  assetType: "model",
  name: "Model one",
  ...more,
});

describe("what a target says", () => {
  it("differs by field, and fields of its record one by one", () => {
    const before = content({ record: { modelId: "m", region: "eu" }, metadata: { a: 1 } });
    const after = content({ name: "Model 1", record: { modelId: "m", region: "us" } });
    expect(differencesOf(before, after)).toEqual([
      { field: "name", before: "Model one", after: "Model 1" },
      { field: "metadata.a", before: 1, after: null },
      { field: "record.region", before: "eu", after: "us" },
    ]);
  });

  it("is the same with nothing in other words, and wherever it was found", () => {
    const before = content({ description: "", tags: [], metadata: {} });
    expect(differencesOf(before, content({ found: [{ location: "a", line: 3 }] }))).toEqual([]);
  });

  it.each([
    ["externalId", content({ externalId: "" })],
    ["externalId", content({ externalId: "x".repeat(201) })],
    ["assetType", content({ assetType: "thing" as never })],
    ["name", content({ name: "  " })],
    ["larger", content({ metadata: { text: "x".repeat(40_000) } })],
    ["Unicode", content({ name: "half \ud800" })],
    ["provider", content({ provider: "x".repeat(201) })],
  ])("cannot be used with a wrong %s", (word, given) => {
    expect(readContent(given as never)).toMatchObject({ reason: expect.stringContaining(word) });
  });

  it("loses parts of an odd form alone, which are named", () => {
    const odd = {
      ...{ description: "x".repeat(3_000), environment: "moon", ownerHint: { mail: "a@acme.example" } },
      ...{ tags: ["good", "", 7], found: [{ location: "a" }, { location: null }, "b"] },
      ...{ metadata: { good: 1, bad: undefined }, record: { modelId: "m", scopes: () => 1, trustMode: "auto_accept" } },
    };
    const read = readContent({ ...content(), ...odd } as never);
    expect(read).toMatchObject({ tags: ["good"], found: [{ location: "a" }], metadata: { good: 1 } });
    expect(read).not.toHaveProperty("description");
    expect("leftOut" in read && read.leftOut?.map(({ part }) => part)).toEqual([
      ...["description", "environment", "ownerHint", "tags[1]", "tags[2]", "found[1]", "found[2]"],
      ...["metadata.bad", "record.scopes", "record.trustMode"],
    ]);
    const none = readContent({ ...content(), description: null, tags: null, metadata: null, found: null } as never);
    expect(none, "null says nothing").not.toHaveProperty("leftOut");
  });
});

describe("the record that a target tells", () => {
  const card = { name: "Travel agent", version: "1.2.0", skills: [{ id: "book", name: "Book" }] };
  const reported = (assetType: Content["assetType"], record: object) => {
    const read = readContent({ ...content(), assetType, record } as never);
    if ("reason" in read) throw new Error(read.reason);
    return { record: read.record, leftOut: read.leftOut?.map(({ part }) => part) ?? [] };
  };

  it.each<[Content["assetType"], object, string]>([
    ["model", { hosting: "moon" }, "record.hosting"],
    ["mcp_server", { transport: "carrier" }, "record.transport"],
    ["mcp_server", { package: { registryType: "npm", identifier: 7 } }, "record.package"],
    ["agent", { agentCard: { ...card, skills: [{ id: 5 }] } }, "record.agentCard"],
    ["agent", { agentCard: "https://travel.example/card" }, "record.agentCard"],
  ])("of type %s loses an odd field alone: %j", (assetType, odd, part) => {
    const { record, leftOut } = reported(assetType, odd);
    expect([record, leftOut]).toEqual([{}, [part]]);
  });

  it("keeps what is good, and null", () => {
    const record = { agentCard: card, framework: null, endpointUrl: "https://travel.example/a2a" };
    expect(reported("agent", record)).toEqual({ record, leftOut: [] });
  });
});

describe("a selection", () => {
  const chosen = { selection: "all", exclude: ["iit_2"], allowRetire: false } as const;
  it.each([
    ["create", true],
    ["update", true],
    ["link", true],
    ["unchanged", false],
    ["conflict", false],
    ["retire", false],
  ] as const)("of all has %s: %s", (action, selected) =>
    expect(isSelected(chosen, { id: "iit_1", action, assetId: null })).toBe(selected),
  );

  it("leaves out what is excluded, and has a conflict only as the asset that was named", () => {
    const line = { id: "iit_1", assetId: null };
    expect(isSelected(chosen, { ...line, id: "iit_2", action: "create" })).toBe(false);
    expect(isSelected({ ...chosen, selection: ["iit_1"] }, { ...line, action: "conflict" })).toBe(false);
    expect(isSelected(chosen, { ...line, action: "conflict", assetId: "ast_1" })).toBe(true);
    expect(isSelected(chosen, { id: "iit_2", action: "conflict", assetId: "ast_1" })).toBe(false);
    expect(isSelected({ ...chosen, selection: "create_only" }, { ...line, action: "update" })).toBe(false);
    expect(isSelected({ ...chosen, allowRetire: true }, { ...line, action: "retire" })).toBe(true);
  });
});
