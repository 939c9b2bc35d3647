import { describe, expect, it } from "vitest";
import type { ToolSpec } from "#connectors/index.js";
import { limitsOf, misspelt, refusedBy } from "./rules.js";

const tool = (effect: ToolSpec["effect"], ...names: readonly string[]): ToolSpec => ({
  ...{ name: "tool", description: "A tool.", effect, idempotent: false, requiresProfiles: [] },
  inputSchema: { type: "object", properties: Object.fromEntries(names.map((name) => [name, {}])) },
});
const refused = (parameters: object, args: Readonly<Record<string, unknown>>, effect: ToolSpec["effect"] = "write") =>
  misspelt(args) ?? refusedBy(limitsOf({ ...parameters }), tool(effect, ...Object.keys(args)), args);

describe("limits of tools", () => {
  const docs = { pathPrefixes: ["docs"] };
  const agent = { branches: ["agent/*"] };
  const site = { repositories: ["acme/site"] };

  it.each<[object, Readonly<Record<string, unknown>>]>([
    [docs, { source: "src/secret", destination: "docs/a" }],
    [docs, { path: "docs/a", destination: "src/b" }],
    [docs, { path: "docs/a", files: ["src/b"] }],
    [docs, { files: [{ path: "docs/a", movedFrom: "src/b" }] }],
    [docs, { path: "docs/a", options: { into: ["src"] } }],
    [docs, { path: "docs/a", from: "src/b" }],
    [docs, { files: [{ path: "docs/a", from: "src/b" }] }],
    [docs, { path: "docs/a", files: { path: "src/b" } }],
    [docs, { path: "docs/a", query: { path: "src/b" } }],
    [docs, { path: ["docs/a", { is: "src/b" }] }],
    [site, { repository: "acme/site", title: { fork: "acme/other" } }],
    [agent, { target_branch: "main" }],
    [agent, { branch: "agent/x", onto: "main" }],
    [site, { repository: "acme/site", fork: "acme/other" }],
    [{ pathPrefixes: [1] }, { path: "docs/a" }],
    [{ pathPrefixes: { of: "docs" } }, { path: "docs/a" }],
  ])("%j refuse %j", (parameters, args) => {
    expect(refused(parameters, args)).toEqual(expect.any(String));
  });

  it.each<[object, Readonly<Record<string, unknown>>]>([
    [docs, { path: "docs/a", content: "src/secret", dryRun: true, lines: 4 }],
    [docs, { files: ["docs/a", { path: "docs/b", content: "x" }], message: "m", branch: "main" }],
    [docs, { path: "docs/a", edits: [{ oldText: "a", newText: "b" }] }],
    [docs, { repository: "acme/site", number: 1, body: "Well done." }],
    [docs, { branch: "agent/x", from: "main" }],
    [docs, { path: "docs/a", ref: "main", page: { size: 4 } }],
    [{ pathPrefixes: "docs" }, { path: "docs/a" }],
    [agent, { repository: "acme/site", branch: "agent/x", from: "main" }],
    [{ pathPrefixes: null }, { source: "anything" }],
    [{}, { source: "anything" }],
  ])("%j permit %j", (parameters, args) => {
    expect(refused(parameters, args)).toBeUndefined();
  });

  it("refuse what reads beyond single paths", () => {
    expect(refused(docs, { repository: "acme/site", query: "x" }, "read")).toContain("beyond the paths");
  });
});
