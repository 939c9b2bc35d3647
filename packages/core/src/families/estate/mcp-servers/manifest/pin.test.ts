import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { followPin, NO_PIN, PIN_ALGORITHMS, pinOf, withApproval } from "../../tools/pin-tool.js";
import { manifestDigest, NO_OFFER } from "./manifest.js";
import { contentOf, promptPin, templatePin, toolPin } from "./pin.js";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

const tool = {
  name: "add",
  description: "Adds two numbers.",
  inputSchema: { type: "object", properties: { b: { type: "number" }, a: { type: "number" } } },
};

describe("a pin", () => {
  it("is the digest of the canonical text, members left out being left out", () => {
    expect(toolPin(tool)).toBe(
      sha256(
        '{"description":"Adds two numbers.","inputSchema":{"properties":{"a":{"type":"number"},"b":{"type":"number"}},"type":"object"},"name":"add"}',
      ),
    );
    expect(promptPin({ name: "ask", arguments: [{ name: "what", required: true }] })).toBe(
      sha256('{"arguments":[{"name":"what","required":true}],"name":"ask"}'),
    );
    expect(templatePin({ uriTemplate: "file:///{path}", name: "files", mimeType: "text/plain" })).toBe(
      sha256('{"mimeType":"text/plain","name":"files","uriTemplate":"file:///{path}"}'),
    );
  });

  it("says nothing of what is no part of it", () => {
    const more = { ...tool, icons: [{ src: "x" }], unheardOf: 1 };
    expect(toolPin(more)).toBe(toolPin(tool));
    expect(promptPin({ name: "a", icons: [{ src: "x" }] })).toBe(promptPin({ name: "a" }));
  });

  it("says nothing of order that means nothing, and all else of a schema", () => {
    const taking = (required: string[], more: object = {}) =>
      toolPin({ ...tool, inputSchema: { ...tool.inputSchema, required, ...more } });
    expect(taking(["a", "b"])).toBe(taking(["b", "a"]));
    expect(taking(["a", "b"])).not.toBe(taking(["a"]));
    expect(taking(["a"], { default: [1, 2] })).not.toBe(taking(["a"], { default: [2, 1] }));
  });

  it("differs with every member", () => {
    const changes = [
      { name: "sum" },
      { title: "Add" },
      { description: "Adds two numbers" },
      { inputSchema: {} },
      { outputSchema: {} },
      { annotations: {} },
      { execution: {} },
      { _meta: {} },
    ];
    const pins = changes.map((change) => toolPin({ ...tool, ...change }));
    expect(new Set([...pins, toolPin(tool)]).size).toBe(changes.length + 1);
  });
});

describe("a manifest", () => {
  it("is the digest of instructions and of sorted names with their pins", () => {
    const other = { ...tool, name: "Zero" };
    const digest = manifestDigest({ ...NO_OFFER, instructions: "Hello.", tools: [tool, other] });
    expect(digest).toBe(
      sha256(
        `{"instructions":"Hello.","prompts":[],"resourcesTemplates":[],"tools":[["Zero","${toolPin(other)}"],["add","${toolPin(tool)}"]]}`,
      ),
    );
  });

  it("without instructions is another than with empty ones", () => {
    expect(manifestDigest(NO_OFFER)).not.toBe(manifestDigest({ ...NO_OFFER, instructions: "" }));
  });
});

describe("a new algorithm of pins", () => {
  const algorithms = {
    ...PIN_ALGORITHMS,
    "mcp-tool/2": (content: Parameters<typeof pinOf>[0]) => sha256(`2${pinOf(content)}`),
  };
  const follow = (pin: Parameters<typeof followPin>[0], content: Parameters<typeof followPin>[1]) =>
    followPin(pin, content, "mcp-tool/2", algorithms);
  const approved = withApproval(followPin(NO_PIN, contentOf(tool)), "2026-01-01T00:00:00.000Z", "usr_1");

  it("takes over what still says what was approved, with its approval", () => {
    const next = follow(approved, contentOf(tool));
    expect(next).toEqual({
      ...approved,
      alg: "mcp-tool/2",
      current: sha256(`2${toolPin(tool)}`),
      approved: sha256(`2${toolPin(tool)}`),
    });
  });

  it("does not take over what has changed meanwhile, and does so when it has changed back", () => {
    const changed = follow(approved, contentOf({ ...tool, description: "Subtracts." }));
    expect(changed).toMatchObject({ alg: "mcp-tool/1", state: "drifted", approved: approved.approved });
    expect(follow(changed, contentOf(tool))).toMatchObject({ alg: "mcp-tool/2", state: "in_sync" });
  });

  it("never approves what nobody has approved", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const pin = followPin(NO_PIN, contentOf({ ...tool, description: before }));
        const next = follow(pin, contentOf({ ...tool, description: after }));
        expect(next).toMatchObject({ alg: "mcp-tool/2", approved: null, state: "unapproved" });
        const moved = follow(
          withApproval(pin, "2026-01-01T00:00:00.000Z", "usr_1"),
          contentOf({ ...tool, description: after }),
        );
        expect(moved.state).toBe(before === after ? "in_sync" : "drifted");
      }),
    );
  });
});
